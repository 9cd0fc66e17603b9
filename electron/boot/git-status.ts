// Reads what `git status --porcelain=v2 --branch` prints, and says it to the model (P12). Pure.
import type { RepositoryAtStart } from "#shared/events/session.ts";

export type DirtyFile = { readonly status: string; readonly path: string };
export type RepositoryState = {
  /** undefined before the first commit */
  readonly head: string | undefined;
  /** undefined when HEAD stands on no branch */
  readonly branch: string | undefined;
  readonly upstream: string | undefined;
  /** "+1 -2": commits ahead of and behind the upstream */
  readonly distance: string | undefined;
  readonly dirty: readonly DirtyFile[];
};

const MOST_NAMED = 12;
const SHORT = 10;

/** Lines that are not known are left out: a newer git may print more. */
export function readStatus(output: string): RepositoryState {
  const lines = output.split("\n");
  const header = (name: string) => lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const [head, branch] = [header("oid"), header("head")];
  return {
    head: head === "(initial)" ? undefined : head,
    branch: branch === "(detached)" ? undefined : branch,
    upstream: header("upstream"),
    distance: header("ab"),
    dirty: lines.flatMap(dirtyFile),
  };
}

// `1 .M N... 100644 100644 100644 hash hash path` · `2 R. … X100 new\told` · `u UU … path` · `? path`
function dirtyFile(line: string): readonly DirtyFile[] {
  const ordinary = /^1 (\S\S) (?:\S+ ){6}(.+)$/.exec(line) ?? /^2 (\S\S) (?:\S+ ){7}([^\t]+)/.exec(line) ?? /^u (\S\S) (?:\S+ ){8}(.+)$/.exec(line);
  const [, status, path] = ordinary ?? [];
  if (status !== undefined && path !== undefined) return [{ status, path }];
  const untracked = /^\? (.+)$/.exec(line)?.[1];
  return untracked === undefined ? [] : [{ status: "??", path: untracked }];
}

/** What the model is told each turn. `start` is undefined when nobody knows how the session began. */
export function momentLines(now: RepositoryState, start: RepositoryAtStart | undefined): readonly string[] {
  const known = start?.state === "repository" ? start : undefined;
  return [branchLine(now), ...movedLine(now, known), ...dirtyLines(now.dirty, known)];
}

function branchLine({ branch, head, upstream, distance }: RepositoryState): string {
  const at = head === undefined ? "no commit yet" : `HEAD ${head.slice(0, SHORT)}`;
  const from = upstream === undefined ? "" : `, follows ${upstream}${distance === undefined ? "" : ` (${distance})`}`;
  return `git branch ${branch ?? "none (detached)"}, ${at}${from}`;
}

function movedLine(now: RepositoryState, start: RepositoryAtStart | undefined): readonly string[] {
  if (start === undefined || (start.head === now.head && start.branch === now.branch)) return [];
  return [
    `when this session began: branch ${start.branch ?? "none (detached)"}, ${start.head === undefined ? "no commit yet" : `HEAD ${start.head.slice(0, SHORT)}`}`,
  ];
}

function dirtyLines(dirty: readonly DirtyFile[], start: RepositoryAtStart | undefined): readonly string[] {
  if (dirty.length === 0) return ["nothing is uncommitted"];
  if (start === undefined) return [`uncommitted before this turn, so the user's unless you changed it: ${named(dirty)}`];
  const then = new Set(start.dirty.map(({ path }) => path));
  const [persons, since] = [dirty.filter(({ path }) => then.has(path)), dirty.filter(({ path }) => !then.has(path))];
  return [
    ...(persons.length === 0 ? [] : [`uncommitted when this session began, so the user's own work; never discard or commit it unasked: ${named(persons)}`]),
    // Not all of the beginning was kept when there was very much of it.
    ...(since.length === 0 ? [] : [`${start.more > 0 ? "also uncommitted, partly since before this session" : "uncommitted since then"}: ${named(since)}`]),
  ];
}

function named(files: readonly DirtyFile[]): string {
  const shown = files.slice(0, MOST_NAMED).map(({ status, path }) => `${status} ${path}`);
  return `${shown.join(", ")}${more(files.length - shown.length)}`;
}

function more(count: number): string {
  return count > 0 ? `, … ${count} more` : "";
}
