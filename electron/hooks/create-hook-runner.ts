// Runs people's own commands at fixed points (H1): the event as JSON on stdin, the answer from exit code and stdout. Bounded in time
// and output, ended with all they started. Translates, never decides (H2); never rejects.
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { wellFormed } from "#shared/lib/text.ts";
import type { HookEventName, HookSettings } from "#shared/settings/settings.ts";
import type { Environment } from "#electron/lib/child-environment.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { endProcesses } from "#electron/lib/process-end.ts";
import { findKin, type ProcessTable } from "#electron/lib/process-tree.ts";
import type { ProcessRunner } from "#electron/lib/spawn.ts";
import { type HookReading, readAnswer } from "./answer.ts";
import { claudeMode, claudeName, claudeResponse } from "./claude-names.ts";
import type { HookOutcome, HookRunner } from "./contract.ts";
import { BROKEN_MATCHER, notStartedText, timeoutText } from "./hooks.text.ts";
import { parseMatcher } from "./matcher.ts";

export type HookProblem = { readonly event: HookEventName; readonly command: string; readonly message: string };
export type HookRunnerDeps = {
  /** of the person, and of the folder that the event is about when they trusted it; asked for each event */
  settings(folder: string | undefined): HookSettings | Promise<HookSettings>;
  readonly processes: ProcessRunner;
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** see `childEnvironment`: hooks get no key either (F07) */
  readonly environment: () => Environment | Promise<Environment>;
  /** where a hook runs when the payload names no folder that exists */
  readonly home: string;
  readonly onProblem?: (problem: HookProblem) => void;
  readonly shell?: { readonly file: string; readonly args: (command: string) => readonly string[] };
};
export interface ClosableHookRunner extends HookRunner {
  /** Ends what hooks left running. Never rejects. */
  close(): Promise<void>;
}

const MAX_OUTPUT_BYTES = 65_536;
const GRACE_MS = 1_000;
/** Whatever the settings say. */
const MAX_TIMEOUT_MS = 600_000;
/** These tell of what has happened, also of a call that was stopped: they get this long after the stop. */
const TELLS: ReadonlySet<HookEventName> = new Set(["PostToolUse", "PostToolUseFailure", "Notification"]);
const AFTER_STOP_MS = 5_000;

type Command = { readonly command: string; readonly timeoutMs: number };
type Payload = Readonly<Record<string, unknown>>;

export function createHookRunner(deps: HookRunnerDeps): ClosableHookRunner {
  const mark = `cairn-hooks-${randomUUID()}`;
  let closed = false;
  const runOne = createRunOne(deps, mark);
  return {
    async run(event, subject, payload, signal) {
      const outcomes: HookOutcome[] = [];
      const told = (command: string, message: string) => {
        outcomes.push({ kind: "problem", command, message });
        deps.onProblem?.({ event, command, message });
      };
      if (closed) return [];
      const commands = matching(await settingsFor(deps, payload), event, subject, told);
      if (commands.length === 0) return outcomes;
      const waiting = TELLS.has(event) ? stopsLater(signal, deps.clock) : { signal, [Symbol.dispose]: () => {} };
      let shown = inTheirWords(event, payload);
      for (const command of commands) {
        const reading = await runOne(event, subject, shown, { command, signal: waiting.signal }).catch((error: unknown) => ({
          outcomes: [],
          problems: [notStartedText(String(error))],
        }));
        for (const problem of reading.problems) told(command.command, problem);
        outcomes.push(...reading.outcomes);
        // Later hooks see what earlier ones made of the input; after a no there is nothing left to ask.
        for (const outcome of reading.outcomes) if (outcome.kind === "changed_input") shown = { ...shown, tool_input: outcome.input };
        if (waiting.signal.aborted || reading.outcomes.some(isFinal)) break;
      }
      waiting[Symbol.dispose]();
      return outcomes;
    },
    async close() {
      closed = true;
      await endProcesses({ clock: deps.clock }, () => findKin(deps.table, { leader: -1, mark, fresh: false }), GRACE_MS);
    },
  };
}

function isFinal(outcome: HookOutcome): boolean {
  return outcome.kind === "block" || outcome.kind === "stop" || (outcome.kind === "permission" && outcome.says === "deny");
}

type RunOne = (
  event: HookEventName,
  subject: string,
  payload: Payload,
  one: { readonly command: Command; readonly signal: AbortSignal },
) => Promise<HookReading>;

