// Durable events of tool calls and permissions: intent before the side effect, result after it (S1).
import { z } from "zod";
import { CallId, QuestionId, TurnId } from "#shared/lib/ids.ts";
import { PermissionAnswer, PermissionQuestion, StepName } from "#shared/permissions/question.ts";
import { PersonAnswer, PersonQuestion } from "#shared/questions/question.ts";
import { Effect } from "#shared/tools/effect.ts";
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
  /** hashes the touched files must have for the call to be the same call again (S2) */
  expected: z.record(z.string(), z.string()).optional(),
});
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
