// Walking the two trees of a session: its conversation entries and its checkpoints (K6: the future stays visible as a branch).
import { toolUsesOf } from "#shared/chat/blocks.ts";
import type { Checkpoint } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId, EntryId } from "#shared/lib/ids.ts";
import type { Entry, Row, SessionView, TrailNode } from "./view.ts";

/** Entries from `head` back to the first one, newest first. */
export function* ancestors(entries: SessionView["entries"], head: EntryId | null): Generator<Entry> {
  let at = head;
  while (at !== null) {
    const entry: Entry | undefined = entries[at];
    if (entry === undefined) return;
    yield entry;
    at = entry.parent;
  }
}

/** The newest entry after which the history is complete: never a reply whose calls are still unanswered. */
export function completeHead(view: SessionView): EntryId | null {
  const newest = view.head === null ? undefined : view.entries[view.head];
  return newest?.kind === "reply" && toolUsesOf(newest.blocks).length > 0 ? newest.parent : view.head;
}

/** Where the conversation goes when one goes back to this checkpoint. */
export function headFor(view: SessionView, checkpoint: Checkpoint): EntryId | null {
  if (checkpoint.cause.kind !== "turn_start") return completeHead(view);
  for (const entry of ancestors(view.entries, view.head)) {
    if (entry.turn !== checkpoint.cause.turn) return entry.id;
  }
  return null;
}

/** Marks rows that are not on the way from the first entry to `head`. */
export function markRows(rows: readonly Row[], entries: SessionView["entries"], head: EntryId | null): readonly Row[] {
  const onPath = new Set<EntryId>();
  for (const entry of ancestors(entries, head)) onPath.add(entry.id);
  return rows.map((row) => {
    const left = row.kind !== "rolled_back" && row.entry !== null && !onPath.has(row.entry);
    return row.left === left ? row : { ...row, left };
  });
}

/** Marks stones that are not on the way from the first checkpoint to `current`. */
export function markTrail(trail: readonly TrailNode[], current: CheckpointId | undefined): readonly TrailNode[] {
  const byId = new Map(trail.map((node) => [node.checkpoint.id, node]));
  const onPath = new Set<CheckpointId>();
  for (let at = current; at !== undefined && !onPath.has(at); at = byId.get(at)?.parent) onPath.add(at);
  return trail.map((node) => {
    const left = !onPath.has(node.checkpoint.id);
    return node.left === left ? node : { ...node, left };
  });
}
