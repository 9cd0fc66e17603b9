// The small pure parts: budgets, scalars, evidence, texts that are calls, facts about tests, spend, breaker.
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { ReplyId } from "#shared/lib/ids.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import type { Reply } from "./contract.ts";
import { mayMatch } from "./evidence.ts";
import { createInterventions } from "./interventions.ts";
import { isCallAsText } from "./real-text.ts";
import { scalarOf } from "./scalar.ts";
import { createSessionBreaker } from "./session-breaker.ts";
import { costOf, createSpendMeter } from "./spend.ts";
import { initialState } from "./state.ts";
import { isTestPath, testFacts } from "./test-facts.ts";
import { parseTokenBudget, tokenBudgetGate } from "./token-budget.ts";

const reply: Reply = { id: ReplyId.parse("r"), blocks: [], stop: { kind: "end_turn" }, usage: NO_USAGE, by: { provider: "p", model: "m" } };

describe("token budget (L15)", () => {
  it.each([
    ["do it +500k", 500_000],
    ["+1.5M: everything", 1_500_000],
    ["+2k", 10_000],
    ["+99m", 20_000_000],
    ["call +8613800001234", undefined],
    ["a+5k", undefined],
    ["1 +5 = 6", undefined],
    ["+500kb of logs", undefined],
    ["nothing", undefined],
  ])("%s", (prompt, budget) => {
    expect(parseTokenBudget(prompt)).toBe(budget);
  });

  it("asks while there is much left, always with leave to end", async () => {
    const state = initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } });
    const gate = tokenBudgetGate(100_000);
    const { signal } = new AbortController();
    expect(await gate.check({ ...state, spentTokens: 89_000 }, reply, signal)).toMatchObject({ kind: "hold" });
    const held = await gate.check({ ...state, spentTokens: 10 }, reply, signal);
    expect(held.kind === "hold" && held.note).toContain("end now");
    expect(await gate.check({ ...state, spentTokens: 90_000 }, reply, signal)).toEqual({ kind: "pass" });
  });
});

describe("scalars", () => {
  it.each([
    ["139", "139"],
    [" 139\n", "139"],
    ["12.5%", "12.5%"],
    ["1,024", "1,024"],
    ["ok", "ok"],
    ["PASS", "PASS"],
    ["3 ms", "3 ms"],
    ["", undefined],
    ["3 errors in a.ts", undefined],
    ["1\n2", undefined],
    ["a".repeat(40), undefined],
  ])("%j", (output, scalar) => {
    expect(scalarOf(output)).toBe(scalar);
  });
});

describe("evidence against a hypothesis (L13)", () => {
  it.each([
    ["a quoted part", "the log says `still alive` after 12:00", "12:01 INFO Still Alive\n", true],
    ["a quoted part that is not there", "the log says `still alive` after 12:00", "12:01 the log says after alive", false],
    ["most terms in one passage", "connection refused by database port 5432", "error: connection to port 5432\nrefused", true],
    [
      "terms scattered over a long output",
      "connection refused by database port 5432",
      `connection\n${"x\n".repeat(20)}refused\n${"x\n".repeat(20)}port`,
      false,
    ],
    ["too few terms to say anything", "it fails", "it fails", false],
    ["Chinese", "日志显示进程仍然存活", "12:00 日志 显示进程仍然存活中", true],
    ["Chinese, something else", "日志显示进程仍然存活", "磁盘空间不足", false],
  ])("%s", (_name, falsifier, output, matches) => {
    expect(mayMatch(falsifier, output)).toBe(matches);
  });
});

describe("a call written as text (A20)", () => {
  const tools = new Set(["read", "write"]);
  it.each([
    ['{ "name": "write", "arguments": {"path":"t.sh","content":"ls"}}', true],
    ['Read[ARGS]{"file_path": "a"}', true],
    ['{"name": "deploy", "arguments": {}}', false],
    ['{"name": "write"}', false],
    ['Use it like this:\n```json\n{"name":"write","arguments":{}}\n```', false],
    ["{not json}", false],
    ["Hello.", false],
  ])("%s", (said, is) => {
    expect(isCallAsText([text(said)], tools)).toBe(is);
  });
});

describe("facts about tests (L16)", () => {
  const diff = (path: string, ...lines: readonly string[]): FileDiff => ({
    path,
    added: 0,
    removed: 0,
    hunks: [
      {
        oldStart: 1,
        newStart: 1,
        lines: lines.map((line) => ({ kind: line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "same", text: line.slice(1) })),
      },
    ],
  });

  it.each([
    ["src/a.test.ts", true],
    ["tests/x.py", true],
    ["pkg/a_test.go", true],
    ["test_login.py", true],
    ["src/__snapshots__/a.snap", true],
    ["conftest.py", true],
    ["jest.config.js", true],
    ["src/FooTest.java", true],
    ["spec/models/user.rb", true],
    ["src/contest.ts", false],
    ["src/latest.ts", false],
    ["README.md", false],
  ])("%s", (path, is) => {
    expect(isTestPath(path)).toBe(is);
  });

  it("says what got weaker, as counts", () => {
    const facts = testFacts([
      diff(
        "a.test.ts",
        "-  expect(a).toBe(1);",
        "-  expect(b).toBe(2);",
        "+  expect(b).toBe(3);",
        "-it('x', () => {",
        "+it.skip('y', () => {",
        "-test('z', () => {",
      ),
    ]);
    expect(facts.map((fact) => [fact.key, fact.params])).toEqual([
      ["notices.fact_touched_tests", { count: 1 }],
      ["notices.fact_fewer_assertions", { count: 1 }],
      ["notices.fact_skips_added", { count: 1 }],
      ["notices.fact_fewer_tests", { count: 1 }],
    ]);
  });

  it("only says that tests were touched when they got better, and nothing about other files", () => {
    expect(testFacts([diff("a.test.ts", "+  expect(a).toBe(1);")]).map((fact) => fact.key)).toEqual(["notices.fact_touched_tests"]);
    expect(testFacts([diff("a.ts", "-  assert(a);")])).toEqual([]);
  });
});