function createRunOne(deps: HookRunnerDeps, mark: string): RunOne {
  let count = 0;
  return async (
    event: HookEventName,
    subject: string,
    payload: Payload,
    one: { readonly command: Command; readonly signal: AbortSignal },
  ): Promise<HookReading> => {
    const { command, timeoutMs } = one.command;
    const shell = deps.shell ?? defaultShell();
    const cwd = await folderOf(payload, deps.home);
    const env = { ...(await deps.environment()), CLAUDE_PROJECT_DIR: cwd, CAIRN_PROJECT_DIR: cwd };
    const input = wellFormed(`${JSON.stringify(payload)}\n`);
    const request = {
      file: shell.file,
      args: shell.args(command),
      cwd,
      env,
      input,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      mark: `${mark}-${++count}.`,
      graceMs: GRACE_MS,
    };
    const end = await deps.processes.run(request, one.signal);
    if (end.kind === "failed") return { outcomes: [], problems: one.signal.aborted ? [] : [notStartedText(end.message)] };
    if (end.endedBy !== undefined) return { outcomes: [], problems: end.endedBy === "timeout" ? [timeoutText(timeoutMs)] : [] };
    return readAnswer(end, { event, subject, command, maxOutputBytes: MAX_OUTPUT_BYTES });
  };
}

/** Settings that cannot be had run nothing. */
async function settingsFor(deps: HookRunnerDeps, { cwd }: Payload): Promise<HookSettings> {
  try {
    return await deps.settings(typeof cwd === "string" ? cwd : undefined);
  } catch {
    return {};
  }
}

/** The event as scripts for Claude Code expect it. */
function inTheirWords(event: HookEventName, payload: Payload): Payload {
  const { tool_name: tool, tool_input: input, tool_response: response, permission_mode: mode } = payload;
  return {
    ...payload,
    ...(typeof tool === "string" ? { tool_name: claudeName(tool) } : {}),
    ...(typeof tool === "string" && typeof response === "string" ? { tool_response: claudeResponse(tool, input, response) } : {}),
    ...(typeof mode === "string" ? { permission_mode: claudeMode(mode) } : {}),
    hook_event_name: event,
  };
}

/** In the order of the settings; the same command once, with the longest of its time-outs. */
function matching(settings: HookSettings, event: HookEventName, subject: string, told: (command: string, message: string) => void): readonly Command[] {
  const commands = new Map<string, Command>();
  for (const entry of settings[event] ?? []) {
    const matcher = parseMatcher(entry.matcher);
    if (matcher.broken) for (const { command } of entry.hooks) told(command, BROKEN_MATCHER);
    if (!matcher.matches(subject)) continue;
    for (const hook of entry.hooks) {
      const before = commands.get(hook.command);
      commands.set(hook.command, { command: hook.command, timeoutMs: Math.min(MAX_TIMEOUT_MS, Math.max(hook.timeoutMs, before?.timeoutMs ?? 0)) });
    }
  }
  return [...commands.values()];
}

/** Aborts some time after the given signal, so that a stopped call can still be told of. */
function stopsLater(signal: AbortSignal, clock: Clock): { readonly signal: AbortSignal } & Disposable {
  const later = new AbortController();
  let timer: Disposable | undefined;
  const start = () => (timer ??= clock.schedule(AFTER_STOP_MS, () => later.abort()));
  if (signal.aborted) start();
  signal.addEventListener("abort", start, { once: true });
  return {
    signal: later.signal,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", start);
      timer?.[Symbol.dispose]();
    },
  };
}

async function folderOf(payload: Payload, home: string): Promise<string> {
  const cwd = payload["cwd"];
  if (typeof cwd !== "string") return home;
  const folder = await stat(cwd).catch(() => undefined);
  return folder?.isDirectory() === true ? cwd : home;
}

function defaultShell(): { readonly file: string; readonly args: (command: string) => readonly string[] } {
  if (process.platform === "win32") return { file: "cmd.exe", args: (command) => ["/d", "/s", "/c", command] };
  return { file: "/bin/sh", args: (command) => ["-c", command] };
}

/** The same runner with facts that every payload carries; what the caller gives wins. */
export function hooksWithFacts(hooks: HookRunner, facts: () => Payload): HookRunner {
  return { run: (event, subject, payload, signal) => hooks.run(event, subject, { ...facts(), ...payload }, signal) };
}
