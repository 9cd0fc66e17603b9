import { describe, expect, it } from "vitest";
import { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";
import { changeRange, type ChangeScope } from "./change-range.ts";

const node = (id: string, kind: "turn_start" | "turn_end" | "before_call" | "person", turn?: string): TrailNode => ({
  checkpoint: {
    id: CheckpointId.parse(id),
    cause: { kind, label: id, ...(turn === undefined ? {} : { turn: TurnId.parse(turn) }) },
    at: 1,
    files: 1,
    bytes: 1,
    changes: [],
    uncovered: [],
    uncoveredCount: 0,
  },
  parent: undefined,
  head: null,
  left: false,
});
const TRAIL = [node("a", "turn_start", "t1"), node("b", "turn_end", "t1"), node("c", "turn_start", "t2"), node("d", "before_call", "t2")];

describe("the range of changes", () => {
  it.each<{ name: string; scope: ChangeScope; turn?: string; trail?: readonly TrailNode[]; range: object }>([
    { name: "the last turn reaches to the folder", scope: "turn", turn: "t2", range: { from: "c", to: "folder" } },
    { name: "a turn in the middle ends at its own end", scope: "turn", turn: "t1", range: { from: "a", to: "b", turn: "t1" } },
    {
      name: "a turn without an end of its own ends where the next begins",
      scope: "turn",
      turn: "t1",
      trail: TRAIL.filter((each) => each.checkpoint.id !== "b"),
      range: { from: "a", to: "c", turn: "t1" },
    },
    { name: "the session is everything", scope: "session", range: { from: "a", to: "folder" } },
    { name: "two chosen points", scope: "since", range: { from: "b", to: "d" } },
    { name: "nothing yet", scope: "session", trail: [], range: { from: undefined, to: "folder" } },
  ])("$name", ({ scope, turn, trail = TRAIL, range }) => {
    const asked = { scope, turn: turn === undefined ? undefined : TurnId.parse(turn), from: CheckpointId.parse("b"), to: CheckpointId.parse("d") };
    expect(changeRange(trail, asked)).toEqual(range);
  });
});
