// Every number of the loop, once, with its unit. Time-outs are settings (L19); these are not.
import type { ContinueReason } from "#shared/loop/reasons.ts";

/** How often each reason may be used before the loop lets go. */
export const DEFAULT_CAPS: Readonly<Record<ContinueReason, number>> = {
  tool_use: Number.POSITIVE_INFINITY,
  max_tokens_escalate: 1,
  max_tokens_continuation: 5,
  reactive_compact: 1,
  context_overflow_retry: 1,
  timeout_retry: 10,
  empty_param_retry: 3,
  stop_hook_retry: 3,
  todo_gate_retry: 3,
  unanswered_retry: 2,
  hypothesis_gate_retry: 2,
  goal_gate_retry: Number.POSITIVE_INFINITY,
  loop_recovery: 2,
  goal_budget_warning: 1,
  token_budget_continuation: 2,
};

/** Retries of one provider call, whatever the fault (L20). */
export const RETRIES_PER_CALL = 12;
/** Retries after a reply that ended properly but without a stop reason: a server that always does that is not cured by more. */
export const RETRIES_OF_UNMARKED_END = 2;
/** Failed attempts in a row after which the fallback model takes over. */
export const FAILURES_BEFORE_FALLBACK = 3;
/** With an open session breaker a step gets this many retries. */
export const RETRIES_WITH_OPEN_BREAKER = 1;
/** Turns in a row whose recovery failed, until the session breaker opens (L8). */
export const BREAKER_FAILURES = 3;
/** Share of the back-off that jitter may add. */
export const JITTER_SHARE = 0.25;
/** A retry is begun only if this much of the step's time would be left for it. */
export const MIN_USEFUL_ATTEMPT_MS = 1_000;

/** Answers in a row that may end in the middle of a call (A05). */
export const CUT_CALL_ANSWERS = 3;
/** A continuation below this many characters counts as next to nothing. */
export const SMALL_CONTINUATION_CHARS = 400;
export const SMALL_CONTINUATIONS = 2;

/** Text of a reply whose usage says "no output" and that is longer is a monologue, not an answer (L14). */
export const MONOLOGUE_CHARS = 10_000;

/** Guards (L16). */
export const SAME_READ_TIMES = 3;
export const SAME_SCALAR_TIMES = 5;
export const SAME_SHAPE_TIMES = 7;
export const SAME_SHAPE_WINDOW = 10;
export const HOPELESS_TELL_TIMES = 3;
export const HOPELESS_ASK_TIMES = 5;

/** `+500k` in a prompt (L15). */
export const TOKEN_BUDGET_MIN = 10_000;
export const TOKEN_BUDGET_MAX = 20_000_000;
/** Below this share of the budget the model is asked whether there is more to do. */
export const TOKEN_BUDGET_SHARE = 0.9;
/** Share of a goal's budget at which the model is told (L12). */
export const GOAL_WARNING_SHARE = 0.8;
export const SPEND_WARNING_SHARE = 0.8;

/** Silence after which the person sees what is waited for, and after which "try again now" is offered (L19). */
export const WAITING_SHOWN_AFTER_MS = 10_000;
export const RETRY_OFFERED_AFTER_MS = 60_000;

/** A request always asks for room for so many tokens of reply, and leaves a margin for the estimate of its own size. */
export const MIN_OUTPUT_TOKENS = 1_024;
export const OUTPUT_MARGIN_TOKENS = 512;

/** A server that reports having read less than this share of a prompt of at least that size has cut it (A20). */
export const PROMPT_CUT_SHARE = 0.5;
export const PROMPT_CUT_MIN_TOKENS = 6_000;

/** What a step counts at least against a budget in tokens. */
export const TOKENS_PER_STEP_AT_LEAST = 500;
/** The hypothesis gate holds once, and once more while a hypothesis is open (L8). */
export const HYPOTHESIS_HOLDS_WITHOUT_OPEN = 1;

/** Evidence against a hypothesis (L13): share of its terms that one passage must hold, and how many at least. */
export const EVIDENCE_SHARE = 0.6;
export const EVIDENCE_TERMS = 3;
