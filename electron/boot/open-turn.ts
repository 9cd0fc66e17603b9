// One session's parts, made when its first turn opens, and the loop of each turn joined to them.
import type { Maker } from "#shared/chat/blocks.ts";
import { type Usage, windowTokens } from "#shared/chat/usage.ts";
import { CallId, EntryId, ReplyId, type SessionId } from "#shared/lib/ids.ts";
import type { TurnEnd, TurnEndWhy } from "#shared/loop/turn-end.ts";
import type { SessionView } from "#shared/session/view.ts";
import { ProviderId } from "#shared/settings/settings.ts";
import type { ContextPipeline } from "#electron/context/contract.ts";
import { modeNotesOf } from "#electron/context/mode-notes.ts";
import type { LoopDeps, TurnStart } from "#electron/loop/contract.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import { createEndGates } from "#electron/loop/gates.ts";
import { createInterventions } from "#electron/loop/interventions.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import { runTurn } from "#electron/loop/run-turn.ts";
import { createSessionBreaker } from "#electron/loop/session-breaker.ts";
import { type FolderRules, readFolderRules } from "#electron/permissions/folder-rules.ts";
import { createRefusals, type Refusals } from "#electron/permissions/refusals.ts";
import type { Provider } from "#electron/providers/contract.ts";
import { createTurnScheduler } from "#electron/scheduler/turn-scheduler.ts";
import type { OpenTurn, TurnEnv } from "#electron/sessions/contract.ts";
import type { ToolRegistry } from "#electron/tools/contract.ts";
import { createRegistry } from "#electron/tools/registry.ts";
import { spentBefore } from "./cost.ts";
import type { Engine } from "./engine.ts";
import { createOthersTokens, type OthersTokens } from "./others-tokens.ts";
import { askPerson } from "./ask-person.ts";
import { askableOf, planFileOf, planPowers } from "./person-powers.ts";
import { heedCompaction } from "./compaction-hooks.ts";
import { heedPromptHooks, heedSteering, type SessionBeginning } from "./prompt-hooks.ts";
import { sessionContext } from "./session-context.ts";
import { hooksFor, notify, withNotifications } from "./session-hooks.ts";
import { openSessionKeep, type SessionKeep, sessionTools, type WorkPowers } from "./session-tools.ts";
import { spendMeter } from "./spend.ts";
import { createSubagents, type ParentTurn } from "./subagents.ts";
import { createTurnGoal } from "./turn-goal.ts";
import type { SessionPermissions } from "./turn-permissions.ts";
import { withTestFacts } from "./turn-test-facts.ts";
import { endedNote } from "./shell-news.text.ts";
import { intend, turnPipeline } from "./turn-pipeline.ts";

/** What lives as long as the session: it is asked again in every turn. */
type SessionParts = {
  readonly keep: SessionKeep;
  readonly registry: ToolRegistry;
  readonly context: ContextPipeline;
  readonly refusals: Refusals;
  readonly askedOfOthers: Map<string, string>;
  readonly breaker: ReturnType<typeof createSessionBreaker>;
  /** what was said already about the folder's own rules */
  readonly toldOfRules: Set<string>;
  /** the turn that runs now */
  readonly now: { env: TurnEnv; hooks: HookRunner; provider: Provider; parent: ParentTurn | undefined };
};

export function createOpenTurn(engine: Engine, id: SessionId, folder: string): OpenTurn {
  let opened: Promise<SessionParts> | undefined;
  const open: OpenTurn = async (plainEnv) => {
    const hooks = hooksFor(engine, plainEnv);
    const env = withNotifications(plainEnv, hooks);
    const provider = await engine.provider(ProviderId.parse(env.view().maker.provider));
    opened ??= openParts(engine, folder, { env, hooks, provider, parent: undefined });
    const parts = await opened;
    parts.now.env = env;
    parts.now.hooks = hooks;
    parts.now.provider = provider;
    const others = createOthersTokens();
    const goal = createTurnGoal(env, others.total);
    const deps = await loopDeps({ engine, session: id, parts, goalLetGo: goal.letGo, others });
    return async function* (start) {
      const begun = engine.clock.monotonic();
      const heeded = await heedPromptHooks(hooks, start, beginning(engine, env, start), env.scope.signal);
      if (heeded.kind === "stop") {
        measureEndBeforeLoop(engine, heeded.end.why, begun);
        return heeded.end;
      }
      yield* heeded.notes;
      const end = yield* goal.run(heeded.start, (from) => runTurn(from, deps));
      await parts.keep.readState.flush();
      if (needsPerson(engine, env, end)) notify(hooks, { type: "idle_prompt", title: "Cairn", message: "Cairn is waiting for your input" }, env.scope.signal);
      return await withTestFacts(end, env, engine);
    };
  };
  return async (env) => {
    const begun = engine.clock.monotonic();
    try {
      return await open(env);
    } catch (error) {
      measureEndBeforeLoop(engine, "failed", begun);
      throw error;
    }
  };
}

