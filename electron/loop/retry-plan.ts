// Whether a failed attempt is tried again, when, and with which model (L20). Pure.
import type { Timeouts } from "#shared/settings/settings.ts";
import type { ProviderFailure, ProviderFailureKind } from "#electron/providers/contract.ts";
import type { EndCore } from "./contract.ts";
import {
  FAILURES_BEFORE_FALLBACK,
  JITTER_SHARE,
  MIN_USEFUL_ATTEMPT_MS,
  RETRIES_OF_UNMARKED_END,
  RETRIES_PER_CALL,
  RETRIES_WITH_OPEN_BREAKER,
} from "./limits.ts";
import { endWith, failedEnd } from "./notices.ts";

/**
 * How an attempt broke. `fault`: refused, unreachable or an error before any content; `timeout`: a rung fired or the person wanted a
 * new attempt; `cut`: content came and the stream broke; `empty`: it ended with nothing in it.
 */
export type Break = {
  readonly kind: "fault" | "timeout" | "cut" | "empty";
  readonly failure: ProviderFailure;
  readonly unmarkedEnd?: boolean;
  readonly now?: boolean;
  /** words for the person had come */
  readonly hadText?: boolean;
};

/** Failed attempts of this step: in all, since the model was switched, and ends without a mark. */
export type Tries = { readonly total: number; readonly sinceSwitch: number; readonly unmarked: number };
export const NO_TRIES: Tries = { total: 0, sinceSwitch: 0, unmarked: 0 };

export type Plan = { readonly kind: "retry"; readonly inMs: number } | { readonly kind: "fallback" } | { readonly kind: "give_up"; readonly end: EndCore };

export type PlanInput = {
  readonly broken: Break;
  /** this break included */
  readonly tries: Tries;
  readonly requests: number;
  readonly backoffMs: number;
  readonly timeouts: Timeouts;
  readonly headless: boolean;
  /** agent time that the step has taken so far, ms */
  readonly elapsedMs: number;
  readonly fallbackLeft: boolean;
  readonly breakerOpen: boolean;
  /** 0 to 1 */
  readonly random: number;
};

const NEVER_AGAIN: ReadonlySet<number> = new Set([400, 401, 403, 404, 413]);
/** Faults that another model may not have. A wrong key or a request that nobody takes is told instead. */
const OTHER_MODEL_MAY_HELP: ReadonlySet<ProviderFailureKind> = new Set<ProviderFailureKind>([
  "overloaded",
  "server",
  "network",
  "timeout",
  "rate_limit",
  "quota",
  "model_not_found",
  "protocol",
]);

export function isRetryable(failure: ProviderFailure): boolean {
  if (failure.learned === true) return true;
  return failure.retryable && !(failure.status !== undefined && NEVER_AGAIN.has(failure.status));
}

export function planRetry(input: PlanInput): Plan {
  const { broken, tries, fallbackLeft } = input;
  const plan = planWithoutFallback(input);
  const down = tries.sinceSwitch >= FAILURES_BEFORE_FALLBACK;
  const help = fallbackLeft && OTHER_MODEL_MAY_HELP.has(broken.failure.kind) && broken.failure.code !== "step";
  return help && (plan.kind === "give_up" || (down && broken.now !== true)) ? { kind: "fallback" } : plan;
}

function planWithoutFallback(input: PlanInput): Plan {
  const { broken, tries, timeouts, requests } = input;
  const { failure } = broken;
  const spent: Plan = { kind: "give_up", end: exhausted(broken, requests) };
  if (!isRetryable(failure) || failure.code === "step") return spent;
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > timeouts.retryAfterMax) {
    const minutes = Math.ceil(failure.retryAfterMs / 60_000);
    return { kind: "give_up", end: { ...failedEnd(failure, requests), ...endWith("failed", "wait_too_long", "retry", { minutes }) } };
  }
  const allowed = input.breakerOpen ? RETRIES_WITH_OPEN_BREAKER : RETRIES_PER_CALL;
  if (tries.total > allowed || tries.unmarked > RETRIES_OF_UNMARKED_END) return spent;
  const inMs = delayMs(input);
  if (input.headless && input.backoffMs + inMs > timeouts.headlessBackoffTotal) return spent;
  if (input.elapsedMs + inMs + MIN_USEFUL_ATTEMPT_MS > timeouts.step) {
    return { kind: "give_up", end: { ...endWith("failed", "cannot_fit_retries", "retry", { tries: requests }), detail: failure.message } };
  }
  return { kind: "retry", inMs };
}

/** Nothing to wait for when the person or a lesson wants the next try, what the server asked for, else doubling from the first to the longest, with jitter that never leaves these bounds. */
export function delayMs({ broken, tries, timeouts, random }: Pick<PlanInput, "broken" | "tries" | "timeouts" | "random">): number {
  if (broken.now === true || broken.failure.learned === true) return 0;
  if (broken.failure.retryAfterMs !== undefined) return broken.failure.retryAfterMs;
  const doubled = timeouts.backoffFirst * 2 ** (tries.sinceSwitch - 1);
  return Math.min(timeouts.backoffMax, Math.round(doubled * (1 + JITTER_SHARE * random)));
}

/** The end when nothing is left to try. A silence in the middle of a text leaves a cut reply, whatever ended it. */
export function exhausted(broken: Break, tries: number): EndCore {
  const { failure } = broken;
  if (broken.kind === "fault") return failedEnd(failure, tries);
  const detail = { detail: failure.message };
  if (broken.kind === "cut" || broken.hadText === true) return { ...endWith("cut", "cut_reply", "retry", { tries }), ...detail };
  if (broken.kind === "empty") return { ...endWith("empty", "empty_reply", "retry", { tries }), ...detail };
  return { ...endWith("failed", "no_answer_time", "retry", { tries, rung: failure.code ?? "timeout" }), ...detail };
}
