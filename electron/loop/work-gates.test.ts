import { describe, expect, it } from "vitest";
import { text, type Block } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { ReplyId } from "#shared/lib/ids.ts";
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import type { EndGate, LoopState, Reply } from "./contract.ts";
import { createEndGates } from "./gates.ts";
import { DEFAULT_CAPS } from "./limits.ts";
import { initialState } from "./state.ts";

const base = initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } });
const state = (used: Partial<LoopState["used"]> = {}, change: Partial<LoopState> = {}): LoopState => ({ ...base, ...change, used: { ...base.used, ...used } });
const reply = (...blocks: Block[]): Reply => ({
  id: ReplyId.parse("r"),
  blocks,
  stop: { kind: "end_turn" },
  usage: NO_USAGE,
  by: { provider: "p", model: "m" },
});
const answer = reply(text("Done."));
const { signal } = new AbortController();

function setup(change: { todos?: TodoItem[]; hypotheses?: Hypothesis[]; goal?: Goal; hooks?: HookOutcome[] } = {}) {
  const work: { todos: readonly TodoItem[]; hypotheses: readonly Hypothesis[]; goal: Goal | undefined; letGo: number } = {
    todos: [],
    hypotheses: [],
    goal: change.goal,
    letGo: 0,
  };
  const asked: unknown[] = [];
  const gates = createEndGates({
    todos: () => work.todos,
    hypotheses: () => work.hypotheses,
    goal: () => work.goal,
    goalLetGo: () => (work.letGo += 1),
    caps: DEFAULT_CAPS,
    stopEvent: "Stop",
    hooks: { run: async (event, _subject, payload) => (asked.push([event, payload]), change.hooks ?? []) },
  });
  work.todos = change.todos ?? [];
  work.hypotheses = change.hypotheses ?? [];
  const gate = (name: EndGate["name"]) => {
    const found = gates.find((one) => one.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  return { gates, gate, work, asked };
}

const todo: TodoItem = { text: "tests", status: "pending" };
const hypothesis = (kind: Hypothesis["state"]): Hypothesis => ({ id: "H1", claim: "c", falsifier: "f", state: kind });

describe("gates at a turn's end (L12)", () => {
  it("stand in the order of the requirement", () => {
    expect(setup().gates.map((gate) => gate.name)).toEqual(["unanswered_gate", "stop_hook_gate", "todo_gate", "hypothesis_gate", "goal_gate"]);
  });

  it("all pass when nothing is open", async () => {
    for (const gate of setup().gates) expect(await gate.check(state(), answer, signal)).toEqual({ kind: "pass" });
  });

  it("unanswered: structural signals only (L14)", async () => {
    const gate = setup().gate("unanswered_gate");
    const thinking: Block = { type: "thinking", text: "hm", by: { provider: "p", model: "m" } };
    const kind = async (one: Reply, used = 0) => (await gate.check(state({ unanswered_retry: used }), one, signal)).kind;
    expect(await kind(reply())).toBe("hold");
    expect(await kind(reply(thinking))).toBe("hold");
    expect(await kind(reply(text(" \n")))).toBe("hold");
    expect(await kind(answer)).toBe("pass");
    const monologue = { ...reply(text("I think ".repeat(2_000))), usage: { ...NO_USAGE, input: 50 } };
    expect(await kind(monologue)).toBe("hold");
    expect(await kind({ ...monologue, usage: NO_USAGE })).toBe("pass"); // a server that reports no usage at all
    expect(await gate.check(state({ unanswered_retry: 2 }), reply(), signal)).toMatchObject({ kind: "let_go", end: "empty" });
  });

  it("stop hook: wrong, again wrong, let go; or stop trying", async () => {
    const { gate, asked } = setup({ hooks: [{ kind: "block", reason: "2 tests fail" }] });
    expect(await gate("stop_hook_gate").check(state(), answer, signal)).toEqual({
      kind: "hold",
      note: "A check of the user objects to the result:\n2 tests fail\nFix this, then finish.",
    });
    expect(await gate("stop_hook_gate").check(state({ stop_hook_retry: 3 }), answer, signal)).toMatchObject({
      kind: "let_go",
      record: { key: "notices.let_go_stop_hook" },
    });
    expect(asked[1]).toEqual(["Stop", { stop_hook_active: true, steps: 0, last_assistant_message: "Done." }]);
    const stop = setup({
      hooks: [
        { kind: "block", reason: "x" },
        { kind: "stop", reason: "no use" },
      ],
    });
    expect(await stop.gate("stop_hook_gate").check(state(), answer, signal)).toMatchObject({ kind: "let_go", end: "let_go" });
  });

  it("to-do list: one that this turn did not touch holds nothing up", async () => {
    const gates = createEndGates({
      todos: () => [todo],
      hypotheses: () => [hypothesis("open")],
      goal: () => undefined,
      goalLetGo: () => {},
      caps: DEFAULT_CAPS,
      stopEvent: "Stop",
      hooks: { run: async () => [] },
    });
    for (const gate of gates) expect(await gate.check(state(), answer, signal)).toEqual({ kind: "pass" });
  });

  it("to-do list: forbids repeating an answer that was given", async () => {
    const note = async (gaveText: boolean) => {
      const verdict = await setup({ todos: [todo] })
        .gate("todo_gate")
        .check(state({}, { gaveText }), answer, signal);
      return verdict.kind === "hold" ? verdict.note : "";
    };
    expect(await note(true)).toContain("do not repeat that answer");
    expect(await note(false)).not.toContain("do not repeat");
  });

  it("to-do list: done but not ticked ends quietly, not done is recorded", async () => {
    const run = async (unanswered: readonly number[]) => {
      const gate = setup({ todos: [todo] }).gate("todo_gate");
      const verdicts = [];
      for (const [used, asked] of unanswered.entries())
        verdicts.push((await gate.check(state({ todo_gate_retry: used, unanswered_retry: asked }), answer, signal)).kind);
      return verdicts;
    };
    expect(await run([0, 0, 0, 0])).toEqual(["hold", "hold", "hold", "pass"]);
    expect(await run([0, 1, 1, 1])).toEqual(["hold", "hold", "hold", "let_go"]);
  });

  it.each<[string, Hypothesis["state"], number, string]>([
    ["open, first", "open", 0, "hold"],
    ["open, second", "open", 1, "hold"],
    ["open, third: let go", "open", 2, "let_go"],
    ["refuted, first", "refuted", 0, "hold"],
    ["refuted, second", "refuted", 1, "pass"],
    ["confirmed", "confirmed", 0, "pass"],
  ])("hypotheses: %s", async (_name, kind, used, verdict) => {
    expect(
      (
        await setup({ hypotheses: [hypothesis(kind)] })
          .gate("hypothesis_gate")
          .check(state({ hypothesis_gate_retry: used }), answer, signal)
      ).kind,
    ).toBe(verdict);
  });

  it.each<[string, Goal["budget"], number, Partial<LoopState>, string]>([
    ["steps left", { unit: "steps", limit: 10 }, 0, { step: 9 }, "hold"],
    ["steps spent", { unit: "steps", limit: 10 }, 0, { step: 10 }, "let_go"],
    ["earlier turns count", { unit: "steps", limit: 10 }, 8, { step: 2 }, "let_go"],
    ["tokens left", { unit: "tokens", limit: 100_000 }, 0, { step: 3, spentTokens: 99_999 }, "hold"],
    ["tokens spent", { unit: "tokens", limit: 100_000 }, 0, { step: 3, spentTokens: 100_000 }, "let_go"],
    ["tokens that nobody reports still run out", { unit: "tokens", limit: 10_000 }, 0, { step: 20, spentTokens: 0 }, "let_go"],
  ])("goal: %s", async (_name, budget, used, change, verdict) => {
    const { gate, work } = setup({ goal: { text: "g", budget, used, state: "open" } });
    expect((await gate("goal_gate").check(state({}, change), answer, signal)).kind).toBe(verdict);
    expect(work.letGo).toBe(verdict === "let_go" ? 1 : 0);
    work.goal = { text: "g", budget, used, state: "met" };
    expect((await gate("goal_gate").check(state({}, change), answer, signal)).kind).toBe("pass");
  });
});
