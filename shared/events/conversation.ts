// Durable events that make up the conversation. History is a projection of these (L2, S1).
import { z } from "zod";
import { Block, Maker, Message } from "#shared/chat/blocks.ts";
import { StopReason } from "#shared/chat/stop-reason.ts";
import { Usage } from "#shared/chat/usage.ts";
import { CallId, EntryId, ReplyId, TurnId } from "#shared/lib/ids.ts";
import { CONTINUE_REASONS } from "#shared/loop/reasons.ts";
import { Notice, TurnEnd } from "#shared/loop/turn-end.ts";

const v = z.literal(1);

export const PromptSubmitted = z.object({ v, type: z.literal("prompt_submitted"), entry: EntryId, turn: TurnId, blocks: z.array(Block) });
/** Words of the harness that the model reads as data of its next request; `source` says why they are there (C8, C10). */
export const NoteAdded = z.object({ v, type: z.literal("note_added"), entry: EntryId, turn: TurnId, step: z.number(), text: z.string(), source: z.string() });
/** A message the person sent while the turn ran, delivered at a step boundary. */
export const SteerAdded = z.object({ v, type: z.literal("steer_added"), entry: EntryId, turn: TurnId, blocks: z.array(Block) });
export const ReplyCompleted = z.object({
  v,
  type: z.literal("reply_completed"),
  entry: EntryId,
  turn: TurnId,
  step: z.number(),
  reply: ReplyId,
  by: Maker,
  blocks: z.array(Block),
  stop: StopReason,
  usage: Usage,
  /** the stream broke or was stopped; what came is kept */
  partial: z.boolean(),
});
/** What was used by a request that left no reply in this conversation: a sub-agent's (L23), a summary's, an attempt's that was dropped. */
export const UsageCounted = z.object({
  v,
  type: z.literal("usage_counted"),
  turn: TurnId,
  what: z.enum(["subagent", "summary", "dropped_attempt"]),
  by: Maker,
  usage: Usage,
});
/** All results of one reply, in call order; the contents are in the `call_settled` events. */
export const ResultsAdded = z.object({ v, type: z.literal("results_added"), entry: EntryId, turn: TurnId, step: z.number(), calls: z.array(CallId) });
/** History was replaced by a shorter one; `history` is what the model sees from here on (C4). */
export const Compacted = z.object({
  v,
  type: z.literal("compacted"),
  entry: EntryId,
  turn: TurnId,
  before: z.number(),
  after: z.number(),
  layers: z.array(z.number()),
  history: z.array(Message),
});
export const LoopTransition = z.object({ v, type: z.literal("loop_transition"), turn: TurnId, step: z.number(), reason: z.enum(CONTINUE_REASONS) });
/** Shown words were withdrawn: the attempt that made them was dropped (L22). */
export const ReplyWithdrawn = z.object({ v, type: z.literal("reply_withdrawn"), turn: TurnId, reply: ReplyId, why: z.string() });
export const WarningRaised = z.object({ v, type: z.literal("warning_raised"), turn: TurnId.optional(), notice: Notice });
export const TurnComplete = z.object({ v, type: z.literal("turn_complete"), turn: TurnId, end: TurnEnd, ms: z.number(), waitedForPerson: z.boolean() });
