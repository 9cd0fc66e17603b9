import { describe, expect, it } from "vitest";
import { CallId, QuestionId } from "#shared/lib/ids.ts";
import { fitsQuestion, PersonAnswer, type PersonQuestion } from "./question.ts";

const base = { id: QuestionId.parse("q"), call: CallId.parse("c"), tool: "ask_user" };
const item = (multiSelect: boolean) => ({ header: "h", question: "?", multiSelect, choices: ["A", "B", "C"].map((label) => ({ label, description: "" })) });
const choices: PersonQuestion = { ...base, kind: "choices", items: [item(false), item(true)] };
const plan: PersonQuestion = { ...base, kind: "plan", plan: "p" };
const answers = (...given: readonly { readonly picked: string[]; readonly words?: string }[]): PersonAnswer => ({ kind: "answers", answers: [...given] });

describe("what answers a question", () => {
  it.each<[string, PersonQuestion, PersonAnswer, boolean]>([
    ["a choice for each", choices, answers({ picked: ["A"] }, { picked: ["B", "C"] }), true],
    ["own words instead", choices, answers({ picked: [], words: "x" }, { picked: [], words: "y" }), true],
    ["a choice and words", choices, answers({ picked: ["A"], words: "x" }, { picked: ["A"] }), true],
    ["leaving it to the agent", choices, { kind: "declined" }, true],
    ["one answer too few", choices, answers({ picked: ["A"] }), false],
    ["one too many", choices, answers({ picked: ["A"] }, { picked: ["A"] }, { picked: ["A"] }), false],
    ["nothing said", choices, answers({ picked: [] }, { picked: ["A"] }), false],
    ["blank words", choices, answers({ picked: [], words: " \n" }, { picked: ["A"] }), false],
    ["two where one is wanted", choices, answers({ picked: ["A", "B"] }, { picked: ["A"] }), false],
    ["the same twice", choices, answers({ picked: ["A"] }, { picked: ["A", "A"] }), false],
    ["what was not offered", choices, answers({ picked: ["D"] }, { picked: ["A"] }), false],
    ["a yes to a choice", choices, { kind: "approved", mode: "default" }, false],
    ["a yes to a plan", plan, { kind: "approved", mode: "acceptEdits", words: "x" }, true],
    ["a no to a plan", plan, { kind: "rejected" }, true],
    ["choices for a plan", plan, answers({ picked: ["A"] }), false],
    ["leaving a plan", plan, { kind: "declined" }, false],
  ])("%s", (_name, question, answer, fits) => {
    expect(fitsQuestion(question, answer)).toBe(fits);
  });

  it("never leads out of plan mode into no questions at all", () => {
    expect(["bypass", "plan"].map((mode) => PersonAnswer.safeParse({ kind: "approved", mode }).success)).toEqual([false, false]);
    expect(PersonAnswer.safeParse({ kind: "rejected", words: "x".repeat(4_001) }).success).toBe(false);
  });
});
