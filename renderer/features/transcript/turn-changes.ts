// What a turn changed, gathered from its checkpoints; and the stone one goes back to in order to undo it. Pure.
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";

export type TurnChanges = { readonly files: number; readonly added: number; readonly removed: number; readonly start: CheckpointId | undefined };

/** Changes that the agent made in this turn. Its first checkpoint holds what happened before, so it only gives the way back. */
export function turnChanges(trail: readonly TrailNode[], turn: TurnId): TurnChanges {
  const paths = new Set<string>();
  let added = 0;
  let removed = 0;
  let start: CheckpointId | undefined;
  for (const { checkpoint, parent } of trail) {
    if (checkpoint.cause.turn !== turn) continue;
    if (checkpoint.cause.kind === "turn_start") {
      start ??= checkpoint.id;
      continue;
    }
    start ??= parent;
    for (const change of checkpoint.changes) {
      if (change.by === "person") continue;
      paths.add(change.path);
      added += change.added;
      removed += change.removed;
    }
  }
  return { files: paths.size, added, removed, start };
}
