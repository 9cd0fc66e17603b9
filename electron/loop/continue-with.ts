// The only constructor of a state that continues (L7 to L9): it sets the transition, counts the reason, and says when the cap is used up,
// so that no caller can continue without a way to let go.
import type { ContinueReason } from "#shared/loop/reasons.ts";
import type { Growth, LoopState, OnceFlag } from "./contract.ts";
import { clearable } from "./transitions.ts";

export type Continuation = {
  readonly reason: ContinueReason;
  readonly caps: Readonly<Record<ContinueReason, number>>;
  readonly patch?: Growth;
  readonly once?: OnceFlag;
};

/** 'spent': the reason's cap is used up, or its one-shot flag is set already. */
export function continueWith(state: LoopState, { reason, caps, patch, once }: Continuation): LoopState | "spent" {
  if (state.used[reason] >= caps[reason]) return "spent";
  if (once !== undefined && state.once.has(once)) return "spent";
  return {
    ...state,
    ...patch,
    transition: reason,
    used: { ...state.used, [reason]: state.used[reason] + 1 },
    once: once === undefined ? state.once : new Set([...state.once, once]),
  };
}

/** A good reply came: recovery worked. Called in one place; gates, interventions and one-shot flags keep their counts (L9). */
export function onSuccess(state: LoopState): LoopState {
  const cleared = clearable(state.used);
  if (cleared.length === 0) return state;
  return { ...state, used: { ...state.used, ...Object.fromEntries(cleared.map((reason) => [reason, 0])) } };
}

/** Marks something that is done at most once a turn and does not continue the loop; 'spent' if it was done. */
export function onceOnly(state: LoopState, flag: OnceFlag): LoopState | "spent" {
  return state.once.has(flag) ? "spent" : { ...state, once: new Set([...state.once, flag]) };
}
