// What the person decided in a session, found in its cards: it outlives every compaction (C5).
import type { CardView } from "#shared/tools/card.ts";
import type { SessionView } from "./view.ts";

export type Decision = Extract<CardView, { kind: "answers" | "plan" }>;

/** Oldest first, of one turn or all; what belongs to a branch that was left is not decided. */
export function decisionsOf(view: SessionView, turn?: string): readonly Decision[] {
  return view.rows.flatMap((row) => {
    const card = row.kind === "call" && !row.left && (turn === undefined || row.turn === turn) ? view.calls[row.call]?.outcome?.view : undefined;
    return card?.kind === "answers" || card?.kind === "plan" ? [card] : [];
  });
}
