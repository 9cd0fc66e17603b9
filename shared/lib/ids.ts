// Branded identifiers. `X.parse(text)` is the only way to make one, so a turn id cannot be passed as a call id.
import { z } from "zod";

const text = z.string().min(1).max(200);

/** Also the name of the session's folder, so nothing that could lead out of it. */
export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/)
  .brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;
export const TurnId = text.brand<"TurnId">();
export type TurnId = z.infer<typeof TurnId>;
export const CallId = text.brand<"CallId">();
export type CallId = z.infer<typeof CallId>;
export const ReplyId = text.brand<"ReplyId">();
export type ReplyId = z.infer<typeof ReplyId>;
export const EntryId = text.brand<"EntryId">();
export type EntryId = z.infer<typeof EntryId>;
export const CheckpointId = text.brand<"CheckpointId">();
export type CheckpointId = z.infer<typeof CheckpointId>;
export const PlanId = text.brand<"PlanId">();
export type PlanId = z.infer<typeof PlanId>;
export const QuestionId = text.brand<"QuestionId">();
export type QuestionId = z.infer<typeof QuestionId>;
/** Position of an event in its session's log: 1, 2, 3 … without gaps. */
export const Seq = z.number().int().nonnegative().brand<"Seq">();
export type Seq = z.infer<typeof Seq>;
