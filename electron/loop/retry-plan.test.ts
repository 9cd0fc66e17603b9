import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Timeouts } from "#shared/settings/settings.ts";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { DEFAULT_CAPS, RETRIES_PER_CALL } from "./limits.ts";
import { delayMs, planRetry, type Break, type Plan, type PlanInput } from "./retry-plan.ts";

const timeouts = Timeouts.parse({});
const S = 1_000;
const fault = (change: Partial<ProviderFailure> = {}): Break => ({
  kind: "fault",
  failure: { kind: "overloaded", retryable: true, status: 529, message: "Overloaded", ...change },
});
const input = (change: Partial<PlanInput> = {}): PlanInput => ({
  broken: fault(),
  tries: { total: 1, sinceSwitch: 1, unmarked: 0 },
  requests: 1,
  backoffMs: 0,
  timeouts,
  headless: false,
  elapsedMs: 0,
  fallbackLeft: false,
  breakerOpen: false,
  random: 0,
  ...change,
});
const short = (plan: Plan) =>
  plan.kind === "retry" ? `retry in ${plan.inMs / S}` : plan.kind === "give_up" ? `${plan.end.why} ${plan.end.notice?.key}` : plan.kind;
const tries = (total: number, unmarked = 0) => ({ total, sinceSwitch: total, unmarked });

const rows: readonly (readonly [string, Partial<PlanInput>, string])[] = [
  ["first retry", {}, "retry in 5"],
  ["doubles", { tries: tries(4) }, "retry in 40"],
  ["never over the longest", { tries: tries(9) }, "retry in 120"],
  ["the last retry", { tries: tries(12) }, "retry in 120"],
  ["one more is too many", { tries: tries(13) }, "failed notices.failed_overloaded"],
  ["retry-after is kept to the letter", { broken: fault({ retryAfterMs: 3 * S }) }, "retry in 3"],
  ["retry-after up to five minutes", { broken: fault({ retryAfterMs: 300 * S }) }, "retry in 300"],
  ["an absurd retry-after is told", { broken: fault({ retryAfterMs: 301 * S }) }, "failed notices.wait_too_long"],
  ...[400, 401, 403, 404, 413].map(
    (status) =>
      [
        `${status} is not retried, even if the adapter thinks it may`,
        { broken: fault({ kind: "bad_request", status }) },
        "failed notices.failed_bad_request",
      ] as const,
  ),
  ["not retryable", { broken: fault({ kind: "auth", retryable: false, status: 401 }) }, "failed notices.failed_auth"],
  ["the person wants it now", { broken: { kind: "timeout", failure: { kind: "timeout", retryable: true, message: "" }, now: true } }, "retry in 0"],
  ["cut for good", { broken: { kind: "cut", failure: { kind: "network", retryable: true, message: "" } }, tries: tries(13) }, "cut notices.cut_reply"],
  ["empty for good", { broken: { kind: "empty", failure: { kind: "network", retryable: true, message: "" } }, tries: tries(13) }, "empty notices.empty_reply"],
  [
    "silent for good",
    { broken: { kind: "timeout", failure: { kind: "timeout", retryable: true, message: "" } }, tries: tries(13) },
    "failed notices.no_answer_time",
  ],
  [
    "the step's own rung ends it",
    { broken: { kind: "timeout", failure: { kind: "timeout", retryable: true, code: "step", message: "" } } },
    "failed notices.no_answer_time",
  ],
  [
    "a server that never marks its end",
    { broken: { kind: "cut", failure: { kind: "protocol", retryable: true, message: "" }, unmarkedEnd: true }, tries: tries(3, 3) },
    "cut notices.cut_reply",
  ],
  ["headless: back-off in all is capped", { headless: true, backoffMs: 75 * S, tries: tries(5) }, "failed notices.failed_overloaded"],
  ["in the window it is not", { backoffMs: 900 * S, tries: tries(5) }, "retry in 80"],
  ["no time left in the step", { elapsedMs: 5_396 * S }, "failed notices.cannot_fit_retries"],
  ["an open breaker allows one", { breakerOpen: true, tries: tries(2) }, "failed notices.failed_overloaded"],
  ["fallback after three failures", { fallbackLeft: true, tries: tries(3) }, "fallback"],
  ["not before", { fallbackLeft: true, tries: tries(2) }, "retry in 10"],
  ["fallback at once when waiting is absurd", { fallbackLeft: true, broken: fault({ kind: "rate_limit", retryAfterMs: 3_600 * S }) }, "fallback"],
  [
    "fallback at once for a model that is not there",
    { fallbackLeft: true, broken: fault({ kind: "model_not_found", retryable: false, status: 404 }) },
    "fallback",
  ],
  ["no fallback for a wrong key", { fallbackLeft: true, broken: fault({ kind: "auth", retryable: false, status: 401 }) }, "failed notices.failed_auth"],
];

describe("planRetry (L20)", () => {
  it.each(rows)("%s", (_name, change, plan) => {
    expect(short(planRetry(input(change)))).toBe(plan);
  });

  it("jitter never leaves the bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, random) => {
        const ms = delayMs({ broken: fault(), tries: tries(n), timeouts, random });
        expect(ms).toBeGreaterThanOrEqual(timeouts.backoffFirst);
        expect(ms).toBeLessThanOrEqual(timeouts.backoffMax);
      }),
    );
  });

  // Each fault takes its attempt the longest time its rung allows; then the path is walked as the loop walks it.
  it.each([
    ["refused at once", 0, "fault", RETRIES_PER_CALL],
    ["no headers", timeouts.headers, "timeout", DEFAULT_CAPS.timeout_retry],
    ["no bytes", timeouts.noBytes, "timeout", DEFAULT_CAPS.timeout_retry],
    ["no content", timeouts.noContent, "timeout", DEFAULT_CAPS.timeout_retry],
    ["no progress", timeouts.noProgress, "timeout", DEFAULT_CAPS.timeout_retry],
    ["busy for ever", timeouts.attempt, "timeout", DEFAULT_CAPS.timeout_retry],
  ] as const)("the longest path of '%s' stays within the step's rung", (_name, attemptMs, kind, cap) => {
    let elapsedMs = 0;
    let retries = 0;
    for (;;) {
      elapsedMs += attemptMs;
      const broken: Break = { kind, failure: { kind: "timeout", retryable: true, message: "" } };
      const plan = planRetry(input({ broken, tries: tries(retries + 1), elapsedMs, random: 1 }));
      if (plan.kind !== "retry" || retries >= cap) break;
      expect(elapsedMs + plan.inMs).toBeLessThan(timeouts.step);
      elapsedMs += plan.inMs;
      retries += 1;
    }
    // A retry that is begun may be ended by the step's own rung, never go beyond it by more than that attempt.
    expect(elapsedMs).toBeLessThanOrEqual(timeouts.step + attemptMs);
    expect(retries).toBeGreaterThanOrEqual(attemptMs >= timeouts.attempt ? 3 : attemptMs >= timeouts.noContent ? 7 : cap);
  });
});
