// Chain, person and memory of one session, joined for one turn (P2, P5, P6).
import { join } from "node:path";
import { QuestionId } from "#shared/lib/ids.ts";
import { type Authorise, createAuthorise } from "#electron/permissions/authorise.ts";
import { createPermissionBroker, type SessionBroker } from "#electron/permissions/broker.ts";
import { createPermissionEngine } from "#electron/permissions/chain.ts";
import type { ActiveRules } from "#electron/permissions/contract.ts";
import type { Refusals } from "#electron/permissions/refusals.ts";
import type { SessionRules } from "#electron/permissions/remember.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { Engine } from "./engine.ts";
import { heedOthers } from "./other-sessions.ts";
import { planFileOf } from "./person-powers.ts";

export type SessionPermissions = {
  readonly rules: SessionRules;
  /** what the folder itself wants refused or asked about */
  readonly folderRules: Pick<ActiveRules, "ask" | "deny">;
  readonly refusals: Refusals;
  /** files of which was asked because another conversation changed them, with the call that asked */
  readonly askedOfOthers: Map<string, string>;
  readonly resultsDir: string;
};
export type TurnPermissions = { readonly authorise: Authorise; readonly broker: SessionBroker };

export function turnPermissions(engine: Engine, own: SessionPermissions, env: TurnEnv, checkpointTaken: (call: string) => boolean): TurnPermissions {
  const { facts } = engine;
  const headless = facts.face.kind === "headless";
  const plain = createPermissionEngine({
    rules: () => activeRules(engine, own),
    disabledTools: () => engine.settings().disabledTools,
    planFile: () => planFileOf(env),
    home: facts.home,
    dataDir: facts.dataDir,
    ownPaths: [join(facts.home, ".cairn")],
    ownResultsDir: own.resultsDir,
    headless,
    platform: facts.platform,
  });
  const chain = headless ? plain : heedOthers(plain, { engine, env, asked: own.askedOfOthers });
  const broker = createPermissionBroker({
    ask: (question, signal) => env.ask(question, signal),
    recheck: (query) => chain.decide({ ...query, mode: env.view().mode }),
    remember: own.rules.remember,
    notRemembered: (rule, error) => facts.report(`the rule ${rule} could not be saved: ${String(error)}`),
    personWait: env.waits,
    newQuestionId: () => QuestionId.parse(engine.newId()),
    checkpointTaken,
    platform: facts.platform,
  });
  const following = env.onModeChanged(() => void broker.recheckPending());
  env.scope.add(() => following[Symbol.dispose]());
  const rules = engine.onRulesChanged(() => void broker.recheckPending());
  env.scope.add(() => rules[Symbol.dispose]());
  const authorise = createAuthorise({
    engine: chain,
    broker,
    refusals: own.refusals,
    headless,
    stopTurn: () => env.scope.abort({ by: "person" }),
    rulesUsed: own.rules.used,
    breakerFired: () => engine.trace.emit({ name: "guard_fired", guard: "refusal_breaker" }),
  });
  const traced: Authorise = async (query, signal) => {
    const said = await authorise(query, signal);
    if (said.behavior !== "aborted")
      engine.trace.emit({
        name: "permission",
        verdict: said.behavior === "allow" ? (said.waited ? "ask" : "allow") : said.byPerson ? "ask" : "deny",
        by: said.by,
      });
    return said;
  };
  return { authorise: traced, broker };
}

function activeRules(engine: Engine, { rules: own, folderRules: folder }: SessionPermissions): ActiveRules {
  const { rules } = engine.settings();
  const run = engine.facts.face.kind === "headless" ? engine.facts.face.run : undefined;
  return {
    allow: [...rules.allow, ...own.allow(), ...(run?.allow ?? [])],
    ask: [...rules.ask, ...folder.ask],
    deny: [...rules.deny, ...folder.deny, ...(run?.deny ?? [])],
  };
}
