import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { type Story, storyOf } from "#renderer/testkit/sample-sessions.ts";
import { type AskedItem, PersonAnswer } from "#shared/questions/question.ts";
import { QuestionDock } from "./question-dock.tsx";
import { GRACE_MS } from "./use-armed.ts";

const Sent = z.object({ answer: PersonAnswer });
const AFTER_GRACE_MS = GRACE_MS + 60;
const DATABASE: AskedItem = {
  header: "Database",
  question: "Which database?",
  multiSelect: false,
  choices: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "" },
  ],
};
const TESTS: AskedItem = {
  ...DATABASE,
  header: "Tests",
  question: "Which tests?",
  multiSelect: true,
  choices: ["Unit", "Window"].map((label) => ({ label, description: "" })),
};

async function setUp(ask: (story: Story) => void, language: "en" | "zh-CN" = "en") {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  const story = storyOf(log, 1_000);
  story.prompt("go");
  await renderWindow(
    <>
      <textarea data-testid="writing" />
      <QuestionDock onAnswered={() => screen.getByTestId("writing").focus()} />
    </>,
    { engine, session: log.id, language },
  );
  screen.getByTestId("writing").focus();
  ask(story);
  await settle();
  return { engine, answers: () => engine.calls.filter(({ verb }) => verb === "questions.answer").map(({ input }) => Sent.parse(input).answer) };
}
const choices = (...items: readonly AskedItem[]) => setUp((story) => story.askPerson({ kind: "choices", items }));
const plan = (text = "# Plan\n\n1. Mend it") => setUp((story) => story.askPerson({ kind: "plan", plan: text }));
const card = (id: "choices-card" | "plan-card") => screen.getByTestId(id);
const press = (element: HTMLElement, key: string, more: object = {}) => fireEvent.keyDown(element, { key, ...more });

describe("the card with the agent's own questions (U5)", () => {
  it("leaves focus and keys where one is writing, and is dead for half a second", async () => {
    const { answers } = await choices(DATABASE);
    await userEvent.type(screen.getByTestId("writing"), "1 2 {Enter}");
    expect(document.activeElement).toBe(screen.getByTestId("writing"));
    card("choices-card").focus();
    press(card("choices-card"), "1");
    press(card("choices-card"), "Enter");
    await settle();
    expect(answers()).toEqual([]);
    await settle(AFTER_GRACE_MS);
    press(card("choices-card"), "Enter");
    await settle();
    expect(answers()).toEqual([{ kind: "answers", answers: [{ picked: ["SQLite"] }] }]);
    expect(document.activeElement).toBe(screen.getByTestId("writing"));
  });

  it("is answered by keyboard alone, one question after the other", async () => {
    const { answers } = await choices(DATABASE, TESTS);
    await settle(AFTER_GRACE_MS);
    card("choices-card").focus();
    press(card("choices-card"), "Enter");
    expect(card("choices-card").textContent).toContain("Which database?");
    press(card("choices-card"), "ArrowDown");
    press(screen.getAllByTestId("choice")[0] ?? document.body, "2");
    press(screen.getAllByTestId("choice")[1] ?? document.body, "Enter");
    expect(card("choices-card").textContent).toContain("Which tests?");
    expect(document.activeElement).toBe(card("choices-card"));
    for (const key of ["1", "2", "1", "3", "9"]) press(card("choices-card"), key);
    await settle(AFTER_GRACE_MS);
    press(card("choices-card"), "Enter", { repeat: true });
    press(card("choices-card"), "Enter", { keyCode: 229, isComposing: true });
    press(card("choices-card"), "1", { ctrlKey: true });
    await settle();
    expect(answers()).toEqual([]);
    press(card("choices-card"), "Enter");
    await settle();
    expect(answers()).toEqual([{ kind: "answers", answers: [{ picked: ["Postgres"] }, { picked: ["Window"] }] }]);
  });

  it("comes back to a question that was passed over", async () => {
    const { answers } = await choices(DATABASE, TESTS);
    await userEvent.click(screen.getAllByTestId("question-step")[1] ?? document.body);
    await userEvent.click(screen.getByLabelText(/Window/));
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getByTestId("send-answer"));
    expect(card("choices-card").textContent).toContain("Which database?");
    await userEvent.click(screen.getByLabelText(/SQLite/));
    await userEvent.click(screen.getByTestId("send-answer"));
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getByTestId("send-answer"));
    await settle();
    expect(answers()).toEqual([{ kind: "answers", answers: [{ picked: ["SQLite"] }, { picked: ["Window"] }] }]);
  });

  it("takes own words instead of a choice or beside it, and a choice back", async () => {
    const { answers } = await choices(DATABASE);
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getByLabelText(/SQLite/));
    await userEvent.click(screen.getByLabelText(/SQLite/));
    expect(screen.getByTestId("send-answer").getAttribute("aria-disabled")).toBe("true");
    const own = screen.getByTestId("own-words");
    await userEvent.type(own, "12 files");
    press(own, "Enter", { keyCode: 229, isComposing: true });
    await settle();
    expect(answers()).toEqual([]);
    press(own, "Enter", { keyCode: 13 });
    await settle();
    expect(answers()).toEqual([{ kind: "answers", answers: [{ picked: [], words: "12 files" }] }]);
  });

  it("goes into the choices by arrow, out of the words by Escape, and can be left to the agent", async () => {
    const { answers } = await choices(DATABASE);
    await settle(AFTER_GRACE_MS);
    card("choices-card").focus();
    press(card("choices-card"), "ArrowDown");
    expect(document.activeElement).toBe(screen.getAllByTestId("choice")[0]);
    screen.getByTestId("own-words").focus();
    press(screen.getByTestId("own-words"), "Escape");
    expect(document.activeElement).toBe(card("choices-card"));
    await userEvent.click(screen.getByTestId("decline"));
    await settle();
    expect(answers()).toEqual([{ kind: "declined" }]);
  });

  it("shows hidden characters of the model for what they are, and answers with the label as it is", async () => {
    const label = "ls\u202e exe";
    const { answers } = await choices({ ...DATABASE, question: "W\u200bhich?", choices: [{ label, description: "a\u00adb" }, ...DATABASE.choices] });
    expect(card("choices-card").textContent).toMatch(/W\\u\{200b\}hich\?[\s\S]*ls\\u\{202e\} exe[\s\S]*a\\u\{ad\}b/);
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getAllByTestId("choice")[0] ?? document.body);
    await userEvent.click(screen.getByTestId("send-answer"));
    await settle();
    expect(answers()).toEqual([{ kind: "answers", answers: [{ picked: [label] }] }]);
  });

  it("names itself, its choices and its state to a screen reader, in both languages", async () => {
    await setUp((story) => story.askPerson({ kind: "choices", items: [DATABASE, TESTS] }), "zh-CN");
    expect(screen.getByRole("group", { name: "Which database?" })).toBe(card("choices-card"));
    expect(screen.getByRole("radiogroup", { name: "Which database?" })).toBeTruthy();
    expect(screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent)).toEqual(["SQLiteOne file1", "Postgres2"]);
    expect(screen.getByTestId("decline").textContent).toBe("由你决定");
    fireEvent.click(screen.getAllByTestId("choice")[0] ?? document.body);
    expect(screen.getAllByTestId("question-step")[0]?.textContent).toContain("已回答");
  });

  it("queues with permissions, and stays open when the answer does not arrive", async () => {
    const { engine } = await setUp((story) => {
      story.askPerson({ kind: "choices", items: [DATABASE] });
      story.ask({ verb: "run_command", subject: "ls", detail: { kind: "command", command: "ls", cwd: "/home/me/work" } });
    });
    expect(screen.getByTestId("question-queue").textContent).toBe("1 of 2");
    await userEvent.click(screen.getByTestId("question-queue"));
    expect(screen.getByTestId("permission-card")).toBeTruthy();
    await userEvent.click(screen.getByTestId("question-queue"));
    engine.fail.set("questions.answer", { kind: "unknown_question", message: "gone" });
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getByTestId("decline"));
    await settle();
    expect(card("choices-card")).toBeTruthy();
  });
});

