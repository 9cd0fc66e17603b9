// What a path should look like when some changes since a point are taken back and the others stay (K5). Pure: the merge of
// contents is handed in. This is the heart of roll-back; its rules are in README.md.
import type { Author } from "./attribution.ts";
import type { LogRow } from "./change-log.ts";
import { sameState, type State } from "./entry.ts";
import type { MergedState } from "./merge.ts";

/** A roll-back that was done: for its paths, what came after `target` was left behind when it `ended`. Positions in the log. */
export type DoneRollback = {
  readonly target: number;
  readonly started: number;
  readonly ended: number;
  readonly covers: (path: string) => boolean /** whose work went back; undefined: everybody's */;
  readonly session?: string;
};

export type Taking = {
  /** who goes back: own work is taken back, that of others stays; "any": that of every session */
  readonly session: string;
  /** everything is taken back, whoever did it */
  readonly exact: boolean;
  /** only the work of these turns */
  readonly turns: readonly string[] | undefined;
};

export type Rebased =
  | { readonly kind: "change"; readonly now: State; readonly want: State; readonly merged: boolean }
  | { readonly kind: "kept"; readonly now: State; readonly want: State }
  | { readonly kind: "conflict"; readonly now: State; readonly want: State }
  | { readonly kind: "unavailable"; readonly now: State; readonly want: State }
  | { readonly kind: "same" };

export const ANY_SESSION = "any";

export type MergeOne = (sides: { readonly base: State; readonly ours: State; readonly theirs: State }) => MergedState;

export function isTakenBack(author: Author, taking: Taking): boolean {
  if (taking.exact) return true;
  if (author.who === "person" || author.who === "background" || author.who === "coverage" || author.who === "shared") return false;
  if (author.who === "during_call" && author.session === undefined) return false;
  if (taking.session !== ANY_SESSION && author.session !== taking.session) return false;
  return taking.turns === undefined || (author.turn !== undefined && taking.turns.includes(author.turn));
}

/**
 * The changes that count, oldest first: what a roll-back left behind is cut out, and what it kept stands as the person's.
 * Going back to a point that itself was left behind takes the roll-back back instead.
 */
export function effectiveRows(rows: readonly LogRow[], rollbacks: readonly DoneRollback[], target: number): readonly LogRow[] {
  let kept = rows;
  let reach = Number.POSITIVE_INFINITY;
  for (const rollback of [...rollbacks].sort((a, b) => b.ended - a.ended)) {
    const path = rows[0]?.path;
    if (path === undefined || rollback.ended > reach || rollback.target < target || !rollback.covers(path)) continue;
    const cut = kept.filter((row) => row.id > rollback.target && row.id <= rollback.ended);
    // nothing of the one who went back was here: the work of another session stays its own, step by step
    if (isOthersAlone(cut, rollback.session)) continue;
    reach = rollback.target;
    const first = cut[0];
    const last = cut.at(-1);
    if (first === undefined || last === undefined) continue;
    const stayed: LogRow = { id: rollback.ended, path, before: first.before, after: last.after, author: authorOfStayed(cut, rollback.session) };
    kept = [
      ...kept.filter((row) => row.id <= rollback.target),
      ...(sameState(stayed.before, stayed.after) ? [] : [stayed]),
      ...kept.filter((row) => row.id > rollback.ended),
    ];
  }
  return kept;
}

const isAgents = ({ author }: LogRow) => author.session !== undefined && (author.who === "agent" || author.who === "during_call");

function isOthersAlone(cut: readonly LogRow[], session: string | undefined): boolean {
  return session !== undefined && cut.length > 0 && cut.every((row) => isAgents(row) && row.author.session !== session);
}

/** Of what was left after somebody went back: where it is the work of one other session alone, that one can still take it back. */
function authorOfStayed(cut: readonly LogRow[], session: string | undefined): Author {
  const others = cut.filter((row) => row.author.who !== "coverage" && row.author.session !== session);
  const own = cut.filter((row) => row.author.session === session);
  const wentBack = own.some((row) => row.author.who === "rollback");
  const last = others.at(-1);
  // where their own work stayed too, in a conflict, nobody can tell the two apart any more
  if (session === undefined || last === undefined || (own.length > 0 && !wentBack)) return { who: "person" };
  return others.every((row) => isAgents(row) && row.author.session === last.author.session) ? last.author : { who: "person" };
}

/** `rows`: the effective ones of one path. */
export function rebase(rows: readonly LogRow[], taking: Taking, merge: MergeOne): Rebased {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return { kind: "same" };
  const now = last.after;
  if (rows.every((row) => row.author.who === "coverage")) return onlyCoverage(first.before, now);
  const isAnyones = !taking.exact && rows.some((row) => row.author.who === "shared");
  if (isAnyones && !sameState(first.before, now)) return { kind: "conflict", now, want: first.before };
  const staying = rows.filter((row) => !isTakenBack(row.author, taking));
  const want = replay(first.before, staying, merge);
  if (want === "conflict") return { kind: "conflict", now, want: first.before };
  const keeps = staying.some((row) => row.author.who !== "coverage");
  if (!sameState(want.state, now)) return changeTo(now, want.state, keeps);
  return keeps && !sameState(first.before, now) ? { kind: "kept", now, want: first.before } : { kind: "same" };
}

function changeTo(now: State, want: State, merged: boolean): Rebased {
  const isUnknown = want?.kind === "opaque" || now?.kind === "opaque";
  return isUnknown ? { kind: "unavailable", now, want } : { kind: "change", now, want, merged };
}

/** What comes of the old state when only these changes are made to it. */
function replay(begin: State, rows: readonly LogRow[], merge: MergeOne): { readonly state: State } | "conflict" {
  let state = begin;
  for (const row of rows) {
    const merged = merge({ base: row.before, ours: state, theirs: row.after });
    if (merged.kind === "conflict") return "conflict";
    state = merged.state;
  }
  return { state };
}

/** Whether something is protected is not its content; but what could not be read then cannot be said to be as it was. */
function onlyCoverage(before: State, now: State): Rebased {
  return before?.kind === "opaque" && before.why === "unreadable" ? { kind: "unavailable", now, want: before } : { kind: "same" };
}
