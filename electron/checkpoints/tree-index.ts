// What was found at each path the last time it was looked at, with the times that tell whether it must be read again (K3).
// Kept in memory while the store is open; the database holds the same.
import type { Db, Row } from "./database.ts";
import type { DiskStat } from "./disk.ts";
import { type Entry, fromColumns, toColumns, type WhyUncovered } from "./entry.ts";
import { COARSE_FILE_CLOCK_SLACK_MS } from "./limits.ts";
import { bytesOfText, textOfBytes } from "./paths.ts";
import { isIntact, sumOf, valuesOf } from "./row-sum.ts";

export type IndexRow = {
  readonly entry: Entry;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
  /** when the content was read, ms since the epoch; 0: must be read again */
  readonly checked: number;
};
/** `row` undefined: nothing stands there any more */
export type IndexUpdate = { readonly path: string; readonly row: IndexRow | undefined };

export interface TreeIndex {
  get(path: string): IndexRow | undefined;
  paths(): Iterable<string>;
  size(): number;
  /** All paths below a folder. */
  below(folder: string): readonly string[];
  /** What is not covered, with why; in no order. */
  uncovered(): Iterable<readonly [string, WhyUncovered]>;
  /** Something held, not only a listed folder, lies below. */
  holdsBelow(folder: string): boolean;
  /** Inside a transaction: into the database only. */
  store(updates: readonly IndexUpdate[]): void;
  /** After it was committed: into memory. */
  remember(updates: readonly IndexUpdate[]): void;
  totals(): { readonly files: number; readonly bytes: number };
  /** Takes everything from the database anew (another process wrote it). */
  reload(): void;
  /** Some of what the database held was damaged and left out: what is missing here may have stood there all along. */
  readonly isDoubtful: boolean;
  /** Inside a transaction: writes all that is known anew. Afterwards `trust` ends the doubt. */
  rewrite(): void;
  trust(): void;
  /** The next `limit` rows after this path as they are in the database. `next` undefined: those were the last. */
  check(after: Uint8Array, limit: number): { readonly damaged: boolean; readonly next: Uint8Array | undefined };
}

const SELECT = "SELECT path, kind, mode, size, hash, text, mtime, ctime, ino, checked, sum FROM entries";

export function createTreeIndex(db: Db): TreeIndex {
  const rows = new Map<string, IndexRow>();
  let files = 0;
  let bytes = 0;
  let isDoubtful = false;

  const uncovered = new Map<string, WhyUncovered>();

  const count = (row: IndexRow | undefined, by: 1 | -1) => {
    if (row?.entry.kind === "file") {
      files += by;
      bytes += by * row.entry.size;
    } else if (row?.entry.kind === "link") files += by;
  };
  const put = (path: string, row: IndexRow | undefined) => {
    count(rows.get(path), -1);
    count(row, 1);
    const why = row === undefined ? undefined : whyUncovered(row.entry);
    if (why !== undefined) uncovered.set(path, why);
    else if (uncovered.size > 0) uncovered.delete(path);
    if (row === undefined) rows.delete(path);
    else rows.set(path, row);
  };
  const index: TreeIndex = {
    get: (path) => rows.get(path),
    paths: () => rows.keys(),
    size: () => rows.size,
    uncovered: () => uncovered,
    below: (folder) => db.all("SELECT path FROM entries WHERE path > ? AND path < ?", range(folder)).map((row) => textOfBytes(row.bytes(0))),
    holdsBelow: (folder) => db.one("SELECT 1 FROM entries WHERE path > ? AND path < ? AND kind <> 4 LIMIT 1", range(folder)) !== undefined,
    store(updates) {
      for (const { path, row } of updates) {
        const key = bytesOfText(path);
        if (row === undefined) db.run("DELETE FROM entries WHERE path = ?", [key]);
        else writeRow(db, key, row);
      }
    },
    remember: (updates) => updates.forEach(({ path, row }) => put(path, row)),
    totals: () => ({ files, bytes }),
    reload() {
      rows.clear();
      uncovered.clear();
      files = 0;
      bytes = 0;
      for (const row of db.all(SELECT)) if (!readRow(row, put)) isDoubtful = true;
    },
    get isDoubtful() {
      return isDoubtful;
    },
    rewrite() {
      // as a whole: among damaged keys single ones are not found
      db.run("DELETE FROM entries");
      index.store([...rows].map(([path, row]) => ({ path, row })));
    },
    trust() {
      isDoubtful = false;
    },
    check: (after, limit) => checkPage(db, after, limit),
  };
  index.reload();
  return index;
}

/** "0" follows "/" */
const range = (folder: string) => [bytesOfText(`${folder}/`), bytesOfText(`${folder}0`)];

function whyUncovered(entry: Entry): WhyUncovered | undefined {
  if (entry.kind === "opaque") return entry.why;
  return entry.kind === "dir" && entry.partial ? "dependency_folder" : undefined;
}

function writeRow(db: Db, key: Uint8Array, row: IndexRow): void {
  const values = [key, ...toColumns(row.entry), row.mtime, row.ctime, row.ino];
  db.run("INSERT OR REPLACE INTO entries VALUES(?,?,?,?,?,?,?,?,?,?,?)", [...values, row.checked, sumOf(values)]);
}

function checkPage(db: Db, after: Uint8Array, limit: number): ReturnType<TreeIndex["check"]> {
  const page = db.all(`${SELECT} WHERE path > ? ORDER BY path LIMIT ?`, [after, limit]);
  return { damaged: page.some((row) => !isTrue(row)), next: page.length < limit ? undefined : page.at(-1)?.bytes(0) };
}

/** When it was read last may be set back, and is not in the sum. */
const isTrue = (row: Row) => isIntact(row.value(10), valuesOf(row, 0, 9));

/** False: it is damaged. */
function readRow(row: Row, put: (path: string, row: IndexRow) => void): boolean {
  if (!isTrue(row)) return false;
  const entry = fromColumns({ kind: row.number(1), mode: row.number(2), size: row.number(3), hash: row.bytes(4), text: row.bytes(5) });
  if (entry === undefined) return false;
  put(textOfBytes(row.bytes(0)), { entry, mtime: row.number(6), ctime: row.number(7), ino: row.number(8), checked: row.number(9) });
  return true;
}

/**
 * The same file, untouched since it was read. One that changed less than `slackMs` before it was read may have changed again
 * without its times showing it.
 */
export function isUntouched(row: IndexRow, stat: DiskStat, slackMs: number): boolean {
  if (row.mtime !== stat.mtime || row.ctime !== stat.ctime || row.ino !== stat.ino) return false;
  if (row.entry.kind === "file" && (row.entry.size !== stat.size || row.entry.mode !== stat.mode)) return false;
  const isCoarse = stat.mtime % 1000 === 0 && stat.ctime % 1000 === 0;
  return stat.ctime < row.checked - Math.max(slackMs, isCoarse ? COARSE_FILE_CLOCK_SLACK_MS : 0);
}
