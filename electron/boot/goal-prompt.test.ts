import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Goal } from "#shared/loop/work-state.ts";
import { parseGoalPrompt } from "./goal-prompt.ts";

const set = (text: string, unit: "steps" | "tokens", limit: number) => ({ kind: "set", goal: { text, budget: { unit, limit }, used: 0, state: "open" } });

describe("parseGoalPrompt", () => {
  it.each([
    ["/goal all tests pass", set("all tests pass", "steps", 50)],
    ["  /goal all tests pass steps=20 ", set("all tests pass", "steps", 20)],
    ["/GOAL steps=3 all tests pass", set("all tests pass", "steps", 3)],
    ["/goal all TOKENS=500k tests", set("all tests", "tokens", 500_000)],
    ["/goal big tokens=2m", set("big", "tokens", 2_000_000)],
    ["/goal two\nlines", set("two\nlines", "steps", 50)],
    ["/goal none steps=0", set("none", "steps", 1)],
    ["/goal much steps=999999", set("much", "steps", 10_000)],
    ["/goal set maxsteps=5 and steps=five", set("set maxsteps=5 and steps=five", "steps", 50)],
    ["/goal clear", { kind: "clear" }],
    ["/goal off", { kind: "clear" }],
    ["/goal clear the queue", set("clear the queue", "steps", 50)],
    ["/goal", undefined],
    ["/goal steps=5", undefined],
    ["/goals are good", undefined],
    ["reach the /goal now", undefined],
    ["", undefined],
  ])("%j", (prompt, expected) => {
    expect(parseGoalPrompt(prompt)).toEqual(expected);
  });

  it("never throws, and what it sets is always a goal that can be stored", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("steps", "tokens"), fc.bigInt({ min: 0n }), (text, unit, amount) => {
        const parsed = parseGoalPrompt(`/goal ${text} ${unit}=${amount}`);
        if (parsed?.kind === "set") expect(Goal.safeParse(parsed.goal).success).toBe(true);
      }),
    );
  });
});
