// What a card says in its head: subject, state, icon. Pure, from the call and what is known live of it.
// Verbs are looked up by tool name in the catalogue with a general fallback: no list of tools lives here (T20).
import type { LiveCall } from "#renderer/stores/live-tail.ts";
import type { CallView } from "#shared/session/view.ts";
import type { FailureKind } from "#shared/tools/failure.ts";

export type CardState = "queued" | "asking" | "running" | "ok" | "failed" | "not_run";
export type CardIcon = "file" | "pencil" | "terminal" | "search" | "folder" | "list" | "page" | "question" | "plan" | "tool";

/** The fields that name what a call is about, most telling first. */
const SUBJECT_FIELDS = ["command", "path", "file_path", "notebook_path", "pattern", "query", "url", "description", "name"] as const;

export function cardState(call: CallView | undefined, live: LiveCall | undefined, turnRuns: boolean): CardState {
  if (call?.outcome !== undefined) return call.outcome.status;
  const states = [call?.state, live?.state];
  if (states.includes("waiting_for_person")) return "asking";
  if (states.includes("running")) return "running";
  return turnRuns || live !== undefined ? "queued" : "not_run";
}

/** The tool's name: a call whose events are still to come is known live only. */
export function toolOf(call: CallView | undefined, live: LiveCall | undefined): string {
  return call?.tool || (live?.tool ?? "");
}

export function inputOf(call: CallView | undefined, live: LiveCall | undefined): unknown {
  const own = call?.input;
  const empty = own === undefined || (typeof own === "object" && own !== null && Object.keys(own).length === 0);
  return empty && live !== undefined ? live.input : own;
}

/** The file, command or pattern in short; empty when the input names nothing. */
export function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = new Map<string, unknown>(Object.entries(input));
  for (const name of SUBJECT_FIELDS) {
    const value = fields.get(name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return "";
}

export function commandOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  return typeof input.command === "string" ? input.command : undefined;
}

/** The path as the person knows it: below the session's folder without that folder. */
export function shortPath(path: string, cwd: string): string {
  const folder = cwd.replace(/[\\/]+$/, "");
  if (folder === "" || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length).replace(/^[\\/]+/, "");
  return rest === "" ? path : path.length === folder.length + rest.length + 1 ? rest : path;
}

export function iconOf(call: CallView | undefined, input: unknown): CardIcon {
  switch (call?.outcome?.view?.kind) {
    case "file_read":
      return "file";
    case "file_change":
      return "pencil";
    case "listing":
      return "folder";
    case "search":
      return "search";
    case "shell":
      return "terminal";
    case "todos":
      return "list";
    case "answers":
      return "question";
    case "plan":
      return "plan";
    default:
      return iconOfInput(input);
  }
}

/** Fields that tell what a call is about, most telling first. */
const FIELD_ICONS: readonly (readonly [field: string, icon: CardIcon])[] = [
  ["command", "terminal"],
  ["content", "pencil"],
  ["old_string", "pencil"],
  ["edits", "pencil"],
  ["pattern", "search"],
  ["query", "search"],
  ["url", "page"],
  ["questions", "question"],
  ["plan", "plan"],
  ["path", "file"],
  ["file_path", "file"],
];

function iconOfInput(input: unknown): CardIcon {
  if (typeof input !== "object" || input === null) return "tool";
  return FIELD_ICONS.find(([field]) => field in input)?.[1] ?? "tool";
}

/** Words for how a failed call ended; a stop says more when it is known how far the call had come (L17). */
export function failureWords(call: CallView | undefined): FailureKind | "never_ran" | "unanswered" | undefined {
  if (call?.outcome?.status !== "failed") return undefined;
  const { kind } = call.outcome.failure;
  if (kind !== "aborted") return kind;
  if (call.startedAt === undefined) return "never_ran";
  return call.unanswered === true ? "unanswered" : kind;
}

/** Ends that the person chose are no failures: they get no red. */
const CHOSEN: ReadonlySet<string> = new Set(["permission_denied", "aborted", "hook_blocked"]);

export function wentWrong(call: CallView | undefined): boolean {
  return call?.outcome?.status === "failed" && !CHOSEN.has(call.outcome.failure.kind);
}

/** The first line of a command, for the head of its card. */
export function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line === text.trim() ? line : `${line} …`;
}
