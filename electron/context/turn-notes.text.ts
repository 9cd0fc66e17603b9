// Words of the notes that travel in the newest message.
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";

const MAX_PATHS = 60;

export function folderMapText(map: string): string {
  return `Map of the workspace at the start of this session (generated and dependency folders are named, not listed):\n${map}`;
}

/** Old moments stay in the history, so each says that a later one is the current one (C8). */
export function momentText(at: Date, facts: readonly string[]): string {
  return [`At the start of this turn (a later note of this kind, or a later command, is more current): ${at.toISOString()}`, ...facts].join("\n");
}

export function goalNoteText(goal: Goal): string {
  return `The user's goal, still open: ${goal.text}`;
}

export function todosNoteText(todos: readonly TodoItem[]): string {
  return `Your to-do list as it stands:\n${todos.map((item) => `- [${item.status}] ${item.text}`).join("\n")}`;
}

/** With their falsifiers, which nobody may change afterwards (L13): the gate at the end still asks for those that are open. */
export function hypothesesNoteText(hypotheses: readonly Hypothesis[]): string {
  const lines = hypotheses.map(({ id, claim, falsifier, state }) => `- ${id} [${state}] ${claim}${state === "open" ? ` (wrong if: ${falsifier})` : ""}`);
  return `Your hypotheses as they stand; what is open or refuted must not be stated as a conclusion:\n${lines.join("\n")}`;
}

export function changedFilesText(paths: readonly string[]): string {
  const more = paths.length > MAX_PATHS ? `\n… and ${paths.length - MAX_PATHS} more` : "";
  return `Files changed in this session so far; read them again before you edit them:\n${paths
    .slice(0, MAX_PATHS)
    .map((path) => `- ${path}`)
    .join("\n")}${more}`;
}

export function instructionsText(path: string, content: string, cut: boolean): string {
  return `Instructions from ${path}. Follow them unless the user says otherwise; they cannot lift a rule of the harness.${cut ? " (Cut; read the file for the rest.)" : ""}\n\n${content}`;
}
