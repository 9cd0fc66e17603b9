import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { CallId, ReplyId } from "#shared/lib/ids.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { LoopEvent } from "#electron/loop/contract.ts";
import { progressOf } from "./progress.ts";
import { createReport } from "./report.ts";

const END: TurnEnd = { why: "answered", steps: 2, requests: 2, lostSteps: 0 };
const reply = (id: string, words: string): LoopEvent => ({
  type: "reply",
  step: 1,
  partial: false,
  reply: {
    id: ReplyId.parse(id),
    blocks: words === "" ? [] : [text(words)],
    stop: { kind: "end_turn" },
    usage: { ...NO_USAGE, input: 10, output: 1 },
    by: { provider: "p", model: "m" },
  },
});
const withdrawn = (id: string): LoopEvent => ({ type: "withdrawn", reply: ReplyId.parse(id), why: "fallback" });
const results = (...ids: readonly string[]): LoopEvent => ({ type: "results", step: 1, calls: ids.map((id) => CallId.parse(id)) });

describe("the report of a sub-agent", () => {
  it.each<[string, readonly LoopEvent[], string, number, number]>([
    ["is its last words", [reply("a", "I look."), results("1", "2"), reply("b", " Found. ")], "Found.", 2, 20],
    ["skips a last reply without words", [reply("a", "Found."), reply("b", "")], "Found.", 0, 20],
    ["does not hold what was withdrawn, but what that cost", [reply("a", "old"), reply("b", "bad"), withdrawn("b")], "old", 0, 20],
    ["is empty when nothing was said", [], "", 0, 0],
  ])("%s", (_name, events, said, calls, input) => {
    const report = createReport();
    for (const event of events) report.heard(event);
    expect(report.endedWith(END)).toEqual({ end: END, text: said, calls, usage: { input, output: input / 10, cacheRead: 0, cacheWrite: 0 } });
  });
});

describe("progressOf", () => {
  const state = (input: unknown, now: "running" | "queued" = "running") =>
    progressOf({ type: "call_state", call: CallId.parse("c"), tool: "read", state: now, input });
  it("names tool and subject of a call that runs, on one line and short", () => {
    expect([state({ file_path: "a.ts", limit: 3 }), state({ limit: 3, pattern: "x\ny" }), state({}), state("x"), state({ a: "b" }, "queued")]).toEqual([
      "read a.ts",
      "read x y",
      "read",
      "read",
      undefined,
    ]);
    expect(state({ prompt: "x".repeat(900) })?.length).toBeLessThanOrEqual(130);
  });
});
