import { describe, expect, it } from "vitest";
import { ReplyId, Seq, SessionId } from "#shared/lib/ids.ts";
import type { FollowDeps, FollowItem } from "./follow.ts";
import { followSession } from "./follow.ts";

const SESSION = SessionId.parse("s1");

function stored(seq: number): FollowItem {
  return { kind: "stored", stored: { seq: Seq.parse(seq), at: seq, event: { v: 1, type: "session_renamed", title: `t${seq}`, byPerson: true } } };
}

function setUp() {
  const opened: { from: number; send: (items: FollowItem[]) => void; gone: () => void; closed: boolean }[] = [];
  const waits: { action: () => void; ms: number }[] = [];
  const deps: FollowDeps = {
    follow: (key, onItem, onGone) => {
      const own = { from: Number(key.from), send: onItem, gone: () => onGone?.(), closed: false };
      opened.push(own);
      return { [Symbol.dispose]: () => void (own.closed = true) };
    },
    later: (action, ms) => {
      const wait = { action, ms };
      waits.push(wait);
      return () => void waits.splice(waits.indexOf(wait), waits.includes(wait) ? 1 : 0);
    },
  };
  const got: number[] = [];
  const problems: string[] = [];
  const follower = followSession(
    deps,
    { session: SESSION, from: Seq.parse(0) },
    {
      onEvents: (items) => got.push(...items.map((item) => (item.kind === "stored" ? item.stored.seq : -1))),
      onUnavailable: (message) => void problems.push(message),
    },
  );
  const runWaits = () => waits.splice(0).forEach(({ action }) => action());
  return { opened, waits, got, problems, follower, runWaits };
}

describe("followSession", () => {
  it("passes events on in order, live ones in between, and drops what it has already", () => {
    const { opened, got } = setUp();
    opened[0]?.send([
      stored(1),
      stored(2),
      { kind: "live", event: { type: "text_delta", reply: ReplyId.parse("r"), text: "x" } } satisfies FollowItem,
      stored(2),
      stored(3),
    ]);
    expect(got).toEqual([1, 2, -1, 3]);
  });

  it("asks again from the last event it has when one is missing", () => {
    const { opened, got, runWaits } = setUp();
    opened[0]?.send([stored(1), stored(3), stored(4)]);
    expect(got).toEqual([1]);
    runWaits();
    expect(opened.map(({ from, closed }) => ({ from, closed }))).toEqual([
      { from: 0, closed: true },
      { from: 1, closed: false },
    ]);
    opened[1]?.send([stored(2), stored(3), stored(4)]);
    opened[0]?.send([stored(5)]);
    expect(got).toEqual([1, 2, 3, 4]);
  });

  it("comes back after the stream ended, more slowly each time, and at once again after news", () => {
    const { opened, waits, runWaits } = setUp();
    const pauses: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      opened[at]?.gone();
      pauses.push(waits[0]?.ms ?? 0);
      runWaits();
    }
    opened[3]?.send([stored(1)]);
    opened[3]?.gone();
    pauses.push(waits[0]?.ms ?? 0);
    expect(pauses).toEqual([100, 200, 400, 100]);
  });

  it("does nothing more once disposed", () => {
    const { opened, waits, got, follower } = setUp();
    opened[0]?.gone();
    follower[Symbol.dispose]();
    expect(waits).toEqual([]);
    opened[0]?.send([stored(1)]);
    expect([got, opened.length]).toEqual([[], 1]);
  });

  it("says when the session cannot be shown", () => {
    const { opened, problems } = setUp();
    opened[0]?.send([{ kind: "unavailable", message: "damaged" }]);
    expect(problems).toEqual(["damaged"]);
  });
});
