// Live events: news of the running turn that is shown and forgotten; the durable event that follows replaces it.
import { z } from "zod";
import { CallId, ReplyId, TurnId } from "#shared/lib/ids.ts";
import { ToolProgress } from "#shared/tools/outcome.ts";

export const LiveEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step_started"), turn: TurnId, step: z.number(), reply: ReplyId }),
  z.object({ type: z.literal("text_delta"), reply: ReplyId, text: z.string() }),
  z.object({ type: z.literal("thinking_delta"), reply: ReplyId, text: z.string() }),
  z.object({ type: z.literal("tool_input_delta"), reply: ReplyId, index: z.number(), name: z.string(), chars: z.number() }),
  /** a call is known and moves through the pipeline; the durable events say when it started and ended */
  z.object({
    type: z.literal("call_state"),
    call: CallId,
    tool: z.string(),
    state: z.enum(["queued", "checking", "waiting_for_person", "running"]),
    input: z.unknown(),
  }),
  z.object({ type: z.literal("call_progress"), call: CallId, progress: ToolProgress }),
  /** nothing was heard for a while (L19): what is waited for and since when (ms) */
  z.object({
    type: z.literal("waiting"),
    turn: TurnId,
    what: z.enum(["headers", "bytes", "content", "compaction"]),
    forMs: z.number(),
    canRetryNow: z.boolean(),
  }),
  /** a request failed and is tried again (L20) */
  z.object({
    type: z.literal("retrying"),
    turn: TurnId,
    attempt: z.number(),
    of: z.number(),
    inMs: z.number(),
    why: z.string(),
    status: z.number().optional(),
    /** the failure in one line, without secrets */
    detail: z.string().optional(),
  }),
  /** shown text is withdrawn before anything new is shown (L22) */
  z.object({ type: z.literal("tombstone"), turn: TurnId, reply: ReplyId }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
