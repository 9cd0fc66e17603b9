// Says in the newest message that plan mode began or ended (C7, C8): once, and again when a compaction took the words away.
// The fixed part of the request stays as it is, so a change of mode costs no cache.
import type { Message } from "#shared/chat/blocks.ts";
import { lastNoteOf, type NoteDraft } from "#shared/chat/note.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import { planModeOffText, planModeText, type Planner } from "./turn-notes.text.ts";

const ON = "plan_mode";
const OFF = "plan_mode_off";

export function modeNotesOf(history: readonly Message[], mode: PermissionMode, planner: Planner): readonly NoteDraft[] {
  const said = lastNoteOf(history, [ON, OFF]);
  if (mode === "plan") return said === ON ? [] : [{ source: ON, text: planModeText(planner) }];
  return said === ON ? [{ source: OFF, text: planModeOffText() }] : [];
}
