// People's hooks of one session (H1): which session and folder they are about, what they tell the person, and the moments that are
// told and not asked about.
import { join } from "node:path";
import type { PermissionQuestion } from "#shared/permissions/question.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { ProjectTrust, HookOutcome, HookRunner } from "#electron/hooks/contract.ts";
import { claudeName } from "#electron/hooks/claude-names.ts";
import { type ClosableHookRunner, createHookRunner, hooksWithFacts } from "#electron/hooks/create-hook-runner.ts";
import { createProjectTrust } from "#electron/hooks/project-trust.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import { logPath } from "#electron/sessions/open-session.ts";
import { HookEventName, type HookSettings, type Settings } from "#shared/settings/settings.ts";
import type { ServiceFacts } from "./contract.ts";
import type { Engine } from "./engine.ts";
import type { Shells } from "./shells.ts";

/** ms that all SessionEnd hooks of a session get together: closing the app never hangs on them. */
const SESSION_END_MS = 3_000;

type HookParts = { readonly clock: Clock; readonly shells: Shells; settings(): Settings };

export function openHooks(facts: ServiceFacts, { clock, shells, settings }: HookParts): { readonly hooks: ClosableHookRunner; readonly trust: ProjectTrust } {
  const trustForThisRun = facts.face.kind === "headless" && facts.face.run.trustProjectHooks;
  const trust = createProjectTrust({ file: join(facts.dataDir, "trusted-hooks.json"), clock, trustForThisRun });
  const hooks = createHookRunner({
    settings: async (folder) => together(settings().hooks, folder === undefined ? {} : await trust.allowed(folder)),
    processes: shells.processes,
    table: shells.table,
    clock,
    environment: shells.environment,
    home: facts.home,
    onProblem: (problem) => facts.report(`hook ${problem.command} (${problem.event}): ${problem.message}`),
  });
  return { hooks, trust };
}

/** The person's own come first: a project's cannot speak before they did. */
function together(own: HookSettings, project: HookSettings): HookSettings {
  const merged: HookSettings = {};
  for (const event of HookEventName.options) {
    const entries = [...(own[event] ?? []), ...(project[event] ?? [])];
    if (entries.length > 0) merged[event] = entries;
  }
  return merged;
}

type SessionPlace = { readonly folder: string; view(): SessionView };

/** What hooks tell the person goes to the session's log, the same words once a turn; the rest is for who asked. */
export function hooksFor(engine: Engine, env: TurnEnv): HookRunner {
  const inner = hooksWithFacts(engine.hooks, () => factsOf(env));
  const said = new Set<string>();
  return {
    async run(event, subject, payload, signal) {
      const outcomes = (await inner.run(event, subject, payload, signal)).map((outcome) => withoutKeys(outcome, engine.redactor.redact));
      for (const outcome of outcomes) await tell(env, outcome, said);
      return outcomes.filter((outcome) => outcome.kind !== "message" && outcome.kind !== "problem");
    },
  };
}

/** What a hook says goes to the log, the person and the model; what it made of an input or output is for the call alone. */
function withoutKeys(outcome: HookOutcome, redact: (text: string) => string): HookOutcome {
  if ("reason" in outcome) return { ...outcome, reason: redact(outcome.reason) };
  if ("text" in outcome) return { ...outcome, text: redact(outcome.text) };
  return outcome.kind === "problem" ? { ...outcome, command: redact(outcome.command), message: redact(outcome.message) } : outcome;
}

function factsOf({ folder, view }: SessionPlace): Readonly<Record<string, unknown>> {
  const { session, cwd, mode } = view();
  return { session_id: session, cwd, transcript_path: logPath(folder), permission_mode: mode };
}

async function tell(env: TurnEnv, outcome: HookOutcome, said: Set<string>): Promise<void> {
  if (outcome.kind !== "message" && outcome.kind !== "problem") return;
  const words = outcome.kind === "message" ? outcome.text : `${outcome.command}\n${outcome.message}`;
  if (said.has(words)) return;
  said.add(words);
  const notice =
    outcome.kind === "message"
      ? { key: "notices.hook_message", params: { text: outcome.text } }
      : { key: "notices.hook_problem", params: { command: outcome.command, text: outcome.message } };
  await env.append([{ v: 1, type: "warning_raised", turn: env.turn, notice }]).catch(() => {});
}

/** The same turn, whose questions are also told to hooks. Nobody waits for them. */
export function withNotifications(env: TurnEnv, hooks: HookRunner): TurnEnv {
  return {
    ...env,
    ask(question, signal) {
      notify(hooks, { type: "permission_prompt", title: "Permission needed", message: permissionMessage(question) }, env.scope.signal);
      return env.ask(question, signal);
    },
    askPerson(question, signal) {
      const message = question.kind === "plan" ? "Cairn asks whether its plan is good" : "Cairn has a question for you";
      notify(hooks, { type: "elicitation_dialog", title: "Question", message }, env.scope.signal);
      return env.askPerson(question, signal);
    },
  };
}

function permissionMessage({ tool, detail }: PermissionQuestion): string {
  return detail.kind === "notice" ? "Cairn asks how to go on" : `Cairn needs your permission to use ${claudeName(tool)}`;
}

export function notify(hooks: HookRunner, note: { readonly type: string; readonly title: string; readonly message: string }, signal: AbortSignal): void {
  const { type, title, message } = note;
  void hooks.run("Notification", type, { message, title, notification_type: type }, signal);
}

/** Told once for each session whose start hooks heard of. Never rejects, never takes longer than its limit. */
export async function tellSessionEnd(engine: Pick<Engine, "hooks" | "clock" | "begun">, place: SessionPlace, reason: SessionEndReason): Promise<void> {
  if (!engine.begun.delete(place.view().session)) return;
  const limit = new AbortController();
  using _timer = engine.clock.schedule(SESSION_END_MS, () => limit.abort());
  await engine.hooks.run("SessionEnd", reason, { ...factsOf(place), reason }, limit.signal);
}

/** `clear`: the person removed the session; `prompt_input_exit`: the app is closed; `other`: a headless run is over. */
export type SessionEndReason = "clear" | "prompt_input_exit" | "other";
