import { describe, expect, it } from "vitest";
import { ReplyId, Seq, SessionId } from "#shared/lib/ids.ts";
import type { FollowItem } from "#renderer/bridge/follow.ts";
import { createSessionRegistry } from "./session-registry.ts";
import type { SessionStoreDeps } from "./session-store.ts";

function setUp() {
  const frames: (() => void)[] = [];
  const opened: { send: (items: FollowItem[]) => void; closed: boolean }[] = [];
  const deps: SessionStoreDeps = {
    follow: (_key, onItem) => {
      const own = { send: onItem, closed: false };
      opened.push(own);
      return { [Symbol.dispose]: () => void (own.closed = true) };
    },
    later: () => () => undefined,
    onFrame: (action) => {
      frames.push(action);
      return () => void frames.splice(frames.indexOf(action), 1);
    },
  };
  return { frames, opened, registry: createSessionRegistry(deps) };
}

const id = SessionId.parse("s1");
const renamed = (seq: number): FollowItem => ({
  kind: "stored",
  stored: { seq: Seq.parse(seq), at: seq, event: { v: 1, type: "session_renamed", title: `t${seq}`, byPerson: true } },
});
const delta = (text: string): FollowItem => ({ kind: "live", event: { type: "text_delta", reply: ReplyId.parse("r"), text } });

describe("session store", () => {
  it("applies all events of a frame in one change", () => {
    const { frames, opened, registry } = setUp();
    const { store } = registry.hold(id);
    let changes = 0;
    store.subscribe(() => (changes += 1));
    opened[0]?.send([renamed(1)]);
    opened[0]?.send([renamed(2), delta("a"), delta("b")]);
    expect([store.getState().loaded, frames.length]).toEqual([false, 1]);
    frames.shift()?.();
    const { view, live, loaded } = store.getState();
    expect([changes, view.title, loaded, live.parts]).toEqual([1, "t2", true, [{ kind: "text", text: "ab", blocks: { done: [], tail: "ab", searched: 0 } }]]);
  });

  it("lets a session go when its last holder does, and drops what was waiting for a frame", () => {
    const { frames, opened, registry } = setUp();
    const first = registry.hold(id);
    const second = registry.hold(id);
    expect(second.store).toBe(first.store);
    opened[0]?.send([renamed(1)]);
    first.release();
    first.release();
    expect(registry.peek(id)).toBe(first.store);
    second.release();
    expect([registry.peek(id), opened[0]?.closed, frames.length]).toEqual([undefined, true, 0]);
  });
});
