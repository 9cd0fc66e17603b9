// Chain, refusal count and person in one place, the only one that every refusal passes (P6).
import type { StepName } from "#shared/permissions/question.ts";
import type { PermissionBroker, PermissionEngine, PermissionQuery, Verdict } from "./contract.ts";
import { REFUSALS_BEFORE_ASKING, type Refusals, shouldAskAgain } from "./refusals.ts";

export type Authorisation =
  /** `waited`: a person was asked, so the world may have changed since the checkpoint (T3) */
  | { readonly behavior: "allow"; readonly waited: boolean; readonly by: StepName }
  | { readonly behavior: "deny"; readonly by: StepName; readonly because: string; readonly byPerson: boolean; readonly why: string | undefined }
  | { readonly behavior: "aborted" };

export type AuthoriseDeps = {
  readonly engine: PermissionEngine;
  readonly broker: PermissionBroker;
  readonly refusals: Refusals;
  readonly headless: boolean;
  /** the person answered "stop" */
  stopTurn(): void;
  /** one tool was refused so often for one reason that the person is asked, or the model is told to go another way (P6, O2) */
  breakerFired?(): void;
  /** rules that allowed a call, for "last used" */
  rulesUsed?(rules: readonly string[]): void;
};

export type Authorise = (query: PermissionQuery, signal: AbortSignal) => Promise<Authorisation>;

/** Never asks without need and never allows on a failure: a broker that breaks refuses. */
export function createAuthorise(deps: AuthoriseDeps): Authorise {
  return async (query, signal) => {
    const said = await deps.engine.decide(query);
    if (said.behavior === "allow") {
      if (said.rules !== undefined) deps.rulesUsed?.(said.rules);
      return { behavior: "allow", waited: false, by: said.by };
    }
    const before = deps.refusals.count(query.tool.name, said);
    if (said.behavior === "deny" && (deps.headless || !shouldAskAgain(before))) return refuse(deps, query, said, before);
    return askPerson(deps, { query, said, before }, signal);
  };
}

function refuse(deps: AuthoriseDeps, query: PermissionQuery, said: Verdict, before: number): Authorisation {
  deps.refusals.refused(query.tool.name, said);
  if (before + 1 === REFUSALS_BEFORE_ASKING) deps.breakerFired?.();
  const often = before + 1 >= REFUSALS_BEFORE_ASKING ? ` (refused ${before + 1} times: trying again will not help, go another way or say what is needed)` : "";
  return { behavior: "deny", by: said.by, because: `${sayWhy(said)}${often}`, byPerson: false, why: undefined };
}

type Asked = { readonly query: PermissionQuery; readonly said: Verdict; readonly before: number };

async function askPerson(deps: AuthoriseDeps, { query, said, before }: Asked, signal: AbortSignal): Promise<Authorisation> {
  const shown = before >= REFUSALS_BEFORE_ASKING ? before : 0;
  const question: Verdict = said.behavior === "deny" ? { ...said, behavior: "ask", personOnly: true } : said;
  if (said.behavior === "deny") deps.breakerFired?.();
  const answer = await deps.broker.ask(query, question, shown, signal);
  if (answer === undefined) return { behavior: "aborted" };
  if (answer.behavior === "allow") {
    deps.refusals.allowed(query.tool.name, said);
    return { behavior: "allow", waited: true, by: said.by };
  }
  deps.refusals.refused(query.tool.name, said);
  if (answer.stopTurn === true) deps.stopTurn();
  return { behavior: "deny", by: said.by, because: sayWhy(said), byPerson: true, why: answer.why };
}

/** Reason and what it is about, in one English line for model, log and question. */
export function sayWhy(said: Verdict): string {
  return said.about === undefined ? said.reason : `${said.reason}: ${said.about}`;
}
