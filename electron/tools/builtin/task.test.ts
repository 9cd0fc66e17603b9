import { describe, expect, it } from "vitest";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { TurnEndWhy } from "#shared/loop/turn-end.ts";
import { contentText } from "#shared/chat/blocks.ts";
import type { RunSubagent, SubagentReport } from "#electron/subagents/contract.ts";
import { declarationFaults } from "#electron/tools/testkit/declarations.ts";
import { callTool } from "#electron/tools/testkit/call-tool.ts";
import { createTaskTool } from "./task.ts";

const report = (change: Partial<SubagentReport> = {}): SubagentReport => ({
  end: { why: "answered", steps: 3, requests: 3, lostSteps: 0 },
  text: "It is in a.ts:12.",
  calls: 5,
  usage: { ...NO_USAGE, input: 900, cacheRead: 100, output: 40 },
  ...change,
});
const ended = (why: TurnEndWhy, text: string, detail?: string): SubagentReport => {
  const end = { why, steps: 1, requests: 1, lostSteps: 0 };
  return report({ text, end: detail === undefined ? end : { ...end, detail } });
};
const input = { description: "find the parser", prompt: "Where is the parser?" };
const tell = (run: RunSubagent) => callTool(createTaskTool({ run }), input);

describe("the task tool", () => {
  it("is declared whole; it has no effect of its own, so several run at once and none is asked about", async () => {
    const tool = createTaskTool({ run: async () => report() });
    expect(declarationFaults([tool], { task: { input, place: { cwd: "/ws", home: "/h" } } })).toEqual([]);
    expect((await callTool(tool, input)).traits).toMatchObject({ readOnly: true, mayWrite: false, effects: [], concurrencySafe: true });
  });

  it("returns the report with its size, and tells what goes on", async () => {
    const seen: unknown[] = [];
    const called = await tell(async (task, place, note) => {
      seen.push(task, place.call);
      note("read a.ts");
      return report();
    });
    expect([called.text, called.notes, seen]).toEqual([
      "[Report of a sub-agent: 3 steps, 5 calls, 1000 tokens in, 40 out]\nIt is in a.ts:12.",
      ["read a.ts"],
      [input, "c"],
    ]);
    expect(called.returned?.view).toEqual({ kind: "text", text: "It is in a.ts:12." });
  });

  it("says when a report came with something still open", async () => {
    const called = await tell(async () => ended("let_go", "Half."));
    expect([called.returned?.ok, called.text]).toEqual([true, expect.stringContaining("it ended with something still open]\nHalf.")]);
  });

  it.each(TurnEndWhy.options.filter((why) => why !== "answered" && why !== "let_go"))(
    "an end by %s is a failed result that keeps what was said",
    async (why) => {
      const { returned } = await tell(async () => ended(why, "Half.", "status 500"));
      if (returned === undefined || returned.ok) throw new Error("it must fail");
      expect(returned.failure.kind).toBe(why === "aborted" ? "aborted" : "tool_error");
      expect(contentText(returned.forModel ?? [])).toContain("Half.");
    },
  );

  it("an answer without words is no answer, and the reason of a failure is told", async () => {
    expect((await tell(async () => ended("answered", ""))).text).toMatch(/did not finish \(it gave no words\)/);
    expect((await tell(async () => ended("failed", "", "status 500"))).text).toMatch(/failed: status 500\)\. .*Give a smaller task/);
  });

  it.each([
    [{ prompt: "x" }, /"description"/],
    [{ description: "x", prompt: " " }, /"prompt": expected at least 1/],
    [{ ...input, subagent_type: "explore" }, /unknown field: "subagent_type"/],
  ])("refuses %j", async (bad, message) => {
    expect((await callTool(createTaskTool({ run: async () => report() }), bad)).text).toMatch(message);
  });
});
