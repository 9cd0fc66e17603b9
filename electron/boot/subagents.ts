// Sub-agents of one session (L23): the parent's loop, rights, folder and money over a history, notes and tools of their own.
import type { Usage } from "#shared/chat/usage.ts";
import type { Maker } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import { modeNotesOf } from "#electron/context/mode-notes.ts";
import type { LoopDeps, SpendMeter } from "#electron/loop/contract.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import { hooksWithFacts } from "#electron/hooks/create-hook-runner.ts";
import { createEndGates } from "#electron/loop/gates.ts";
import { createInterventions } from "#electron/loop/interventions.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import type { RunCall } from "#electron/pipeline/contract.ts";
import { createAdmission } from "#electron/scheduler/admission.ts";
import type { Admission } from "#electron/scheduler/contract.ts";
import { createTurnScheduler } from "#electron/scheduler/turn-scheduler.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { RunSubagent } from "#electron/subagents/contract.ts";
import { createSubagentLimit } from "#electron/subagents/limit.ts";
import { progressOf } from "#electron/subagents/progress.ts";
import { createRunSubagent, type SubagentSeat } from "#electron/subagents/run-subagent.ts";
import { createReadState } from "#electron/tools/read-state.ts";
import { createRegistry } from "#electron/tools/registry.ts";
import { heedCompaction } from "./compaction-hooks.ts";
import type { Engine } from "./engine.ts";
import { sessionContext } from "./session-context.ts";
import { type SessionKeep, sessionTools, type WorkPowers } from "./session-tools.ts";
import { type PermissionGate, intend, turnPipeline, type TurnPipelineParts } from "./turn-pipeline.ts";

/** The turn that a sub-agent works for. */
export type ParentTurn = {
  readonly env: TurnEnv;
  readonly loop: LoopDeps;
  readonly pipeline: Omit<TurnPipelineParts, "registry">;
  readonly gate: PermissionGate;
  readonly hooks: HookRunner;
  /** tells the turn what was used for it */
  othersTokens(usage: Usage): void;
  summaryUsed(usage: Usage, by: Maker): void;
};

/** `parent`: the turn that runs when a call starts. */
export function createSubagents(engine: Engine, keep: SessionKeep, parent: () => ParentTurn): RunSubagent {
  return createRunSubagent({
    limit: createSubagentLimit(() => engine.settings().maxSubagents),
    open: async (seat) => subagentLoop(engine, keep, parent(), seat),
  });
}

function subagentLoop(engine: Engine, keep: SessionKeep, parent: ParentTurn, seat: SubagentSeat): LoopDeps {
  const { loop } = parent;
  const work = ownWork(parent.env);
  const tools = sessionTools(engine, { ...keep, readState: { state: createReadState(), flush: async () => {} } }, work.powers);
  const registry = createRegistry(tools, { disabled: engine.settings().disabledTools });
  const view = (): SessionView => ({ ...parent.env.view(), todos: work.todos(), hypotheses: work.hypotheses(), goal: undefined });
  // Hooks hear that it is a sub-agent, and which: the same facts that scripts look for.
  const hooks = hooksWithFacts(parent.hooks, () => ({ agent_id: seat.call, agent_type: "task" }));
  const pipeline = turnPipeline(engine, ownEnv(parent.env, view, seat), {
    ...parent.pipeline,
    hooks,
    registry,
    gate: parent.gate,
    admission: ownAdmission(engine, parent, seat.call),
  });
  const facts = { todos: work.todos, hypotheses: work.hypotheses, goal: () => undefined };
  return {
    ...loop,
    prepare: pipeline.prepare,
    openScheduler: (scope) => createTurnScheduler({ scope, run: underOwnIds(engine, pipeline.runCall), contextFor: pipeline.contextFor, trace: engine.trace }),
    context: heedCompaction(
      (summarise) =>
        sessionContext(engine, {
          registry,
          view,
          model: () => ({ provider: loop.provider, maker: loop.maker }),
          summaryUsed: parent.summaryUsed,
          summarise,
          // The parent has looked before it started anybody.
          repositorySeen: () => {},
          folderDeny: parent.pipeline.permissions.folderRules.deny,
        }),
      () => hooks,
      () => seat.scope.signal,
    ),
    gates: createEndGates({ ...facts, goalLetGo: () => {}, hooks, stopEvent: "SubagentStop", caps: DEFAULT_CAPS }),
    interventions: createInterventions(facts),
    scope: seat.scope,
    // What the person writes meanwhile is for the parent.
    takeSteering: async () => undefined,
    stepNotes: (history) => modeNotesOf(history, view().mode, { kind: "subagent" }),
    takeOthersTokens: () => 0,
    ...(loop.spend === undefined ? {} : { spend: sharedSpend(loop.spend, parent) }),
  };
}

/** To-do list and hypotheses of its own; the goal is the person's and the parent's. It starts no sub-agents. */
function ownWork(env: TurnEnv) {
  let [todos, hypotheses]: [readonly TodoItem[], readonly Hypothesis[]] = [[], []];
  const powers: WorkPowers = {
    intend: (call, files) => intend(env, call, files),
    onTodos: async (items) => {
      todos = items;
    },
    hypotheses: () => hypotheses,
    onHypotheses: async (items) => {
      hypotheses = items;
    },
    askable: { kind: "subagent" },
    goal: undefined,
    plan: undefined,
    task: undefined,
  };
  return { powers, todos: () => todos, hypotheses: () => hypotheses };
}

/** Its calls are journalled in the parent's turn (S1); what it does live is one line on the card of its own call. */
function ownEnv(env: TurnEnv, view: () => SessionView, seat: SubagentSeat): TurnEnv {
  return {
    ...env,
    view,
    live(event) {
      const line = progressOf(event);
      if (line !== undefined) seat.note(line);
    },
  };
}

/** Models count their calls from 1 in every history; in the session's log a call of this one must not pass for one of the parent's. */
function underOwnIds(engine: Engine, run: RunCall): RunCall {
  return async (call, cx) => {
    const id = CallId.parse(engine.newId());
    return { ...(await run({ ...call, id }, { ...cx, call: id })), callId: call.id };
  };
}

/**
 * A pool of its own, and a key of its own in place of the turn's: the parent's `task` call holds both for as long as it waits,
 * so a sub-agent that needed them would wait for itself. Keys of files are shared as ever (T6).
 */
function ownAdmission(engine: Engine, { env, pipeline }: ParentTurn, call: CallId): Admission {
  const inner = createAdmission(engine.locksOf(pipeline.place.cwd), engine.settings().maxParallelCalls);
  const turnKey = `turn:${env.turn}`;
  const own = (keys: readonly string[]) => keys.map((key) => (key === turnKey ? `${turnKey}/${call}` : key));
  return { enter: (keys, signal) => inner.enter({ ...keys, shared: own(keys.shared), alone: own(keys.alone) }, signal) };
}

/** Money is counted and limited together (L11). The warning goes to the person at once: a sub-agent's own notices are not shown. */
function sharedSpend(spend: SpendMeter, { env, othersTokens }: ParentTurn): SpendMeter {
  return {
    add(usage, by) {
      spend.add(usage, by);
      othersTokens(usage);
      void env.append([{ v: 1, type: "usage_counted", turn: env.turn, what: "subagent", by, usage }]);
    },
    lift: spend.lift,
    check() {
      const said = spend.check();
      if (said.kind !== "warn") return said;
      void env.append([{ v: 1, type: "warning_raised", turn: env.turn, notice: said.notice }]);
      return { kind: "ok" };
    },
  };
}
