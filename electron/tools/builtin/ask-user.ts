// The ask_user tool (T16, T20): a choice that only the person can make. The wait is theirs, not the agent's (L21).
import { z } from "zod";
import type { CallId } from "#shared/lib/ids.ts";
import { type AskedItem, MAX_CHOICES, MAX_ITEMS, MIN_CHOICES, type PersonAnswer } from "#shared/questions/question.ts";
import type { Tool, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { toolError } from "./answers.ts";
import { ASKS_PERSON } from "./declared.ts";
import { answersText, ASK_STOPPED_TEXT, ASK_USER_TEXT, DECLINED_TEXT, NOBODY_TEXT } from "./person-tools.text.ts";

const MAX_HEADER_CHARS = 40;
const MAX_QUESTION_CHARS = 1_000;
const MAX_LABEL_CHARS = 120;
const MAX_DESCRIPTION_CHARS = 600;
const words = (most: number) => z.string().trim().min(1).max(most);
const Option = z.strictObject({ label: words(MAX_LABEL_CHARS).describe("1 to 5 words"), description: z.string().trim().max(MAX_DESCRIPTION_CHARS).optional() });
const Question = z
  .strictObject({
    question: words(MAX_QUESTION_CHARS),
    header: words(MAX_HEADER_CHARS).describe("what it is about, 1 or 2 words"),
    options: z.array(Option).min(MIN_CHOICES).max(MAX_CHOICES),
    multiSelect: z.boolean().optional(),
  })
  .superRefine(({ options }, cx) => {
    const labels = options.map((option) => option.label);
    if (new Set(labels).size < labels.length)
      cx.addIssue({ code: "custom", path: ["options"], message: "expected labels that differ; the answer names the choice by its label" });
  });
const Input = z.strictObject({ questions: z.array(Question).min(1).max(MAX_ITEMS) });

/** Who can be asked; `undefined` of `ask`: the signal aborted first. */
export type Askable =
  | { readonly kind: "person"; ask(items: readonly AskedItem[], call: CallId, signal: AbortSignal): Promise<PersonAnswer | undefined> }
  | { readonly kind: "headless" | "subagent" };

export function createAskUserTool(deps: { readonly askable: Askable }): Tool {
  return defineTool({
    name: "ask_user",
    aliases: ["askuserquestion", "ask_user_question", "ask_followup_question"],
    schemaVersion: 1,
    input: Input,
    text: ASK_USER_TEXT,
    ...ASKS_PERSON,
    // What only reads goes on meanwhile, and several questions queue for the person.
    isConcurrencySafe: () => true,
    async call(input, cx): Promise<ToolReturn> {
      const { askable } = deps;
      if (askable.kind !== "person") return toolError(NOBODY_TEXT[askable.kind]);
      const items = input.questions.map(itemOf);
      const answer = await askable.ask(items, cx.call, cx.scope.signal);
      return answer === undefined ? { ok: false, failure: { kind: "aborted", retryable: true, message: ASK_STOPPED_TEXT } } : answered(items, answer);
    },
  });
}

function itemOf({ header, question, options, multiSelect }: z.infer<typeof Question>): AskedItem {
  const choices = options.map(({ label, description }) => ({ label, description: description ?? "" }));
  return { header, question, choices, multiSelect: multiSelect ?? false };
}

function answered(items: readonly AskedItem[], answer: PersonAnswer): ToolReturn {
  const answers = answer.kind === "answers" ? answer.answers : [];
  const declined = answer.kind !== "answers";
  const told = items.map(({ header, question }, k) => {
    const { picked = [], words: own = "" } = answers[k] ?? {};
    return { header, question, picked: [...picked], ...(own === "" ? {} : { words: own }) };
  });
  const text = declined ? DECLINED_TEXT : answersText(items, answers);
  return { ok: true, forModel: [{ type: "text", text }], view: { kind: "answers", items: told, declined } };
}
