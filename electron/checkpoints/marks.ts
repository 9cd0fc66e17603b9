// The points to go back to: each is a position in the log of changes, with what a person needs to recognise it (K2).
import type { z } from "zod";
import { Checkpoint, type CheckpointCause, type FileChange } from "#shared/checkpoints/checkpoint.ts";
import { shownAs } from "./attribution.ts";
import { type NetChange, netChanges } from "./change-log.ts";
import type { Row } from "./database.ts";
import type { State } from "./entry.ts";
import { readGitHead } from "./git-head.ts";
import { readMeta, type StoreParts, writeMeta } from "./parts.ts";
import { ancestorsOf } from "./paths.ts";
import { isIntact, sumOf, valuesOf } from "./row-sum.ts";
import { countLines, type LineCount } from "./text-compare.ts";

export type Mark = {
  readonly checkpoint: Checkpoint;
  readonly position: number;
  readonly session: string;
  readonly pinned: boolean;
  readonly gitHead: string | undefined;
};

export interface Marks {
  /** Those whose record is damaged are left out. */
  all(): readonly Mark[];
  /** how many are left out */
  damaged(): number;
  get(id: string): Mark | undefined;
  /** What the folder's present state grew from: the newest one, or the one that was gone back to. */
  current(): Mark | undefined;
  setCurrent(id: string): void;
  /** What changed since `current`. */
  pending(): readonly NetChange[];
  add(mark: { readonly id: string; readonly at: number; readonly cause: CheckpointCause; readonly session: string }): Mark;
  pin(id: string, pinned: boolean): boolean;
  /** One older than this that nothing holds. */
  hasForgettable(before: number): boolean;
  /** Takes one out of the list; what changed stays in the log. */
  remove(id: string): void;
}

const COLUMNS = "id, position, parent, at, session, head, shown, pinned, sum";
const Shown = Checkpoint.omit({ id: true, parent: true, at: true });
const CURRENT = "current";

export function createMarks(parts: StoreParts): Marks {
  const { db, log } = parts;
  const one = (where: string, params: readonly (string | number)[]) => {
    const row = db.one(`SELECT ${COLUMNS} FROM marks ${where}`, params);
    return row === undefined || !isTrue(row) ? undefined : toMark(row);
  };
  const get = (id: string) => one("WHERE id = ?", [id]);
  const all = () => db.all(`SELECT ${COLUMNS} FROM marks ORDER BY seq`).filter(isTrue).map(toMark);
  const current = (): Mark | undefined => {
    const id = readMeta(db, CURRENT);
    return (id === undefined ? undefined : get(id)) ?? all().at(-1);
  };
  const pending = () => {
    const from = current()?.position;
    return from === undefined ? [] : netChanges(log.between(from, log.head())).filter((change) => change.rows.some((row) => row.author.who !== "coverage"));
  };
  return {
    all,
    damaged: () => db.all(`SELECT ${COLUMNS} FROM marks`).filter((row) => !isTrue(row)).length,
    get,
    current,
    setCurrent: (id) => writeMeta(db, CURRENT, id),
    pending,
    add({ id, at, cause, session }) {
      const parent = current();
      const changes = describeChanges(parts, pending());
      const uncovered = listUncovered(parts);
      const shown: z.infer<typeof Shown> = {
        cause,
        ...parts.index.totals(),
        changes: changes.slice(0, parts.limits.listedChanges),
        ...(changes.length > parts.limits.listedChanges ? { changesCount: changes.length } : {}),
        uncovered: uncovered.slice(0, parts.limits.listedUncovered),
        uncoveredCount: uncovered.length,
      };
      const head = readGitHead(parts.disk, parts.root) ?? null;
      db.transaction(() => {
        const values = [id, log.head(), parent?.checkpoint.id ?? null, at, session, head, JSON.stringify(shown)];
        db.run("INSERT INTO marks(id, position, parent, at, session, head, shown, sum) VALUES(?,?,?,?,?,?,?,?)", [...values, sumOf(values)]);
        writeMeta(db, CURRENT, id);
      });
      const made = get(id);
      if (made === undefined) throw new Error(`checkpoint ${id} was not kept`);
      return made;
    },
    hasForgettable(before) {
      const held = current()?.checkpoint.id ?? "";
      return db.one("SELECT 1 FROM marks WHERE at < ? AND pinned = 0 AND id <> ? AND seq < (SELECT MAX(seq) FROM marks) LIMIT 1", [before, held]) !== undefined;
    },
    remove: (id) => void db.run("DELETE FROM marks WHERE id = ?", [id]),
    pin: (id, pinned) => db.run("UPDATE marks SET pinned = ? WHERE id = ?", [pinned ? 1 : 0, id]).changed > 0,
  };
}

