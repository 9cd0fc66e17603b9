import { describe, expect, it } from "vitest";
import type { LiveEvent } from "#shared/events/live.ts";
import { CallId, EntryId, ReplyId, TurnId } from "#shared/lib/ids.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { applyLive, type LiveTail, NO_LIVE, settleLive } from "./live-tail.ts";

const reply = ReplyId.parse("r1");
const turn = TurnId.parse("t1");
const call = CallId.parse("c1");
const by = { provider: "demo", model: "demo" };
const play = (...events: readonly LiveEvent[]): LiveTail => events.reduce(applyLive, NO_LIVE);
const running = { type: "call_state" as const, call, tool: "bash", state: "running" as const, input: { command: "ls" } };

describe("live tail", () => {
  it("grows text, thinking and calls in the order they come", () => {
    const live = play(
      { type: "thinking_delta", reply, text: "hm" },
      { type: "thinking_delta", reply, text: "m" },
      { type: "text_delta", reply, text: "Look: " },
      { type: "text_delta", reply, text: "here" },
      { type: "tool_input_delta", reply, index: 0, name: "bash", chars: 12 },
      running,
      { type: "text_delta", reply, text: "and" },
    );
    expect(live.parts.map((part) => (part.kind === "text" ? part.blocks.tail : part.kind === "thinking" ? part.text : part.call))).toEqual([
      "hmm",
      "Look: here",
      "c1",
      "and",
    ]);
    expect(live.writing).toBeUndefined();
  });

  it("begins anew with another reply", () => {
    const live = play({ type: "text_delta", reply, text: "old" }, { type: "text_delta", reply: ReplyId.parse("r2"), text: "new" });
    expect(live.parts).toHaveLength(1);
  });

  it("keeps the end of a long output, and the newest note and fraction", () => {
    const live = play(
      running,
      { type: "call_progress", call, progress: { kind: "output", text: "x".repeat(70_000) } },
      { type: "call_progress", call, progress: { kind: "output", text: "end" } },
      { type: "call_progress", call, progress: { kind: "note", text: "downloading" } },
      { type: "call_progress", call, progress: { kind: "fraction", done: 2, of: 5 } },
    );
    const own = live.calls[call];
    expect([own?.output.length, own?.output.endsWith("end"), own?.note, own?.fraction]).toEqual([64_000, true, "downloading", { done: 2, of: 5 }]);
  });

  it("says what is waited for until words come", () => {
    const waiting = play({ type: "waiting", turn, what: "bytes", forMs: 9_000, canRetryNow: false });
    expect(waiting.waiting?.what).toBe("bytes");
    expect(applyLive(waiting, { type: "text_delta", reply, text: "a" }).waiting).toBeUndefined();
    const retrying = applyLive(waiting, { type: "retrying", turn, attempt: 1, of: 10, inMs: 500, why: "overloaded" }, 1_000);
    expect([retrying.waiting, retrying.retrying?.attempt]).toEqual([undefined, 1]);
  });

  it("withdraws what a tombstone names, and nothing else", () => {
    const live = play({ type: "text_delta", reply, text: "a" });
    expect(applyLive(live, { type: "tombstone", turn, reply }).parts).toEqual([]);
    expect(applyLive(live, { type: "tombstone", turn, reply: ReplyId.parse("r9") })).toBe(live);
  });

  it("hands the blocks of a finished text on, so that nobody splits it again", () => {
    const live = play({ type: "text_delta", reply, text: "# One\n\ntwo" });
    const settled = settleLive(live, { v: 1, type: "reply_withdrawn", turn, reply, why: "x" });
    expect(settled.finished).toEqual([{ text: "# One\n\ntwo", blocks: ["# One", "two"] }]);
  });

  it("gives way to the durable events that follow", () => {
    const live = play({ type: "text_delta", reply, text: "a" }, running);
    const settled = settleLive(live, {
      v: 1,
      type: "reply_completed",
      entry: EntryId.parse("e"),
      turn,
      step: 1,
      reply,
      by,
      blocks: [],
      stop: { kind: "end_turn" },
      usage: NO_USAGE,
      partial: false,
    });
    expect([settled.parts, Object.keys(settled.calls)]).toEqual([[], ["c1"]]);
    const outcome = { status: "ok" as const, callId: call, metrics: { ms: 1, bytes: 1 }, forModel: [], display: "full" as const };
    expect(settleLive(settled, { v: 1, type: "call_settled", turn, call, tool: "bash", outcome }).calls).toEqual({});
    expect(
      settleLive(live, { v: 1, type: "turn_complete", turn, end: { why: "answered", steps: 1, requests: 1, lostSteps: 0 }, ms: 1, waitedForPerson: false }),
    ).toEqual({ ...NO_LIVE, finished: [] });
  });
});
