// Why the loop continues, how often, and what clears the count (L7 to L9). One row a reason.
import { CONTINUE_REASONS, type ContinueReason } from "#shared/loop/reasons.ts";

/**
 * Counters that a success clears: recovery that worked may be needed again later. Gates and interventions
 * are counted over the whole turn, and raising the token limit happens once.
 */
export const CLEARED_ON_SUCCESS: ReadonlySet<ContinueReason> = new Set<ContinueReason>([
  "max_tokens_continuation",
  "reactive_compact",
  "context_overflow_retry",
  "timeout_retry",
  "empty_param_retry",
]);

export const NOTHING_USED: Readonly<Record<ContinueReason, number>> = {
  tool_use: 0,
  max_tokens_escalate: 0,
  max_tokens_continuation: 0,
  reactive_compact: 0,
  context_overflow_retry: 0,
  timeout_retry: 0,
  empty_param_retry: 0,
  stop_hook_retry: 0,
  todo_gate_retry: 0,
  unanswered_retry: 0,
  hypothesis_gate_retry: 0,
  goal_gate_retry: 0,
  loop_recovery: 0,
  goal_budget_warning: 0,
  token_budget_continuation: 0,
};

/** The reasons among `used` that a success would clear. */
export function clearable(used: Readonly<Record<ContinueReason, number>>): readonly ContinueReason[] {
  return CONTINUE_REASONS.filter((reason) => CLEARED_ON_SUCCESS.has(reason) && used[reason] > 0);
}
