// The shell tool (T15): one command in the workspace folder, in the foreground with its limits, or in the background.
import path from "node:path";
import { z } from "zod";
import { oneLine } from "#shared/lib/text.ts";
import type { ToolProgress } from "#shared/tools/outcome.ts";
import { abortCauseOf } from "#electron/lib/abort-cause.ts";
import type { ShellAnalyser, ShellJudge } from "#electron/permissions/contract.ts";
import type { BackgroundShells, ShellRun, ShellRunner } from "#electron/shells/contract.ts";
import type { Place, Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool, WHOLE_WORKSPACE_KEY } from "#electron/tools/define.ts";
import { SHELL_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { toolError } from "./answers.ts";
import { backgroundView, type ShellLimits, shellReturn } from "./bash-return.ts";
import { bashText, movedText, type ShellKind, startedText } from "./bash.text.ts";

export type ShellSettings = {
  /** when the model names no time-out */
  readonly timeoutMs: number;
  readonly silenceMs?: number;
};
export type BashDeps = {
  /** asked at the first call, so that nothing is started before */
  readonly shells: () => Promise<{ readonly runner: ShellRunner; readonly background: BackgroundShells }>;
  readonly analyser: ShellAnalyser;
  readonly judge: ShellJudge;
  readonly settings: () => ShellSettings;
  /** the session's own folder for long output; `read` may look into it */
  readonly spoolDir: string;
  readonly shellKind: ShellKind;
};

export const MAX_TIMEOUT_MS = 3_600_000;
const MAX_COMMAND_CHARS = 100_000;
const SUBJECT_CHARS = 120;
/** A background command that fails at once is told of at once. */
const EARLY_END_MS = 500;

const Input = z.strictObject({
  command: z.string().min(1).max(MAX_COMMAND_CHARS),
  description: z.string().max(300).optional().describe("What it is for, in one short sentence for the user"),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("In ms"),
  run_in_background: z.boolean().optional(),
});
type Input = z.infer<typeof Input>;

export function createBashTool(deps: BashDeps): Tool {
  const { analyser, judge, shellKind } = deps;
  return defineTool({
    name: "bash",
    aliases: ["run_shell_command", "shell", "execute_command", "run_terminal_cmd", "run_command"],
    schemaVersion: 1,
    input: Input,
    source: () => "command",
    text: bashText(shellKind),
    maxResultChars: SHELL_RESULT_CHARS,
    siblingGroup: "shell",
    analyse: (input, place) => analyser.analyse(input.command, place),
    isReadOnly: (_input, facts) => judge.readOnly(facts),
    isConcurrencySafe: (input, facts) => input.run_in_background !== true && judge.concurrencySafe(facts),
    isDestructive: (_input, facts) => judge.destructive(facts),
    effects: (_input, place, facts) => judge.effects(facts, place),
    conflictKeys: (_input, place, facts) => keysOf(judge, place, facts),
    checkPermission: (_input, _place, facts) => Promise.resolve(judge.opinion(facts)),
    permissionTarget: (input) => input.command,
    suggestRules: (_input, _place, facts) => judge.suggestRules(facts, "bash"),
    askCard: (input, place) =>
      Promise.resolve({
        verb: "run_command",
        subject: oneLine(input.command, SUBJECT_CHARS),
        ...(input.description === undefined ? {} : { reason: input.description }),
        detail: { kind: "command", command: input.command, cwd: place.cwd },
      }),
    call: (input, cx, progress) => (input.run_in_background === true ? startInBackground(deps, input, cx) : runInForeground(deps, input, cx, progress)),
  });
}

/** Files it names are locked one by one; a command whose effects are not known keeps all others out. */
function keysOf(judge: ShellJudge, place: Place, facts: unknown): readonly string[] {
  return judge.effects(facts, place).flatMap((effect) => {
    if (effect.kind === "writes" || effect.kind === "deletes") return [effect.target];
    return effect.kind === "runs" || effect.kind === "workspace_global" || effect.kind === "git_index" ? [WHOLE_WORKSPACE_KEY] : [];
  });
}

async function runInForeground(deps: BashDeps, input: Input, cx: ToolContext, progress: (p: ToolProgress) => void): Promise<ToolReturn> {
  const { runner, background } = await deps.shells();
  const { timeoutMs, silenceMs } = deps.settings();
  const limits: ShellLimits = { timeoutMs: input.timeout ?? timeoutMs, silenceMs, maxTimeoutMs: MAX_TIMEOUT_MS };
  // What goes on in the background is none of this call's news any more.
  let live = true;
  const started = await runner.start({
    command: input.command,
    cwd: cx.place.cwd,
    timeoutMs: limits.timeoutMs,
    ...(silenceMs === undefined ? {} : { silenceMs }),
    spoolFile: spoolFile(deps, cx),
    session: cx.session,
    onOutput: (text) => {
      if (live) progress({ kind: "output", text });
    },
  });
  if (started.kind === "failed") return toolError(started.message);
  const { run } = started;
  const offer = background.offer(cx.call, run);
  const ended = await untilDone(run, cx, offer.moved);
  offer[Symbol.dispose]();
  live = false;
  if (ended.kind === "done") return shellReturn(input.command, ended.result, limits);
  const text = await background.readNew(ended.shell);
  return withNote(text, movedText(ended.shell.id), input.command);
}

async function untilDone(run: ShellRun, cx: ToolContext, moved: ReturnType<BackgroundShells["offer"]>["moved"]) {
  const { signal } = cx.scope;
  const stop = () => run.stop(abortCauseOf(signal));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([run.done.then((result) => ({ kind: "done", result }) as const), moved.then((shell) => ({ kind: "moved", shell }) as const)]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function startInBackground(deps: BashDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const { background } = await deps.shells();
  const started = await background.start(cx.session, { command: input.command, cwd: cx.place.cwd, spoolFile: spoolFile(deps, cx) });
  if (started.kind === "failed") return toolError(started.message);
  const { shell } = started;
  const over = new AbortController();
  await Promise.race([shell.run.done, cx.clock.sleep(EARLY_END_MS, over.signal)]);
  over.abort();
  const { result } = shell.run;
  const text = await background.readNew(shell);
  if (result !== undefined)
    return shellReturn(input.command, { ...result, clean: text }, { ...deps.settings(), silenceMs: undefined, maxTimeoutMs: MAX_TIMEOUT_MS });
  return withNote(text, startedText(shell.id, shell.run.pid), input.command);
}

function withNote(output: string, note: string, command: string): ToolReturn {
  const text = output === "" ? `[${note}]` : `${output.replace(/\n+$/, "")}\n\n[${note}]`;
  return { ok: true, forModel: [{ type: "text", text }], view: backgroundView(command, output) };
}

function spoolFile({ spoolDir }: BashDeps, { call }: ToolContext): string {
  return path.join(spoolDir, `bash-${call.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80)}.txt`);
}
