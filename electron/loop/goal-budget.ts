// How much of a goal's budget is used (L12), in the unit that the person chose.
import type { Goal } from "#shared/loop/work-state.ts";
import type { LoopState } from "./contract.ts";
import { TOKENS_PER_STEP_AT_LEAST } from "./limits.ts";

/** What earlier turns used and this turn so far. A provider that reports no usage must not make a budget endless. */
export function goalUsed(goal: Goal, state: Pick<LoopState, "step" | "spentTokens">): number {
  const now = goal.budget.unit === "steps" ? state.step : Math.max(state.spentTokens, state.step * TOKENS_PER_STEP_AT_LEAST);
  return goal.used + now;
}
