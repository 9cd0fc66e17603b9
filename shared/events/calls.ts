// Durable events of tool calls and permissions: intent before the side effect, result after it (S1).
import { z } from "zod";
import { CallId, QuestionId, TurnId } from "#shared/lib/ids.ts";
import { PermissionAnswer, PermissionQuestion, StepName } from "#shared/permissions/question.ts";
import { PersonAnswer, PersonQuestion } from "#shared/questions/question.ts";
import { Effect } from "#shared/tools/effect.ts";
import { FileIntent, Idempotency } from "#shared/tools/recovery.ts";
import { ToolOutcome } from "#shared/tools/outcome.ts";

const v = z.literal(1);

/** The call passed every gate and is about to run. */
export const CallStarted = z.object({
  v,
  type: z.literal("call_started"),
  turn: TurnId,
  call: CallId,
  tool: z.string(),
  input: z.unknown(),
  effects: z.array(Effect),
  readOnly: z.boolean(),
  idempotency: Idempotency.optional(),
  /** version of the tool's input form (T1) */
  schema: z.number().int().optional(),
});
/** What a started call is about to write, told before the first byte: after a crash the file's own hash says whether it was done (S2, T13). */
export const CallIntended = z.object({ v, type: z.literal("call_intended"), turn: TurnId, call: CallId, files: z.array(FileIntent) });
export const CallSettled = z.object({ v, type: z.literal("call_settled"), turn: TurnId, call: CallId, tool: z.string(), outcome: ToolOutcome });
export const PermissionAsked = z.object({ v, type: z.literal("permission_asked"), turn: TurnId, question: PermissionQuestion });
export const PermissionAnswered = z.object({
  v,
  type: z.literal("permission_answered"),
  turn: TurnId,
  question: QuestionId,
  call: CallId,
  /** `cancelled`: the turn ended before anybody answered */
  answer: z.union([PermissionAnswer, z.object({ behavior: z.literal("cancelled") })]),
});
/** The agent asks the person something that is no permission (T16). */
export const PersonAsked = z.object({ v, type: z.literal("person_asked"), turn: TurnId, question: PersonQuestion });
export const PersonAnswered = z.object({
  v,
  type: z.literal("person_answered"),
  turn: TurnId,
  question: QuestionId,
  call: CallId,
  /** `cancelled`: the turn ended before anybody answered */
  answer: z.union([PersonAnswer, z.object({ kind: z.literal("cancelled") })]),
});
/** The person says whether a call took effect of which a crash left nothing to tell (S2). */
export const OutcomeTold = z.object({ v, type: z.literal("outcome_told"), turn: TurnId, call: CallId, happened: z.boolean() });
/** The chain refused without asking. */
export const PermissionRefused = z.object({
  v,
  type: z.literal("permission_refused"),
  turn: TurnId,
  call: CallId,
  tool: z.string(),
  by: StepName,
  because: z.string(),
});
