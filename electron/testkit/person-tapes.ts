// Golden tapes of the tools that need the person (T16, P2): the real tools over a person who answers as the tape says.
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { PersonAnswer } from "#shared/questions/question.ts";
import { modeNotesOf } from "#electron/context/mode-notes.ts";
import type { Planner } from "#electron/context/turn-notes.text.ts";
import { type Askable, createAskUserTool } from "#electron/tools/builtin/ask-user.ts";
import { createPlanExitTool, type PlanDeps } from "#electron/tools/builtin/plan-exit.ts";
import { callPart, calls, says } from "#electron/testkit/server/script.ts";
import type { TapeOptions } from "./event-recorder.ts";

const QUESTIONS = {
  questions: [
    { question: "Which database?", header: "Database", options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }] },
    { question: "Which tests?", header: "Tests", multiSelect: true, options: [{ label: "Unit" }, { label: "Window" }] },
  ],
};
const PLAN = "# Plan\n\n1. Read the dates as plain days.\n2. Run the tests.";

const askTape = (askable: Askable): TapeOptions => ({
  script: [{ parts: [callPart("ask_user", QUESTIONS), callPart("read", { file_path: "a" })] }, says("Then I know.")],
  more: [createAskUserTool({ askable })],
});
const answering = (answer: PersonAnswer): TapeOptions => askTape({ kind: "person", ask: async () => answer });

/** Waits for ever; only a stop ends it. */
const silent = (_asked: unknown, _call: unknown, signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
const stopped = (options: TapeOptions): TapeOptions => ({
  ...options,
  onEvent: (event, { clock, scope }) => {
    if (event.type === "reply") clock.schedule(200, () => scope.abort({ by: "person" }));
  },
});

type Planned = { readonly begins?: PermissionMode; readonly answer?: PersonAnswer | "silent" | "nobody"; readonly plan?: string | undefined };

/** What a person says to a plan, with the mode and the notes about it as the session keeps them. */
function planTape({ begins = "plan", answer = "silent", plan = PLAN }: Planned): TapeOptions {
  let [mode, saved]: [PermissionMode, string | undefined] = [begins, undefined];
  const ask = answer === "silent" || answer === "nobody" ? silent : async () => answer;
  const deps: PlanDeps = {
    mode: () => mode,
    file: () => "/data/plan.md",
    read: async () => saved,
    save: async (text) => void (saved = text),
    ...(answer === "nobody" ? {} : { person: { ask, setMode: async (next: PermissionMode) => void (mode = next) } }),
  };
  const planner: Planner = { kind: answer === "nobody" ? "headless" : "person", planFile: "/data/plan.md" };
  return {
    script: [calls("plan_exit", plan === undefined ? {} : { plan }), says("Understood.")],
    more: [createPlanExitTool(deps)],
    deps: () => ({ stepNotes: (history) => modeNotesOf(history, mode, planner) }),
  };
}

export const PERSON_TAPES: Readonly<Record<string, () => TapeOptions>> = {
  "ask_user-answered": () => answering({ kind: "answers", answers: [{ picked: ["SQLite"] }, { picked: ["Unit"], words: "and by hand" }] }),
  "ask_user-own-words": () =>
    answering({
      kind: "answers",
      answers: [{ picked: [], words: "a plain file" }, { picked: ["Unit", "Window"] }],
    }),
  "ask_user-declined": () => answering({ kind: "declined" }),
  "ask_user-headless": () => askTape({ kind: "headless" }),
  "ask_user-stopped": () => stopped(askTape({ kind: "person", ask: silent })),
  "plan_exit-approved": () => planTape({ answer: { kind: "approved", mode: "default" } }),
  "plan_exit-approved-with-changes": () => planTape({ answer: { kind: "approved", mode: "acceptEdits", words: "leave the calendar alone" } }),
  "plan_exit-rejected": () => planTape({ answer: { kind: "rejected", words: "that rewrites too much" } }),
  "plan_exit-rejected-without-words": () => planTape({ answer: { kind: "rejected" } }),
  "plan_exit-headless": () => planTape({ answer: "nobody" }),
  "plan_exit-no-plan-mode": () => planTape({ begins: "default" }),
  "plan_exit-stopped": () => stopped(planTape({})),
  "plan-mode-begins-in-the-turn": () => {
    let steps = 0;
    return {
      script: [calls("read", { file_path: "a" }), calls("read", { file_path: "b" }), calls("read", { file_path: "c" }), says("A plan it is.")],
      deps: () => ({
        stepNotes: (history) => modeNotesOf(history, (steps += 1) === 2 || steps === 3 ? "plan" : "default", { kind: "person", planFile: "/data/plan.md" }),
      }),
    };
  },
};
