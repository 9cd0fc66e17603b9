// Words of the notes that travel in the newest message.
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import { headOf, oneLine } from "#shared/lib/text.ts";
import type { Decision } from "#shared/session/decisions.ts";

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

/** Who plans: with a person to approve it, without one, or for another agent. */
export type Planner = { readonly kind: "person" | "headless"; readonly planFile: string } | { readonly kind: "subagent" };

export function planModeText(planner: Planner): string {
  const rule = "Plan mode is on: look and think, change nothing. Calls that change something are refused; of commands, those that only read pass.";
  if (planner.kind === "subagent") return `${rule} Report what you found, and what you would change where.`;
  const file = `The one file that you may write is the plan: ${planner.planFile}.`;
  const content = "It says what is to be changed where, in which order, and how it will be checked.";
  if (planner.kind === "headless") return `${rule} ${file} ${content} Present it with plan_exit; nobody can approve it in this run, so it is the answer.`;
  return `${rule} ${file} ${content} Ask what only the user can decide, then present the plan with plan_exit; until they approve it there, only plan. A question is just answered.`;
}

export function planModeOffText(): string {
  return "Plan mode is off: changes are possible again, within the permissions of the user.";
}

/** How much of a plan, an answer or a remark comes back. */
const MAX_DECISION_CHARS = 1_500;
const MAX_DECISIONS = 20;

/** In the person's own words; it binds after a compaction as before (C5). */
export function decisionsText(decisions: readonly Decision[]): string {
  const shown = decisions.slice(-MAX_DECISIONS).map((one) => `- ${decisionText(one)}`);
  return `What the user decided in this session; it stays decided, and a rejected plan is not tried or presented again:\n${shown.join("\n")}`;
}

function decisionText(one: Decision): string {
  if (one.kind === "answers") return one.items.map((item) => answerText(item, one.declined)).join("\n- ");
  const words = one.words === undefined ? "" : ` Their words: ${headOf(one.words, MAX_DECISION_CHARS)}`;
  const verdict = { rejected: "REJECTED this plan", approved: "approved this plan", unasked: "were not asked about this plan" }[one.decision];
  return `They ${verdict}.${words}\n  The plan began: ${oneLine(one.plan, MAX_DECISION_CHARS)}`;
}

function answerText({ question, picked, words }: Extract<Decision, { kind: "answers" }>["items"][number], declined: boolean): string {
  if (declined) return `Asked "${question}", they left it to you.`;
  const said = [...picked, ...(words === undefined ? [] : [`in their own words: ${headOf(words, MAX_DECISION_CHARS)}`])];
  return `Asked "${question}", they said: ${said.join("; ")}`;
}
