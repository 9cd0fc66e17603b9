// What is measured (O1, O2). Labels are closed sets; values are measured, never settings; nothing leaves the machine by itself.
import { z } from "zod";
import { CONTINUE_REASONS } from "#shared/loop/reasons.ts";
import { AbortBy, TurnEndWhy } from "#shared/loop/turn-end.ts";
import { StepName } from "#shared/permissions/question.ts";
import { FailureKind } from "#shared/tools/failure.ts";

const ms = z.number().nonnegative();
export const GuardName = z.enum([
  "same_read_same_output",
  "identical_scalar",
  "cannot_succeed",
  "same_shape",
  "compaction_breaker",
  "session_breaker",
  "unanswered_gate",
  "stop_hook_gate",
  "todo_gate",
  "hypothesis_gate",
  "goal_gate",
  "refusal_breaker",
  "reason_cap",
  "spend_limit",
  "step_limit",
  "token_budget",
  "goal_budget",
  "hypothesis_evidence",
]);
export type GuardName = z.infer<typeof GuardName>;
export const RungName = z.enum(["headers", "no_bytes", "no_content", "no_progress", "watcher", "attempt", "step"]);
export type RungName = z.infer<typeof RungName>;

/** Why a request came to nothing: the kinds of the providers, and what the loop itself ends. */
export const RequestFailure = z.enum([
  "auth",
  "forbidden",
  "model_not_found",
  "not_found",
  "too_large",
  "quota",
  "rate_limit",
  "overloaded",
  "network",
  "timeout",
  "bad_request",
  "context_window",
  "server",
  "protocol",
  "aborted",
  "retry_now",
]);
export type RequestFailure = z.infer<typeof RequestFailure>;

export const TraceEvent = z.discriminatedUnion("name", [
  z.object({ name: z.literal("first_content"), step: z.number(), attempt: z.number(), ms }),
  z.object({ name: z.literal("loop_transition"), step: z.number(), reason: z.enum(CONTINUE_REASONS) }),
  z.object({
    name: z.literal("turn_complete"),
    why: TurnEndWhy,
    abortedBy: AbortBy.optional(),
    ms,
    steps: z.number(),
    requests: z.number(),
    waitedForPerson: z.boolean(),
  }),
  z.object({ name: z.literal("watchdog_fired"), rung: RungName, limitMs: ms, waitedMs: ms }),
  z.object({ name: z.literal("request_done"), step: z.number(), attempt: z.number(), ok: z.boolean(), failure: RequestFailure.optional(), ms }),
  /** a request beside the steps of the loop */
  z.object({ name: z.literal("side_request"), what: z.enum(["summary"]), ok: z.boolean(), ms }),
  z.object({ name: z.literal("call_dispatched"), tool: z.string() }),
  z.object({ name: z.literal("call_done"), tool: z.string(), ok: z.boolean(), failure: FailureKind.optional(), ms }),
  z.object({ name: z.literal("batch"), width: z.number() }),
  z.object({ name: z.literal("permission"), verdict: z.enum(["allow", "ask", "deny"]), by: StepName }),
  z.object({ name: z.literal("guard_fired"), guard: GuardName }),
  z.object({ name: z.literal("result_cut"), tool: z.string() }),
  z.object({ name: z.literal("sibling_cancelled") }),
  z.object({ name: z.literal("cache_break"), why: z.enum(["compaction", "tools_loaded", "mode_changed", "model_changed"]) }),
]);
export type TraceEvent = z.infer<typeof TraceEvent>;