/** A turn that never reached the loop is a turn all the same (L24, O1). `begun`: of the engine's clock, ms. */
function measureEndBeforeLoop({ trace, clock }: Pick<Engine, "trace" | "clock">, why: TurnEndWhy, begun: number): void {
  trace.emit({ name: "turn_complete", why, ms: Math.max(0, clock.monotonic() - begun), steps: 0, requests: 0, waitedForPerson: false });
}

/** Hooks are told once in each run that a session began, or was taken up again. */
function beginning(engine: Engine, env: TurnEnv, start: TurnStart): SessionBeginning | undefined {
  if (engine.begun.has(env.session)) return undefined;
  engine.begun.add(env.session);
  return { source: start.history.length === 0 ? "startup" : "resume", model: env.view().maker.model };
}

/** What the person queued meanwhile goes on by itself, and who pressed Stop is there. */
function needsPerson(engine: Engine, env: TurnEnv, end: TurnEnd): boolean {
  return engine.facts.face.kind === "window" && end.why !== "aborted" && env.view().queue.length === 0;
}

async function openParts(engine: Engine, folder: string, now: SessionParts["now"]): Promise<SessionParts> {
  const keep = await openSessionKeep(folder, engine.shells);
  const tools = sessionTools(engine, keep, { ...workOf(engine, now), task: createSubagents(engine, keep, () => parentOf(now)) });
  const registry = createRegistry(tools, { disabled: engine.settings().disabledTools });
  const view = (): SessionView => now.env.view();
  const { deny: folderDeny } = await readFolderRules(view().cwd);
  const context = heedCompaction(
    (summarise) =>
      sessionContext(engine, {
        registry,
        view,
        model: () => ({ provider: now.provider, maker: view().maker }),
        summaryUsed: (usage, by) => now.parent?.summaryUsed(usage, by),
        summarise,
        folderDeny,
        repositorySeen: (repository) => void now.env.append([{ v: 1, type: "repository_seen", repository }]),
      }),
    () => now.hooks,
    () => now.env.scope.signal,
  );
  return { keep, registry, context, refusals: createRefusals(), askedOfOthers: new Map(), breaker: createSessionBreaker(), toldOfRules: new Set(), now };
}

/** Notes about the work go to the log of whatever turn runs. */
function workOf(engine: Engine, now: SessionParts["now"]): Omit<WorkPowers, "task"> {
  const env = () => now.env;
  return {
    askable: askableOf(engine, env),
    plan: planPowers(engine, env),
    intend: (call, files) => intend(now.env, call, files),
    onTodos: (items) => now.env.append([{ v: 1, type: "todos_changed", items: [...items] }]),
    hypotheses: () => now.env.view().hypotheses,
    onHypotheses: (items) => now.env.append([{ v: 1, type: "hypotheses_changed", items: [...items] }]),
    goal: { goal: () => now.env.view().goal, onGoal: (goal) => now.env.append([{ v: 1, type: "goal_changed", goal }]) },
  };
}

function parentOf({ parent }: SessionParts["now"]): ParentTurn {
  if (parent === undefined) throw new Error("no turn runs that a sub-agent could work for");
  return parent;
}

type LoopParts = {
  readonly engine: Engine;
  readonly session: SessionId;
  readonly parts: SessionParts;
  readonly others: OthersTokens;
  goalLetGo(): void;
};

