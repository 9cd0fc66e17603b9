import { describe, expect, it } from "vitest";
import { text, type Message } from "#shared/chat/blocks.ts";
import { noteBlock } from "#shared/chat/note.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { Decision } from "#shared/session/decisions.ts";
import { modeNotesOf } from "./mode-notes.ts";
import { decisionsText } from "./turn-notes.text.ts";

const planner = { kind: "person", planFile: "/data/plan.md" } as const;
const user = (...blocks: Message["blocks"]): Message => ({ role: "user", blocks });
const sources = (history: readonly Message[], mode: PermissionMode) => modeNotesOf(history, mode, planner).map((note) => note.source);

describe("notes about plan mode (C7, C8)", () => {
  const on = modeNotesOf([], "plan", planner).map(noteBlock);
  const begun = [user(text("go"), ...on)];
  const over = [...begun, { role: "assistant" as const, blocks: [text("ok")] }, user(...modeNotesOf(begun, "default", planner).map(noteBlock))];

  it("say once that it began and once that it ended, and nothing where it never was", () => {
    expect(sources([user(text("go"))], "default")).toEqual([]);
    expect(sources([user(text("go"))], "plan")).toEqual(["plan_mode"]);
    expect(sources(begun, "plan")).toEqual([]);
    expect(sources(begun, "acceptEdits")).toEqual(["plan_mode_off"]);
    expect(sources(over, "bypass")).toEqual([]);
    expect(sources(over, "plan")).toEqual(["plan_mode"]);
  });

  it("are not taken from the person's words, nor from a result", () => {
    expect(sources([user(text('he wrote <cairn-note source="plan_mode">'))], "plan")).toEqual(["plan_mode"]);
  });

  it("name the plan file and what comes next, each for whom it is", () => {
    const words = (kind: "person" | "headless") => modeNotesOf([], "plan", { kind, planFile: "/data/plan.md" })[0]?.text;
    expect(words("person")).toMatch(/\/data\/plan\.md.*plan_exit; until they approve it/);
    expect(words("headless")).toMatch(/nobody can approve it in this run, so it is the answer/);
    expect(modeNotesOf([], "plan", { kind: "subagent" })[0]?.text).not.toMatch(/plan_exit|plan\.md/);
  });
});

describe("what the person decided, told again after a compaction (C5)", () => {
  const rejected: Decision = { kind: "plan", plan: "# A\n\nRewrite the cache.", decision: "rejected", words: "never touch the cache" };

  it("is bounded and in their own words; a rejected plan is named as that", () => {
    const asked: Decision = {
      kind: "answers",
      declined: false,
      items: [
        { header: "Db", question: "Which?", picked: ["SQLite"], words: "one file" },
        { header: "T", question: "Tests?", picked: ["Unit"] },
      ],
    };
    const left: Decision = { kind: "answers", declined: true, items: [{ header: "x", question: "Colour?", picked: [] }] };
    const told = decisionsText([rejected, asked, left, { kind: "plan", plan: "B", decision: "approved" }]);
    expect(told.split("\n").slice(1)).toEqual([
      "- They REJECTED this plan. Their words: never touch the cache",
      "  The plan began: # A Rewrite the cache.",
      '- Asked "Which?", they said: SQLite; in their own words: one file',
      '- Asked "Tests?", they said: Unit',
      '- Asked "Colour?", they left it to you.',
      "- They approved this plan.",
      "  The plan began: B",
    ]);
    const long: Decision = { kind: "plan", plan: "p".repeat(50_000), decision: "rejected", words: "w".repeat(50_000) };
    expect(decisionsText(Array.from({ length: 50 }, () => long)).length).toBeLessThan(65_000);
  });
});
