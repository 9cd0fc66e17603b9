import { describe, expect, it } from "vitest";
import type { Goal } from "#shared/loop/work-state.ts";
import { declarationFaults } from "#electron/tools/testkit/declarations.ts";
import { callTool } from "#electron/tools/testkit/call-tool.ts";
import { createGoalTool } from "./goal.ts";

const OPEN: Goal = { text: "all tests pass", budget: { unit: "steps", limit: 20 }, used: 4, state: "open" };

function over(goal: Goal | undefined) {
  const kept: Goal[] = [];
  return { kept, tool: createGoalTool({ goal: () => goal, onGoal: async (next) => void kept.push(next) }) };
}
const met = { state: "met", evidence: "112 passed" };

describe("the goal tool", () => {
  it("is declared whole, and never needs a question (P2)", async () => {
    const { tool } = over(OPEN);
    expect(declarationFaults([tool], { goal: { input: {}, place: { cwd: "/ws", home: "/h" } } })).toEqual([]);
    expect((await callTool(tool, {})).traits).toMatchObject({ readOnly: true, mayWrite: false, effects: [] });
  });

  it("records an open goal as met, with its budget and use untouched", async () => {
    const { tool, kept } = over(OPEN);
    expect((await callTool(tool, met)).text).toBe("The goal is recorded as met: all tests pass\nEvidence: 112 passed");
    expect(kept).toEqual([{ ...OPEN, state: "met" }]);
  });

  it("only shows it when asked without a state", async () => {
    const { tool, kept } = over(OPEN);
    expect([(await callTool(tool, {})).text, kept]).toEqual(["Goal (open): all tests pass\nBudget: 20 steps; earlier turns used 4.", []]);
  });

  it.each([
    [undefined, {}, true, /has set no goal/],
    [undefined, met, false, /only they can/],
    [{ ...OPEN, state: "met" as const }, met, true, /Goal \(met\)/],
    [{ ...OPEN, state: "let_go" as const }, met, false, /budget is spent/],
  ])("with %j and %j nothing is recorded", async (goal, input, ok, message) => {
    const { tool, kept } = over(goal);
    const called = await callTool(tool, input);
    expect([called.returned?.ok, kept]).toEqual([ok, []]);
    expect(called.text).toMatch(message);
  });

  it.each([
    [{ state: "met" }, /"evidence": expected a string that says what you saw/],
    [{ evidence: "x" }, /"state": expected "met" beside evidence/],
    [{ state: "let_go" }, /"state"/],
    [{ state: "met", evidence: "x", text: "an easier goal" }, /unknown field: "text"/],
  ])("refuses %j", async (input, message) => {
    const { tool, kept } = over(OPEN);
    expect((await callTool(tool, input)).text).toMatch(message);
    expect(kept).toEqual([]);
  });
});
