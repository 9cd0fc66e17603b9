// Everything the loop says to the person, as keys of the catalogue `notices.*`: what happened and what to do (L10, decision M).
import type { Notice, NoticeAction, TurnEndWhy } from "#shared/loop/turn-end.ts";
import type { ProviderFailure, ProviderFailureKind } from "#electron/providers/contract.ts";
import type { EndCore } from "./contract.ts";

/** Every key; a test compares them with the catalogues. */
export const NOTICE_KEYS = [
  // ends
  "stopped",
  "internal_error",
  "refused",
  "empty_reply",
  "cut_reply",
  "output_limit",
  "no_call_came",
  "unknown_stop",
  "context_full",
  "context_full_plain",
  "step_limit",
  "spend_limit_turn",
  "spend_limit_session",
  "spend_limit_day",
  "spend_limit_turn_tokens",
  "spend_limit_session_tokens",
  "spend_limit_day_tokens",
  "brake",
  "hook_stopped",
  "denied",
  "empty_arguments",
  "call_cut_again",
  "no_answer_time",
  "cannot_fit_retries",
  "wait_too_long",
  "recovery_paused",
  "failed_auth",
  "failed_forbidden",
  "failed_model_not_found",
  "failed_not_found",
  "failed_too_large",
  "failed_quota",
  "failed_rate_limit",
  "failed_overloaded",
  "failed_network",
  "failed_timeout",
  "failed_bad_request",
  "failed_server",
  "failed_protocol",
  // what gates leave open
  "let_go_stop_hook",
  "let_go_stop_trying",
  "let_go_todo",
  "let_go_hypotheses",
  "let_go_goal_steps",
  "let_go_goal_tokens",
  "let_go_gate",
  // warnings on the way
  "stop_mismatch",
  "fallback_used",
  "hook_message",
  "hook_problem",
  "hook_refused_message",
  "secret_masked",
  "compaction_failed",
  "compaction_off",
  "spend_warning_turn",
  "spend_warning_session",
  "spend_warning_day",
  "spend_warning_turn_tokens",
  "spend_warning_session_tokens",
  "spend_warning_day_tokens",
  "spend_price_unknown",
  "prompt_cut_by_server",
  "sent_without_part",
  "call_as_text",
  "many_steps",
  "ladder_order",
  "goal_without_text",
  "goal_budget_unread",
  "goal_budget_out_of_range",
  // questions
  "ask_hopeless_call",
  "ask_spend_limit",
  "ask_spend_limit_tokens",
  // facts about the turn
  "fact_touched_tests",
  "fact_fewer_assertions",
  "fact_skips_added",
  "fact_fewer_tests",
  // what others say with the same catalogue
  "interrupted",
  "forked",
  "log_damaged",
  "no_checkpoint",
  "checkpoint_reverted",
  "checkpoint_finished",
  "checkpoint_stuck",
  "checkpoint_store_isolated",
  "checkpoint_damaged",
  "checkpoint_points_lost",
  "checkpoint_nested",
  "checkpoint_remote",
  "settings_damaged",
  "settings_unreadable",
  "settings_value_ignored",
  "interrupted_unknown",
  "approvals_damaged",
  "approvals_unreadable",
  "approvals_entry_ignored",
  "rule_not_a_rule",
  "rule_too_wide",
  "folder_rules_unreadable",
  "more_problems",
] as const;
export type NoticeKey = (typeof NOTICE_KEYS)[number];

export function notice(key: NoticeKey, params?: Readonly<Record<string, string | number>>): Notice {
  return params === undefined ? { key: `notices.${key}` } : { key: `notices.${key}`, params: { ...params } };
}

export function endWith(why: TurnEndWhy, key: NoticeKey, action: NoticeAction, params?: Readonly<Record<string, string | number>>): EndCore {
  return { why, notice: notice(key, params), action };
}

const FAILURES: Readonly<Record<Exclude<ProviderFailureKind, "aborted" | "context_window">, readonly [NoticeKey, NoticeAction]>> = {
  auth: ["failed_auth", "open_settings"],
  forbidden: ["failed_forbidden", "open_settings"],
  model_not_found: ["failed_model_not_found", "switch_model"],
  not_found: ["failed_not_found", "open_settings"],
  too_large: ["failed_too_large", "new_session"],
  quota: ["failed_quota", "switch_model"],
  rate_limit: ["failed_rate_limit", "retry"],
  overloaded: ["failed_overloaded", "retry"],
  network: ["failed_network", "retry"],
  timeout: ["failed_timeout", "retry"],
  bad_request: ["failed_bad_request", "switch_model"],
  server: ["failed_server", "retry"],
  protocol: ["failed_protocol", "open_settings"],
};

/** The end for a request that failed for good, with the provider's own words as detail. */
export function failedEnd(failure: ProviderFailure, requests: number): EndCore {
  const detail = failure.message === "" ? {} : { detail: failure.message };
  if (failure.kind === "context_window") return { ...endWith("failed", "context_full_plain", "new_session"), ...detail };
  if (failure.kind === "aborted") return { ...endWith("failed", "failed_network", "retry", { tries: requests }), ...detail };
  const [key, action] = FAILURES[failure.kind];
  const status = failure.status === undefined ? {} : { status: failure.status };
  return { ...endWith("failed", key, action, { tries: requests, ...status }), ...detail };
}
