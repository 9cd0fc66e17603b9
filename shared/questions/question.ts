// What the agent asks the person (T16, U5): a choice between alternatives, or whether a plan may be carried out.
// A permission is another matter (`shared/permissions`): nothing risky waits behind these.
import { z } from "zod";
import { CallId, QuestionId } from "#shared/lib/ids.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import type { PermissionQuestion } from "#shared/permissions/question.ts";

export const MAX_ITEMS = 4;
export const MIN_CHOICES = 2;
export const MAX_CHOICES = 4;
/** characters of what a person writes beside an answer */
export const MAX_WORDS_CHARS = 4_000;

export const AskedChoice = z.object({ label: z.string(), description: z.string() });
export type AskedChoice = z.infer<typeof AskedChoice>;
export const AskedItem = z.object({ header: z.string(), question: z.string(), choices: z.array(AskedChoice), multiSelect: z.boolean() });
export type AskedItem = z.infer<typeof AskedItem>;

const base = { id: QuestionId, call: CallId, tool: z.string() };
export const PersonQuestion = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("choices"), ...base, items: z.array(AskedItem).min(1).max(MAX_ITEMS) }),
  /** `plan`: Markdown of the model */
  z.object({ kind: z.literal("plan"), ...base, plan: z.string() }),
]);
export type PersonQuestion = z.infer<typeof PersonQuestion>;

/** How to go on after a plan: being asked, or with edits allowed. */
export const ModeAfterPlan = PermissionMode.extract(["default", "acceptEdits"]);
export type ModeAfterPlan = z.infer<typeof ModeAfterPlan>;

const words = z.string().max(MAX_WORDS_CHARS).optional();
/** `picked`: labels of choices; `words`: the person's own, instead of a choice or beside it. */
export const ItemAnswer = z.object({ picked: z.array(z.string()).max(MAX_CHOICES), words });
export type ItemAnswer = z.infer<typeof ItemAnswer>;
export const PersonAnswer = z.discriminatedUnion("kind", [
  /** one for each item, in their order */
  z.object({ kind: z.literal("answers"), answers: z.array(ItemAnswer).min(1).max(MAX_ITEMS) }),
  z.object({ kind: z.literal("declined") }),
  /** `words`: what should be different from the plan */
  z.object({ kind: z.literal("approved"), mode: ModeAfterPlan, words }),
  z.object({ kind: z.literal("rejected"), words }),
]);
export type PersonAnswer = z.infer<typeof PersonAnswer>;

/** Everything that waits for the person, in one queue (U5). */
export type OpenQuestion = PermissionQuestion | PersonQuestion;

export function isPermission(question: OpenQuestion): question is PermissionQuestion {
  return !("kind" in question);
}

/** Whether the answer is one to this question: of its kind, whole, and only with choices that were offered. */
export function fitsQuestion(question: PersonQuestion, answer: PersonAnswer): boolean {
  if (question.kind === "plan") return answer.kind === "approved" || answer.kind === "rejected";
  if (answer.kind !== "answers") return answer.kind === "declined";
  return answer.answers.length === question.items.length && question.items.every((item, k) => fitsItem(item, answer.answers[k]));
}

function fitsItem(item: AskedItem, answer: ItemAnswer | undefined): boolean {
  if (answer === undefined || (answer.picked.length === 0 && (answer.words ?? "").trim() === "")) return false;
  const offered = new Set(item.choices.map((choice) => choice.label));
  const once = new Set(answer.picked).size === answer.picked.length;
  return once && (item.multiSelect || answer.picked.length <= 1) && answer.picked.every((label) => offered.has(label));
}
