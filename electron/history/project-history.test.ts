import { describe, expect, it } from "vitest";
import { text, type Block, type Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { UNKNOWN_OUTCOME } from "#shared/chat/history-repair.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import { CallId, EntryId, ReplyId, Seq, SessionId, TurnId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduce } from "#shared/session/reduce.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import { projectHistory } from "./project-history.ts";

const turn = TurnId.parse("t1");
const maker = { provider: "p", model: "m" };
let ids = 0;
const entry = () => EntryId.parse(`e${(ids += 1)}`);

const use = (id: string): Block => ({ type: "tool_use", id: CallId.parse(id), name: "read", input: {} });
const created: SessionEvent = { v: 1, type: "session_created", session: SessionId.parse("s1"), title: "", cwd: "/w", mode: "default", maker };
const prompt = (words: string): SessionEvent => ({ v: 1, type: "prompt_submitted", entry: entry(), turn, blocks: [text(words)] });
const reply = (...blocks: Block[]): SessionEvent => ({
  v: 1,
  type: "reply_completed",
  entry: entry(),
  turn,
  step: 1,
  reply: ReplyId.parse(`r${ids}`),
  by: maker,
  blocks,
  stop: { kind: "end_turn" },
  usage: NO_USAGE,
  partial: false,
});
const results = (...calls: string[]): SessionEvent => ({
  v: 1,
  type: "results_added",
  entry: entry(),
  turn,
  step: 1,
  calls: calls.map((id) => CallId.parse(id)),
});
const note = (words: string): SessionEvent => ({ v: 1, type: "note_added", entry: entry(), turn, step: 1, text: words, source: "test" });
const steer = (words: string): SessionEvent => ({ v: 1, type: "steer_added", entry: entry(), turn, blocks: [text(words)] });
const settled = (id: string, words: string, status: "ok" | "failed" = "ok"): SessionEvent => {
  const base = { callId: CallId.parse(id), metrics: { ms: 0, bytes: 0 }, forModel: [{ type: "text" as const, text: words }], display: "full" as const };
  const outcome: ToolOutcome = status === "ok" ? { status, ...base } : { status, ...base, failure: { kind: "tool_error", retryable: false, message: words } };
  return { v: 1, type: "call_settled", turn, call: CallId.parse(id), tool: "read", outcome };
};

const project = (...events: readonly SessionEvent[]) =>
  projectHistory([created, ...events].reduce((view, event, k) => reduce(view, { seq: Seq.parse(k + 1), at: k, event }), emptyView(SessionId.parse("s1"))));

describe("projectHistory", () => {
  it("gives replies, results in call order, and everything of one boundary as one user message", () => {
    const history = project(
      prompt("go"),
      reply(text("look"), use("1"), use("2")),
      settled("2", "two", "failed"),
      settled("1", "one"),
      results("1", "2"),
      note("remember"),
      steer("also this"),
    );
    expect(history).toEqual<Message[]>([
      { role: "user", blocks: [text("go")] },
      { role: "assistant", blocks: [text("look"), use("1"), use("2")] },
      {
        role: "user",
        blocks: [
          { type: "tool_result", id: CallId.parse("1"), content: [text("one")], isError: false },
          { type: "tool_result", id: CallId.parse("2"), content: [text("two")], isError: true },
          text('<cairn-note source="test">\nremember\n</cairn-note>'),
          text("also this"),
        ],
      },
    ]);
  });

  it("begins at the last compaction", () => {
    const history = [{ role: "user" as const, blocks: [text("summary")] }];
    const compacted: SessionEvent = { v: 1, type: "compacted", entry: entry(), turn, before: 9, after: 1, layers: [5], history };
    expect(project(prompt("old"), reply(text("old")), compacted, reply(text("new")), prompt("next"))).toEqual([
      ...history,
      { role: "assistant", blocks: [text("new")] },
      { role: "user", blocks: [text("next")] },
    ]);
  });

  it("answers calls that a crash left open", () => {
    const history = project(prompt("go"), reply(use("1"), use("2")), settled("1", "one"), prompt("hello"));
    expect(checkHistory(history, true)).toEqual([]);
    expect(history.at(-1)?.blocks.map((block) => (block.type === "tool_result" ? block.content[0] : block))).toEqual([
      text("one"),
      text(UNKNOWN_OUTCOME),
      text("hello"),
    ]);
  });

  it("forgets a reply that was withdrawn (L5, L22)", () => {
    const withdrawn: SessionEvent = { v: 1, type: "reply_withdrawn", turn, reply: ReplyId.parse("r-gone"), why: "empty_param_retry" };
    const dropped = { ...reply(text("let me look"), use("1")), reply: ReplyId.parse("r-gone") };
    expect(project(prompt("go"), dropped, withdrawn, note("send the call again"), reply(text("done")))).toEqual(
      project(prompt("go"), note("send the call again"), reply(text("done"))),
    );
  });

  it("drops replies with nothing in them", () => {
    expect(project(prompt("go"), reply(), prompt("again"))).toEqual([{ role: "user", blocks: [text("go"), text("again")] }]);
  });

  it("only grows at its end", () => {
    const events = [prompt("go"), reply(use("1")), settled("1", "one"), results("1"), reply(text("done")), prompt("more"), reply(text("done again"))];
    const flat = (history: readonly Message[]) => history.flatMap((message) => message.blocks.map((block) => `${message.role} ${JSON.stringify(block)}`));
    for (const k of [1, 5, 6])
      expect(flat(project(...events)).slice(0, flat(project(...events.slice(0, k))).length)).toEqual(flat(project(...events.slice(0, k))));
  });
});