describe("the plan card (P2, U5)", () => {
  it("shows the plan as Markdown that cannot act, nothing hidden in it", async () => {
    await plan("# Plan\n\n1. Run `npm test`\n2. <img src=x onerror=alert(1)> a\u202eb [x](javascript:alert(1))");
    const text = screen.getByTestId("plan-text");
    expect([text.querySelector("h1")?.textContent, text.querySelectorAll("li").length, text.querySelector("img, a")]).toEqual(["Plan", 2, null]);
    expect(text.textContent).toContain("a\\u{202e}b");
    expect(screen.getByRole("region", { name: "The plan" })).toBe(text);
  });

  it.each([
    ["y", { kind: "approved", mode: "default" }],
    ["e", { kind: "approved", mode: "acceptEdits" }],
    ["n", { kind: "rejected" }],
  ])("answers %s by keyboard, only when the card has the focus", async (key, answer) => {
    const { answers } = await plan();
    await settle(AFTER_GRACE_MS);
    press(screen.getByTestId("plan-reject"), key);
    press(screen.getByTestId("plan-text"), key);
    await settle();
    expect(answers()).toEqual([]);
    card("plan-card").focus();
    press(card("plan-card"), key);
    press(card("plan-card"), key);
    await settle();
    expect(answers()).toEqual([answer]);
    expect(document.activeElement).toBe(screen.getByTestId("writing"));
  });

  it.each([
    ["plan-approve", "Go ahead with this, ask before changes", { kind: "approved", mode: "default", words: "no calendar" }],
    ["plan-approve-edits", "Go ahead with this, edit freely", { kind: "approved", mode: "acceptEdits", words: "no calendar" }],
    ["plan-reject", "No, keep planning with this", { kind: "rejected", words: "no calendar" }],
  ])("takes words along with %s, and says so on the button", async (button, label, answer) => {
    const { answers } = await plan();
    await settle(AFTER_GRACE_MS);
    card("plan-card").focus();
    press(card("plan-card"), "w");
    expect(document.activeElement).toBe(screen.getByTestId("plan-words"));
    await userEvent.type(screen.getByTestId("plan-words"), " no calendar {Enter}");
    await settle();
    expect(answers()).toEqual([]);
    expect(screen.getByTestId(button).textContent).toBe(label);
    await userEvent.click(screen.getByTestId(button));
    await settle();
    expect(answers()).toEqual([answer]);
  });

  it("approves nothing in its first moment", async () => {
    const { answers } = await plan();
    fireEvent.click(screen.getByTestId("plan-approve"));
    await settle();
    expect([answers(), screen.getByTestId("plan-approve").getAttribute("aria-disabled")]).toEqual([[], "true"]);
  });
});