/** Whether it is pinned may change, and is not in the sum. */
const isTrue = (row: Row) => isIntact(row.value(8), valuesOf(row, 0, 7));

function toMark(row: Row): Mark {
  const shown: unknown = JSON.parse(row.text(6));
  const parent = row.isNull(2) ? {} : { parent: row.text(2) };
  return {
    checkpoint: Checkpoint.parse({ ...Shown.parse(shown), id: row.text(0), at: row.number(3), ...parent }),
    position: row.number(1),
    session: row.text(4),
    gitHead: row.isNull(5) ? undefined : row.text(5),
    pinned: row.number(7) !== 0,
  };
}

function listUncovered(parts: StoreParts): Checkpoint["uncovered"] {
  const all = [...parts.index.uncovered()].map(([path, why]) => ({ path, why }));
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Lines are counted while this lasts; after that only which lines there are, and in the end none. */
const COUNT_BUDGET_MS = 60;
const COUNT_FILES = 500;

export function describeChanges(parts: StoreParts, changes: readonly NetChange[]): readonly FileChange[] {
  const until = parts.clock.monotonic() + COUNT_BUDGET_MS;
  const folders = foldersAbove(changes);
  let counted = 0;
  return changes
    .filter((change) => isWorthShowing(change, folders))
    .map((change) => {
      const timeMs = until - parts.clock.monotonic();
      const count = (counted += 1) > COUNT_FILES ? { added: 0, removed: 0, binary: false } : countChange(parts, change, timeMs);
      const author = change.rows.findLast((row) => row.author.who !== "coverage")?.author;
      return { path: shownPath(change), change: kindOf(change.before, change.after), ...count, by: shownAs(author?.who ?? "person") };
    });
}

/** A folder is only news when nothing inside it is. */
export function isWorthShowing(change: Pick<NetChange, "path" | "before" | "after">, foldersWithNews: ReadonlySet<string>): boolean {
  if ((change.after ?? change.before)?.kind !== "dir") return true;
  return change.before?.kind === change.after?.kind || !foldersWithNews.has(change.path);
}

export function foldersAbove(changes: readonly { readonly path: string }[]): ReadonlySet<string> {
  return new Set(changes.flatMap((change) => ancestorsOf(change.path)));
}

/** Folders end in a slash. */
export function shownPath(change: Pick<NetChange, "path" | "before" | "after">): string {
  return (change.after ?? change.before)?.kind === "dir" ? `${change.path}/` : change.path;
}

export function kindOf(before: State, after: State): FileChange["change"] {
  if (before === undefined) return "add";
  if (after === undefined) return "delete";
  if (before.kind === "file" && after.kind === "file") return before.hash === after.hash ? "mode" : "modify";
  return before.kind === "dir" && after.kind === "dir" ? "mode" : "modify";
}

/** Text of a file's stored content; undefined for everything else. Throws `DamagedBlob`. */
export function contentOf(parts: Pick<StoreParts, "blobs">, state: State): Uint8Array | undefined {
  return state?.kind === "file" ? parts.blobs.read(state.hash) : undefined;
}

export function countChange(parts: Pick<StoreParts, "blobs" | "limits">, change: Pick<NetChange, "before" | "after">, timeMs: number): LineCount {
  const { before, after } = change;
  const isOpaque = before?.kind === "opaque" || after?.kind === "opaque";
  const isLarge = [before, after].some((state) => state?.kind === "file" && state.size > parts.limits.maxTextBytes);
  if (isOpaque || isLarge) return { added: 0, removed: 0, binary: true };
  if (before?.kind === "file" && after?.kind === "file" && before.hash === after.hash) return { added: 0, removed: 0, binary: false };
  try {
    return countLines(contentOf(parts, before), contentOf(parts, after), { maxBytes: parts.limits.maxTextBytes, timeMs });
  } catch {
    // a damaged content is told when it is needed; a checkpoint is not refused for its counts
    return { added: 0, removed: 0, binary: true };
  }
}
