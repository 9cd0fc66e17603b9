// From which point to which one looks at changes. Pure.
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";

export type ChangeScope = "turn" | "session" | "since" | "uncommitted";
export type ChangeRange = {
  readonly from: CheckpointId | undefined;
  readonly to: CheckpointId | "folder";
  /** the changes are this turn's, and later turns came after it */
  readonly turn?: TurnId;
  /** compared with the last commit instead of a point */
  readonly git?: true;
};

type Asked = { readonly scope: ChangeScope; readonly turn: TurnId | undefined; readonly from: CheckpointId | undefined; readonly to: CheckpointId | "folder" };

/** A turn ends where the next one begins; the last one reaches to the folder as it is. */
export function changeRange(trail: readonly TrailNode[], { scope, turn, from, to }: Asked): ChangeRange {
  if (scope === "since") return { from, to };
  // Git's own comparison: no checkpoint stands where it begins, so nothing of it is taken back here.
  if (scope === "uncommitted") return { from: undefined, to: "folder", git: true };
  if (scope === "session") return { from: trail[0]?.checkpoint.id, to: "folder" };
  const first = trail.findIndex((node) => node.checkpoint.cause.turn === turn);
  const start = trail[first]?.checkpoint.id;
  const next = trail.slice(first).find((node) => !node.left && node.checkpoint.cause.turn !== undefined && node.checkpoint.cause.turn !== turn);
  if (turn === undefined || start === undefined || next === undefined) return { from: start, to: "folder" };
  const end = trail.findLast((node) => node.checkpoint.cause.turn === turn && node.checkpoint.cause.kind === "turn_end");
  return { from: start, to: (end ?? next).checkpoint.id, turn };
}
