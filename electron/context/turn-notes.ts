// What the harness adds to the newest message (C5, C7 to C10): things that stay are said once, things that move are said anew each turn
// and say that they are of that moment. All of it is bounded, and each piece has its source.
import { hasNote, type NoteDraft } from "#shared/chat/note.ts";
import type { Message } from "#shared/chat/blocks.ts";
import { headOf } from "#shared/lib/text.ts";
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { Decision } from "#shared/session/decisions.ts";
import { FOLDER_MAP_BYTES } from "./limits.ts";
import { changedFilesText, decisionsText, folderMapText, goalNoteText, hypothesesNoteText, momentText, todosNoteText } from "./turn-notes.text.ts";

/** Facts of the session around the context; each may have nothing to say. */
export interface ContextFacts {
  /** folders, languages, build files, test command (C10) */
  folderMap(): Promise<string | undefined>;
  /** AGENTS.md and the like (C9), see `instructions.ts` */
  instructions(): Promise<readonly NoteDraft[]>;
  /** what moves: git state and the like, one fact a line */
  moment(): Promise<readonly string[]>;
  now(): Date;
  goal(): Goal | undefined;
  todos(): readonly TodoItem[];
  hypotheses(): readonly Hypothesis[];
  /** what the person answered and what they said to plans, oldest first */
  decisions(): readonly Decision[];
  /** workspace-relative paths that this session changed */
  changedFiles(): readonly string[];
}

export async function turnNotesOf(history: readonly Message[], facts: ContextFacts): Promise<readonly NoteDraft[]> {
  const [lasting, moment] = await Promise.all([missing(history, facts), facts.moment()]);
  return [...lasting, { source: "now", text: momentText(facts.now(), moment) }];
}

export async function returningNotesOf(history: readonly Message[], facts: ContextFacts): Promise<readonly NoteDraft[]> {
  const goal = facts.goal();
  const todos = facts.todos();
  const hypotheses = facts.hypotheses();
  const changed = facts.changedFiles();
  const decisions = facts.decisions();
  return [
    ...(await missing(history, facts)),
    ...(decisions.length === 0 ? [] : [{ source: "decisions", text: decisionsText(decisions) }]),
    ...(goal === undefined || goal.state !== "open" ? [] : [{ source: "goal", text: goalNoteText(goal) }]),
    ...(todos.length === 0 ? [] : [{ source: "todos", text: todosNoteText(todos) }]),
    ...(hypotheses.length === 0 ? [] : [{ source: "hypotheses", text: hypothesesNoteText(hypotheses) }]),
    ...(changed.length === 0 ? [] : [{ source: "changed_files", text: changedFilesText(changed) }]),
  ];
}

/** What is said once and is not (or no longer) in the history. */
async function missing(history: readonly Message[], facts: ContextFacts): Promise<readonly NoteDraft[]> {
  const [map, instructions] = await Promise.all([hasNote(history, "folder_map") ? undefined : facts.folderMap(), facts.instructions()]);
  const drafts = [...(map === undefined ? [] : [{ source: "folder_map", text: folderMapText(headOf(map, FOLDER_MAP_BYTES)) }]), ...instructions];
  return drafts.filter((draft) => !hasNote(history, draft.source));
}
