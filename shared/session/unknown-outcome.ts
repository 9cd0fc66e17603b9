// Whether the person can still say what became of an interrupted call (S2): only until the conversation goes on, because what the
// model has read must not change behind its back (C7). Pure; the window shows the question by it, the session takes the answer by it.
import type { CallView, SessionView } from "./view.ts";

export function isOutcomeAsked(view: SessionView, call: CallView | undefined): boolean {
  if (call?.outcome?.interrupted !== "unknown" || call.told !== undefined || view.turn !== undefined || view.head === null) return false;
  return view.entries[view.head]?.turn === call.turn;
}
