// What stays the same over a turn: its powers, its ids, its ladder, its end. Everything that changes is in the LoopState.
import { plainText, type Maker, type Message } from "#shared/chat/blocks.ts";
import { createHistoryChecker, type HistoryChecker } from "#shared/chat/history-check.ts";
import type { ContinueReason } from "#shared/loop/reasons.ts";
import { ladderOf, type Ladder } from "#electron/ladder/rungs.ts";
import type { ModelInfo, Provider } from "#electron/providers/contract.ts";
import { continueWith, type Continuation } from "./continue-with.ts";
import type { EndGate, Intervention, LoopDeps, LoopEvent, LoopState, TurnStart } from "./contract.ts";
import { createFinaliser, type Finaliser } from "./finalise.ts";
import { createGuards } from "./guards.ts";
import { parseTokenBudget, tokenBudgetGate } from "./token-budget.ts";
import { createTurnFacts, type TurnFacts } from "./turn-facts.ts";

export type Turn = {
  readonly deps: LoopDeps;
  readonly signal: AbortSignal;
  readonly ladder: Ladder;
  readonly end: Finaliser;
  /** call ids of the whole history, so that none is used twice (A02) */
  readonly usedIds: Set<string>;
  readonly check: HistoryChecker;
  readonly interventions: readonly Intervention[];
  readonly gates: readonly EndGate[];
  readonly facts: TurnFacts;
  readonly begunAt: number;
  readonly personBefore: number;
};

export function openTurn(start: TurnStart, deps: LoopDeps): Turn {
  const facts = createTurnFacts();
  const budget = parseTokenBudget(plainText(start.prompt.blocks));
  return {
    deps,
    signal: deps.scope.signal,
    ladder: ladderOf(deps.limits.timeouts),
    end: createFinaliser({ cause: () => deps.scope.cause, facts: facts.notices }),
    usedIds: idsIn(start.history),
    check: createHistoryChecker(),
    gates: [...deps.gates, ...(budget === undefined ? [] : [tokenBudgetGate(budget)])],
    interventions: [...createGuards(facts, deps.limits.broadDetection), ...(deps.interventions ?? [])],
    facts,
    begunAt: deps.clock.monotonic(),
    personBefore: deps.personWaitMs(),
  };
}

function idsIn(history: readonly Message[]): Set<string> {
  return new Set(history.flatMap((message) => message.blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))));
}

export type Model = { readonly provider: Provider; readonly maker: Maker; readonly info: ModelInfo };

export function modelOf(state: LoopState, deps: LoopDeps): Model {
  const { provider, maker } = state.onFallback && deps.fallback !== undefined ? deps.fallback : deps;
  return { provider, maker, info: provider.describe(maker.model) };
}

/** Continues with a reason, tells it, and counts a cap that is used up (O2). */
export function* transition(state: LoopState, turn: Turn, how: Omit<Continuation, "caps">): Generator<LoopEvent, LoopState | "spent", void> {
  const { deps } = turn;
  const next = continueWith(state, { ...how, caps: deps.limits.caps });
  if (next === "spent") {
    deps.trace.emit({ name: "guard_fired", guard: "reason_cap" });
    return "spent";
  }
  deps.trace.emit({ name: "loop_transition", step: state.step, reason: how.reason });
  yield told(how.reason, state.step);
  return next;
}

function told(reason: ContinueReason, step: number): LoopEvent {
  return { type: "transition", step, reason };
}