async function loopDeps({ engine, session, parts, goalLetGo, others }: LoopParts): Promise<LoopDeps> {
  const { keep, registry } = parts;
  const { env, provider, hooks } = parts.now;
  const { view } = env;
  const place = { cwd: view().cwd, home: engine.facts.home };
  const headless = engine.facts.face.kind === "headless" ? engine.facts.face.run : undefined;
  let hookStop: string | undefined;
  let warmed: NodeJS.Immediate | undefined;
  const pipelineParts = {
    place,
    artefacts: keep.artefacts,
    permissions: await permissionsFor(engine, session, parts),
    hooks,
    hookStop: (reason: string) => {
      hookStop ??= reason;
    },
  };
  const pipeline = turnPipeline(engine, env, { ...pipelineParts, registry });
  const spend = await spendMeter(engine, { session, provider, before: spentBefore(view(), engine.settings()) });
  const summaryUsed = (usage: Usage, by: Maker): void => {
    if (windowTokens(usage) === 0) return;
    spend.add(usage, by);
    void env.append([{ v: 1, type: "usage_counted", turn: env.turn, what: "summary", by, usage }]);
  };
  const work = { todos: () => view().todos, hypotheses: () => view().hypotheses, goal: () => view().goal };
  const deps: LoopDeps = {
    session,
    turn: env.turn,
    maker: view().maker,
    provider,
    fallback: await fallbackOf(engine, env),
    prepare: pipeline.prepare,
    openScheduler(scope) {
      // The first request is about to leave: nobody waits for us now.
      warmed ??= setImmediate(() => void engine.shells.warm(place.cwd));
      return createTurnScheduler({ scope, run: pipeline.runCall, contextFor: pipeline.contextFor, trace: engine.trace });
    },
    context: parts.context,
    gates: createEndGates({ ...work, goalLetGo, hooks, stopEvent: "Stop", caps: DEFAULT_CAPS }),
    interventions: createInterventions(work),
    limits: limitsOf(engine),
    clock: engine.clock,
    scope: env.scope,
    trace: engine.trace,
    takeSteering: () => heedSteering(hooks, env),
    stepNotes: stepNotesOf(engine, env),
    personWaitMs: env.waits.totalMs,
    ...newIds(engine),
    redact: engine.redactor.redact,
    blob: (ref) => keep.blobs.base64(ref),
    spend,
    takeOthersTokens: others.take,
    breaker: parts.breaker,
    onRetryNow: env.onRetryNow,
    ...(headless === undefined ? { askPerson: askPerson(engine, env) } : {}),
    hookStop: () => hookStop,
  };
  parts.now.parent = { env, loop: deps, pipeline: pipelineParts, gate: pipeline.gate, hooks, othersTokens: others.add, summaryUsed };
  return deps;
}

/** What is said before a request because something around the turn changed: the mode, a background command that ended. */
function stepNotesOf({ facts, shells }: Engine, env: TurnEnv): NonNullable<LoopDeps["stepNotes"]> {
  const kind = facts.face.kind === "headless" ? "headless" : "person";
  return (history) => [
    ...modeNotesOf(history, env.view().mode, { kind, planFile: planFileOf(env) }),
    ...(shells.started()?.background.takeEnded(env.session) ?? []).map(endedNote),
  ];
}

function limitsOf(engine: Engine): LoopDeps["limits"] {
  const { reminderAfterSteps, timeouts, broadLoopDetection: broadDetection } = engine.settings();
  const { face } = engine.facts;
  const maxSteps = face.kind === "headless" ? face.run.maxSteps : undefined;
  return { caps: DEFAULT_CAPS, maxSteps, reminderAfterSteps, timeouts, broadDetection, headless: face.kind === "headless" };
}

function newIds({ newId }: Engine): Pick<LoopDeps, "newReplyId" | "newCallId" | "newEntryId"> {
  return { newReplyId: () => ReplyId.parse(newId()), newCallId: () => CallId.parse(newId()), newEntryId: () => EntryId.parse(newId()) };
}

async function permissionsFor(engine: Engine, session: SessionId, parts: SessionParts): Promise<SessionPermissions> {
  const { env } = parts.now;
  const rules = engine.remembered.forSession(session, env.view().cwd);
  return {
    rules,
    folderRules: await folderRulesFor(env, parts),
    refusals: parts.refusals,
    askedOfOthers: parts.askedOfOthers,
    resultsDir: parts.keep.resultsDir,
  };
}

/** Read anew for each turn; what is wrong with them is told once. */
async function folderRulesFor(env: TurnEnv, parts: SessionParts): Promise<FolderRules> {
  const rules = await readFolderRules(env.view().cwd);
  const news = rules.problems.filter((notice) => !parts.toldOfRules.has(JSON.stringify(notice)));
  for (const notice of news) parts.toldOfRules.add(JSON.stringify(notice));
  if (news.length > 0) await env.append(news.map((notice) => ({ v: 1, type: "warning_raised", turn: env.turn, notice })));
  return rules;
}

async function fallbackOf(engine: Engine, env: TurnEnv): Promise<LoopDeps["fallback"]> {
  const run = engine.facts.face.kind === "headless" ? engine.facts.face.run : undefined;
  const model = run?.fallbackModel ?? engine.settings().fallbackModel;
  const { maker } = env.view();
  if (model === "" || model === maker.model) return undefined;
  return { provider: await engine.provider(ProviderId.parse(maker.provider)), maker: { provider: maker.provider, model } };
}
