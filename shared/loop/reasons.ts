// Why the loop continued, in four classes (L7). One list; everything else derives from it.

export const REASONS = {
  normal: ["tool_use"],
  recovery: ["max_tokens_escalate", "max_tokens_continuation", "reactive_compact", "context_overflow_retry", "timeout_retry", "empty_param_retry"],
  gate: ["stop_hook_retry", "todo_gate_retry", "unanswered_retry", "hypothesis_gate_retry", "goal_gate_retry"],
  intervention: ["loop_recovery", "goal_budget_warning", "token_budget_continuation"],
} as const;

export type TransitionClass = keyof typeof REASONS;
export type ContinueReason = (typeof REASONS)[TransitionClass][number];

export const CONTINUE_REASONS: readonly ContinueReason[] = [...REASONS.normal, ...REASONS.recovery, ...REASONS.gate, ...REASONS.intervention];