describe("spend meter (L11)", () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const maker = { provider: "p", model: "m" };
  const none = { usd: 0, tokens: 0 };
  const off = { turn: none, session: none, day: none };
  const dollars = (usd: number) => ({ ...NO_USAGE, output: (usd / 15) * 1_000_000 });

  it("costs what the provider bills (E10)", () => {
    expect(costOf({ input: 10, cacheRead: 20_000, cacheWrite: 1_000, output: 120 }, prices)).toBeCloseTo(0.01158, 8);
  });

  it("warns once at 80 %, stays reached at 100 %, and asks again only after as much again", () => {
    const meter = createSpendMeter({ limits: { ...off, turn: { usd: 1, tokens: 0 } }, session: none, today: () => none, prices: () => prices });
    const spend = (usd: number) => meter.add(dollars(usd), maker);
    spend(0.79);
    expect(meter.check().kind).toBe("ok");
    spend(0.02);
    expect(meter.check()).toEqual({ kind: "warn", notice: { key: "notices.spend_warning_turn", params: { spent: "0.81", limit: "1.00" } } });
    expect(meter.check().kind).toBe("ok");
    spend(0.2);
    expect([meter.check().kind, meter.check().kind]).toEqual(["reached", "reached"]);
    meter.lift();
    expect(meter.check().kind).toBe("ok");
    spend(0.9);
    expect(meter.check().kind).toBe("warn");
    spend(0.2);
    expect(meter.check().kind).toBe("reached");
  });

  it("counts fresh tokens in the same way, whatever the model costs", () => {
    const meter = createSpendMeter({
      limits: { ...off, session: { usd: 0, tokens: 1_000 } },
      session: { usd: 0, tokens: 700 },
      today: () => none,
      prices: () => undefined,
    });
    meter.add({ ...NO_USAGE, cacheRead: 50_000, input: 90 }, maker);
    expect(meter.check().kind).toBe("ok");
    meter.add({ ...NO_USAGE, cacheWrite: 20 }, maker);
    expect(meter.check()).toEqual({ kind: "warn", notice: { key: "notices.spend_warning_session_tokens", params: { spent: "810", limit: "1000" } } });
    meter.add({ ...NO_USAGE, output: 200 }, maker);
    expect(meter.check()).toMatchObject({ kind: "reached", notice: { key: "notices.spend_limit_session_tokens" } });
  });

  it("asks the day's ledger for the day", () => {
    let today = none;
    const meter = createSpendMeter({ limits: { ...off, day: { usd: 5, tokens: 0 } }, session: none, today: () => today, prices: () => prices });
    expect(meter.check().kind).toBe("ok");
    today = { usd: 5, tokens: 0 };
    expect(meter.check()).toMatchObject({ kind: "reached", notice: { key: "notices.spend_limit_day" } });
  });

  it("says once that a price is unknown, if money is limited", () => {
    const unpriced = (usd: number) => {
      const meter = createSpendMeter({ limits: { ...off, turn: { usd, tokens: 0 } }, session: none, today: () => none, prices: () => undefined });
      meter.add(dollars(100), maker);
      return [meter.check(), meter.check()];
    };
    expect(unpriced(1)).toEqual([{ kind: "warn", notice: { key: "notices.spend_price_unknown", params: { model: "m" } } }, { kind: "ok" }]);
    expect(unpriced(0)).toEqual([{ kind: "ok" }, { kind: "ok" }]);
  });
});

describe("session breaker (L8)", () => {
  it("opens after three failures in a row and closes with the first success", () => {
    const breaker = createSessionBreaker();
    const seen = ["failed", "failed", "failed", "succeeded"].map((what) => {
      if (what === "failed") breaker.failed();
      else breaker.succeeded();
      return breaker.open;
    });
    expect(seen).toEqual([false, false, true, false]);
  });
});

describe("goal budget warning (L12)", () => {
  it("speaks once, between 80 and 100 %", () => {
    const [, goal] = createInterventions({ hypotheses: () => [], goal: () => ({ text: "g", budget: { unit: "steps", limit: 10 }, used: 0, state: "open" }) });
    const state = initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } });
    const kinds = [7, 8, 10].map((step) => goal?.check({ ...state, step }, { reply, done: [] }).kind);
    expect(kinds).toEqual(["quiet", "note", "quiet"]);
    expect(goal?.check({ ...state, step: 9, used: { ...state.used, goal_budget_warning: 1 } }, { reply, done: [] }).kind).toBe("quiet");
  });
});
