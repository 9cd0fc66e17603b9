import { describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { groupsOf } from "./group-sessions.ts";

const NOW = new Date(2026, 11, 1, 0, 30).getTime();
const HOUR = 3_600_000;
const session = (id: string, hoursAgo: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: SessionId.parse(id),
  title: id,
  cwd: `/home/me/${id.slice(0, 1)}`,
  updatedAt: NOW - hoursAgo * HOUR,
  attention: "idle",
  damaged: false,
  ...more,
});
const shape = (sessions: readonly SessionSummary[], by: "folder" | "time") =>
  groupsOf(sessions, by, NOW).map((group) => `${group.kind === "folder" ? group.name : group.kind}: ${group.sessions.map(({ id }) => id).join()}`);

const ALL = [
  session("a1", 0.2),
  session("a2", 1),
  session("b1", 48),
  session("b2", 24 * 30),
  session("a3", 2, { pinned: true }),
  session("b3", 0.1, { archived: true, pinned: true }),
];

describe("the library's groups", () => {
  it("by day goes by the calendar: an hour before midnight is yesterday", () => {
    expect(shape(ALL, "time")).toEqual(["pinned: a3", "today: a1", "yesterday: a2", "week: b1", "older: b2", "archived: b3"]);
  });

  it("by folder keeps what is pinned on top and what is archived at the end", () => {
    expect(shape(ALL, "folder")).toEqual(["pinned: a3", "a: a1,a2", "b: b1,b2", "archived: b3"]);
    expect(shape([], "folder")).toEqual([]);
  });
});
