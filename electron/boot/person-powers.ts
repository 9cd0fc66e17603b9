// What the tools that need the person may do: ask, and change the mode as the person says (T16, P2). Every wait is counted (L21).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { QuestionId } from "#shared/lib/ids.ts";
import type { PersonAnswer, PersonQuestion } from "#shared/questions/question.ts";
import { replaceAtomically } from "#electron/lib/atomic-file.ts";
import { errorCode } from "#electron/lib/real-path.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { Askable } from "#electron/tools/builtin/ask-user.ts";
import type { PlanDeps } from "#electron/tools/builtin/plan-exit.ts";
import type { Engine } from "./engine.ts";

/** The session's plan: beside its log, so that nothing is left in the person's folder. */
export function planFileOf(env: TurnEnv): string {
  return join(env.folder, "plan.md");
}

/** `env`: of the turn that runs when a call asks. */
export function askableOf(engine: Engine, env: () => TurnEnv): Askable {
  if (engine.facts.face.kind === "headless") return { kind: "headless" };
  const id = () => QuestionId.parse(engine.newId());
  return { kind: "person", ask: (items, call, signal) => counted(env(), { kind: "choices", id: id(), call, tool: "ask_user", items: [...items] }, signal) };
}

export function planPowers(engine: Engine, env: () => TurnEnv): PlanDeps {
  const id = () => QuestionId.parse(engine.newId());
  const person: NonNullable<PlanDeps["person"]> = {
    ask: (plan, call, signal) => counted(env(), { kind: "plan", id: id(), call, tool: "plan_exit", plan }, signal),
    setMode: (mode) => env().setMode(mode),
  };
  return {
    mode: () => env().view().mode,
    file: () => planFileOf(env()),
    read: () => readPlan(planFileOf(env())),
    save: async (plan) => void (await replaceAtomically({ file: planFileOf(env()), bytes: Buffer.from(plan), replaced: undefined })),
    ...(engine.facts.face.kind === "headless" ? {} : { person }),
  };
}

async function counted(env: TurnEnv, question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer | undefined> {
  using _wait = env.waits.open();
  return await env.askPerson(question, signal);
}

function readPlan(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => (errorCode(error) === "ENOENT" ? undefined : Promise.reject(error)));
}
