import { describe, expect, it } from "vitest";
import type { ContextPipeline } from "#electron/context/contract.ts";
import type { Summarise } from "#electron/context/summarise.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import { heedCompaction } from "./compaction-hooks.ts";

const never = new AbortController().signal;

function setUp(answers: Readonly<Record<string, readonly HookOutcome[]>>, answer: "summary" | "failed" = "summary") {
  const asked: unknown[] = [];
  const made: { summarise?: Summarise } = {};
  const fixed = { system: ["s"], tools: [] };
  const context = heedCompaction(
    (watched) => {
      made.summarise = watched(async () => (answer === "failed" ? undefined : answer));
      const inner: ContextPipeline = {
        fixed,
        measure: () => 1,
        fit: async () => ({ kind: "fits" }),
        saw: () => {},
        turnNotes: async () => [],
        returningNotes: async () => [{ source: "todos", text: "list" }],
      };
      return inner;
    },
    () => ({ run: async (event, subject, payload) => (asked.push([event, subject, payload]), answers[event] ?? []) }),
    () => never,
  );
  return { asked, context, summarise: () => made.summarise?.([], never) };
}

describe("hooks around a summary (H1)", () => {
  it("hear of it before, and give words back after it, once", async () => {
    const { asked, context, summarise } = setUp({ SessionStart: [{ kind: "context", text: "use tabs" }] });
    expect([await context.returningNotes([]), asked]).toEqual([[{ source: "todos", text: "list" }], []]);
    expect(await summarise()).toBe("summary");
    expect(asked).toEqual([["PreCompact", "auto", { trigger: "auto", custom_instructions: "" }]]);
    expect(await context.returningNotes([])).toEqual([
      { source: "todos", text: "list" },
      { source: "hook", text: "use tabs" },
    ]);
    expect(asked[1]).toEqual(["SessionStart", "compact", { source: "compact" }]);
    expect((await context.returningNotes([])).length).toBe(1);
  });

  it.each<HookOutcome>([
    { kind: "block", reason: "not now" },
    { kind: "stop", reason: "enough" },
  ])("may keep it from being made: $kind", async (outcome) => {
    const { context, summarise } = setUp({ PreCompact: [outcome], SessionStart: [{ kind: "context", text: "x" }] });
    expect([await summarise(), (await context.returningNotes([])).length]).toEqual([undefined, 1]);
  });

  it("are not asked for words after one that failed", async () => {
    const { asked, context, summarise } = setUp({ SessionStart: [{ kind: "context", text: "x" }] }, "failed");
    expect([await summarise(), (await context.returningNotes([])).length, asked.length]).toEqual([undefined, 1, 1]);
  });
});
