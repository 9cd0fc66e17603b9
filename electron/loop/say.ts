// The harness's words to the model: told as an event, so that the log and the history always agree (C8, L2).
import type { NoteDraft } from "#shared/chat/note.ts";
import type { LoopEvent, LoopState } from "./contract.ts";
import { grow, withNotes } from "./state.ts";

export function* addNotes(state: LoopState, notes: readonly NoteDraft[]): Generator<LoopEvent, LoopState, void> {
  for (const note of notes) yield { type: "note", step: state.step, text: note.text, source: note.source };
  return notes.length === 0 ? state : grow(state, { history: withNotes(state.history, notes) });
}
