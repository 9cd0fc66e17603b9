import { describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { isUnread, withSeen } from "./seen.ts";

const session = (id: string, attention: SessionSummary["attention"], updatedAt: number): SessionSummary => ({
  id: SessionId.parse(id),
  title: id,
  cwd: "/w",
  updatedAt,
  attention,
  damaged: false,
});

describe("what was seen", () => {
  it("an end is unread until its pane was visible, and again after the next end", () => {
    const before = session("a", "done", 10);
    expect(isUnread(before, {})).toBe(true);
    const seen = withSeen({}, [before], new Set(["a"]));
    expect(isUnread(before, seen)).toBe(false);
    expect(isUnread(session("a", "failed", 11), seen)).toBe(true);
  });

  it("work, questions and rest are not unread; who is not visible stays unread", () => {
    expect((["working", "needs_you", "idle"] as const).map((attention) => isUnread(session("a", attention, 10), {}))).toEqual([false, false, false]);
    const other = session("b", "done", 10);
    expect(isUnread(other, withSeen({}, [session("a", "done", 10), other], new Set(["a"])))).toBe(true);
  });

  it("stays the same object when nothing is new, and forgets what is gone", () => {
    const seen = { a: 10, gone: 5 };
    expect(withSeen(seen, [session("a", "done", 10)], new Set(["a"]))).toBe(seen);
    expect(withSeen(seen, [session("a", "done", 12)], new Set(["a"]))).toEqual({ a: 12 });
  });
});
