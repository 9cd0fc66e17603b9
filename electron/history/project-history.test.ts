import { describe, expect, it } from "vitest";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { SessionEvent } from "#shared/events/durable.ts";
import { Seq, SessionId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduce } from "#shared/session/reduce.ts";
import type { SessionView } from "#shared/session/view.ts";
import { projectHistory } from "./project-history.ts";

const by = { provider: "demo", model: "demo" };
const play = (events: readonly object[]): SessionView =>
  events.reduce<SessionView>((view, event, index) => reduce(view, { seq: Seq.parse(index + 1), at: index, event: SessionEvent.parse({ v: 1, ...event }) }), emptyView(SessionId.parse("s")));
const prompt = (n: number, words = `ask ${n}`) => ({ type: "prompt_submitted", entry: `p${n}`, turn: `t${n}`, blocks: [{ type: "text", text: words }] });
const reply = (n: number, blocks: readonly object[]) => ({ type: "reply_completed", entry: `r${n}`, turn: "t1", step: 1, reply: `x${n}`, by, blocks, stop: { kind: "end_turn" }, usage: NO_USAGE, partial: false });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const settled = (id: string) => ({
  type: "call_settled", turn: "t1", call: id, tool: "read",
  outcome: { status: "ok", callId: id, metrics: { ms: 1, bytes: 1 }, forModel: [{ type: "text", text: `result ${id}` }], display: "full" },
});
const shape = (view: SessionView) => projectHistory(view).map((message) => `${message.role}: ${message.blocks.map((block) => (block.type === "text" ? block.text : block.type === "tool_result" ? `=${block.id}` : block.type)).join(" | ")}`);

describe("history of a session", () => {
  it("has results in call order whatever the order they came in, and what follows them in the same message", () => {
    const view = play([
      prompt(1), reply(1, [use("a"), use("b")]), settled("b"), settled("a"),
      { type: "results_added", entry: "e1", turn: "t1", step: 1, calls: ["a", "b"] },
      { type: "note_added", entry: "n1", turn: "t1", step: 2, text: "three files changed", source: "facts" },
      { type: "steer_added", entry: "s1", turn: "t1", blocks: [{ type: "text", text: "also the tests" }] },
    ]);
    expect(shape(view)).toEqual(["user: ask 1", "assistant: tool_use | tool_use", 'user: =a | =b | <cairn-note source="facts">\nthree files changed\n</cairn-note> | also the tests']);
  });

  it("begins at the newest compaction", () => {
    const view = play([
      prompt(1), reply(1, [{ type: "text", text: "old" }]),
      { type: "compacted", entry: "c1", turn: "t1", before: 10, after: 2, layers: [5], history: [{ role: "user", blocks: [{ type: "text", text: "summary" }] }] },
      reply(2, [{ type: "text", text: "new" }]),
    ]);
    expect(shape(view)).toEqual(["user: summary", "assistant: new"]);
  });

  it("fills in what a crash left unanswered and leaves out blank words (A01, A04)", () => {
    const view = play([prompt(1), reply(1, [{ type: "text", text: "\n\n" }, use("a")]), prompt(2)]);
    expect(shape(view)).toEqual(["user: ask 1", "assistant: tool_use", "user: =a | ask 2"]);
  });
});
