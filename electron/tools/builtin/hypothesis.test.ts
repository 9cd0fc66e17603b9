import { beforeEach, describe, expect, it } from "vitest";
import type { Hypothesis } from "#shared/loop/work-state.ts";
import { declarationFaults } from "#electron/tools/testkit/declarations.ts";
import { callTool } from "#electron/tools/testkit/call-tool.ts";
import { createHypothesisTool } from "./hypothesis.ts";

let items: readonly Hypothesis[];
let saved: number;
const tool = createHypothesisTool({
  hypotheses: () => items,
  onHypotheses: async (next) => {
    items = next;
    saved += 1;
  },
});
const register = (claim: string, falsifier = "the test passes without it") => callTool(tool, { action: "register", claim, falsifier });
beforeEach(() => {
  items = [];
  saved = 0;
});

describe("the hypothesis tool", () => {
  it("is declared whole, and never needs a question (P2)", async () => {
    expect(declarationFaults([tool], { hypothesis: { input: { action: "list" }, place: { cwd: "/ws", home: "/h" } } })).toEqual([]);
    expect((await register("a")).traits).toMatchObject({ readOnly: true, mayWrite: false, effects: [], concurrencySafe: false });
  });

  it("registers with running ids and shows the ledger", async () => {
    await register("the cache is stale");
    const second = await register("the clock is wrong", "UTC gives the same");
    expect(second.text).toBe(
      "Registered as h2.\nh1 [open] the cache is stale\n   wrong if: the test passes without it\nh2 [open] the clock is wrong\n   wrong if: UTC gives the same",
    );
    expect(items).toEqual([
      { id: "h1", claim: "the cache is stale", falsifier: "the test passes without it", state: "open" },
      { id: "h2", claim: "the clock is wrong", falsifier: "UTC gives the same", state: "open" },
    ]);
  });

  it.each([
    ["confirm", "confirmed"],
    ["refute", "refuted"],
  ])("%s decides one with its evidence and leaves the falsifier alone", async (action, state) => {
    await register("a", "b");
    await register("c", "d");
    const decided = await callTool(tool, { action, id: "h1", evidence: "seen" });
    expect(decided.text).toContain(`h1 is ${state}.`);
    expect(items).toEqual([
      { id: "h1", claim: "a", falsifier: "b", state, evidence: "seen" },
      { id: "h2", claim: "c", falsifier: "d", state: "open" },
    ]);
  });

  it("a falsifier cannot be edited: not by deciding, not by registering the claim again (L13)", async () => {
    await register("A cause", "b");
    expect((await callTool(tool, { action: "confirm", id: "h1", evidence: "e", falsifier: "easier" })).text).toMatch(
      /"falsifier": does not belong to "confirm"/,
    );
    const again = await register("a CAUSE", "easier");
    expect([again.returned?.ok, again.text]).toEqual([false, "This claim is h1 (open) already, and its falsifier cannot be changed: b"]);
    expect([items.map((one) => one.falsifier), saved]).toEqual([["b"], 1]);
  });

  it("what was refuted stays so; what was confirmed can still be refuted", async () => {
    await register("a");
    await callTool(tool, { action: "confirm", id: "h1", evidence: "1" });
    await callTool(tool, { action: "refute", id: "h1", evidence: "2" });
    const back = await callTool(tool, { action: "confirm", id: "h1", evidence: "3" });
    expect([back.returned?.ok, items[0]?.state, items[0]?.evidence]).toEqual([false, "refuted", "2"]);
  });

  it("a list changes nothing, and says when there is nothing", async () => {
    expect([(await callTool(tool, { action: "list" })).text, saved]).toEqual(["No hypotheses are registered.", 0]);
  });

  it.each([
    [{ action: "register", claim: "a" }, /"falsifier": "register" needs it/],
    [{ action: "confirm", id: "h1" }, /"evidence": "confirm" needs it/],
    [{ action: "list", id: "h1" }, /"id": does not belong to "list"/],
    [{ action: "drop" }, /"register", "confirm", "refute", "list"/],
    [{ action: "refute", id: "h9", evidence: "e" }, /no hypothesis "h9". Register one first/],
    [{ action: "register", claim: " ", falsifier: "b" }, /at least 1/],
  ])("refuses %j with the next step", async (input, message) => {
    expect((await callTool(tool, input)).text).toMatch(message);
    expect(saved).toBe(0);
  });

  it("is bounded", async () => {
    items = Array.from({ length: 50 }, (_, n): Hypothesis => ({ id: `h${n + 1}`, claim: `c${n}`, falsifier: "f", state: "open" }));
    expect((await register("one more")).text).toMatch(/50 hypotheses already/);
  });
});
