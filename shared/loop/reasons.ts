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

const CLASS_OF: ReadonlyMap<string, TransitionClass> = new Map<string, TransitionClass>([
  ...REASONS.normal.map((reason) => [reason, "normal"] as const),
  ...REASONS.recovery.map((reason) => [reason, "recovery"] as const),
  ...REASONS.gate.map((reason) => [reason, "gate"] as const),
  ...REASONS.intervention.map((reason) => [reason, "intervention"] as const),
]);

export function classOf(reason: ContinueReason): TransitionClass {
  return CLASS_OF.get(reason) ?? "normal";
}
