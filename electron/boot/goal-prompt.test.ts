import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notice } from "#shared/loop/turn-end.ts";
import { Goal } from "#shared/loop/work-state.ts";
import { parseGoalPrompt } from "./goal-prompt.ts";

type Unit = "steps" | "tokens";
const set = (text: string, unit: Unit, limit: number, doubt?: Notice) => ({
  kind: "set",
  goal: { text, budget: { unit, limit }, used: 0, state: "open" },
  ...(doubt === undefined ? {} : { doubt }),
});
const outOfRange = (wanted: number, limit: number, unit: Unit): Notice => ({ key: "notices.goal_budget_out_of_range", params: { wanted, limit, unit } });
const unread = (given: string, limit: number, unit: Unit): Notice => ({ key: "notices.goal_budget_unread", params: { given, limit, unit } });
const nothing = { kind: "none", doubt: { key: "notices.goal_without_text" } };

describe("parseGoalPrompt", () => {
  it.each([
    ["/goal all tests pass", set("all tests pass", "steps", 50)],
    ["  /goal all tests pass steps=20 ", set("all tests pass", "steps", 20)],
    ["/GOAL steps=3 all tests pass", set("all tests pass", "steps", 3)],
    ["/goal all TOKENS=500k tests", set("all tests", "tokens", 500_000)],
    ["/goal big tokens=2m", set("big", "tokens", 2_000_000)],
    ["/goal two\nlines", set("two\nlines", "steps", 50)],
    ["/goal none steps=0", set("none", "steps", 1, outOfRange(0, 1, "steps"))],
    ["/goal much steps=999999", set("much", "steps", 10_000, outOfRange(999_999, 10_000, "steps"))],
    ["/goal more tokens=999999999999", set("more", "tokens", 100_000_000, outOfRange(999_999_999_999, 100_000_000, "tokens"))],
    ["/goal set maxsteps=5 and steps=five", set("set maxsteps=5 and steps=five", "steps", 50, unread("steps=five", 50, "steps"))],
    ["/goal a steps=-3", set("a steps=-3", "steps", 50, unread("steps=-3", 50, "steps"))],
    ["/goal a steps=1.5", set("a steps=1.5", "steps", 50, unread("steps=1.5", 50, "steps"))],
    ["/goal a steps=5 tokens=5k", set("a tokens=5k", "steps", 5, unread("tokens=5k", 5, "steps"))],
    ["/goal clear", { kind: "clear" }],
    ["/goal off", { kind: "clear" }],
    ["/goal clear the queue", set("clear the queue", "steps", 50)],
    ["/goal", nothing],
    ["/goal steps=5", nothing],
    ["/goal   ", nothing],
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
