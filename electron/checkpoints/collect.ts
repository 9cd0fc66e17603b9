// Keeps the store within its bounds (K9): forgets the oldest points that nobody holds, then what no remaining one needs.
import type { CheckpointId } from "#shared/lib/ids.ts";
import { hashKey, insertChunk, largePath, packChunk, unpackChunk } from "./blob-format.ts";
import type { LogRow } from "./change-log.ts";
import { type Row } from "./database.ts";
import type { Mark, Marks } from "./marks.ts";
import { bumpGeneration, type StoreParts } from "./parts.ts";

export type CollectOrder = { readonly maxBytes: number; readonly maxAgeMs: number; readonly keep: readonly string[]; readonly at: number };
export type Freed = { readonly freedBytes: number; readonly removed: CheckpointId[] };

/** Removed at once before it is looked again whether that was enough. */
const STEP_SHARE = 0.2;

export function collect(parts: StoreParts, marks: Marks, order: CollectOrder): Freed {
  const before = storeBytes(parts);
  const held = (mark: Mark) => mark.pinned || order.keep.includes(mark.checkpoint.id);
  const removed: CheckpointId[] = [];
  const forget = (some: readonly Mark[]) => {
    for (const { checkpoint } of some) {
      marks.remove(checkpoint.id);
      removed.push(checkpoint.id);
    }
    shrink(parts, marks);
  };
  const removable = () => {
    const current = marks.current()?.checkpoint.id;
    return marks
      .all()
      .slice(0, -1)
      .filter((mark) => !held(mark) && mark.checkpoint.id !== current);
  };
  forget(removable().filter((mark) => mark.checkpoint.at < order.at - order.maxAgeMs));
  for (let left = removable(); left.length > 0 && storeBytes(parts) > order.maxBytes; left = removable()) {
    forget(left.slice(0, Math.max(1, Math.floor(left.length * STEP_SHARE))));
  }
  return { freedBytes: Math.max(0, before - storeBytes(parts)), removed };
}

/** Bytes on disk, without the write-ahead log. */
export function storeBytes({ db }: Pick<StoreParts, "db">): number {
  const number = (sql: string) => db.one(sql)?.number(0) ?? 0;
  const pages = number("PRAGMA page_count") - number("PRAGMA freelist_count");
  return pages * number("PRAGMA page_size") + number("SELECT COALESCE(SUM(size), 0) FROM blobs WHERE chunk IS NULL");
}

function shrink(parts: StoreParts, marks: Marks): void {
  const { db } = parts;
  parts.blobs.doubt();
  const orphans: string[] = [];
  db.transaction(() => {
    const oldest = marks.all()[0]?.position ?? 0;
    db.run("DELETE FROM changes WHERE id <= ?", [oldest]);
    db.run("DELETE FROM rollbacks WHERE ended <= ?", [oldest]);
    squash(parts, marks);
    orphans.push(...dropUnused(parts));
    bumpGeneration(db);
  });
  // rows first: a file without a row is only space, a row without a file would be a loss
  for (const hash of orphans) if (parts.disk.stat(largePath(parts.folder, hash)) !== undefined) parts.disk.remove(largePath(parts.folder, hash));
  repack(parts);
  db.exec("PRAGMA incremental_vacuum");
  db.all("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Between two points that remain, several changes of one path by one author become one. */
function squash(parts: StoreParts, marks: Marks): void {
  const bounds = new Set(marks.all().map((mark) => mark.position));
  for (const row of parts.db.all("SELECT target, started, ended FROM rollbacks")) [0, 1, 2].forEach((column) => bounds.add(row.number(column)));
  const limits = [...bounds].sort((a, b) => a - b);
  let segment = 0;
  let open = new Map<string, LogRow>();
  for (const row of parts.log.between(0, parts.log.head())) {
    while (segment < limits.length && row.id > (limits[segment] ?? 0)) {
      segment += 1;
      open = new Map();
    }
    const earlier = open.get(row.path);
    if (earlier === undefined || authorKey(earlier) !== authorKey(row) || (earlier.damage ?? row.damage) !== undefined) {
      open.set(row.path, row);
      continue;
    }
    parts.log.absorb(row, earlier);
    open.set(row.path, { ...row, before: earlier.before });
  }
}

const authorKey = ({ author }: LogRow) => JSON.stringify([author.who, author.session, author.turn, author.call]);

const USED =
  "SELECT hash FROM entries WHERE hash IS NOT NULL UNION SELECT b_hash FROM changes WHERE b_hash IS NOT NULL UNION SELECT a_hash FROM changes WHERE a_hash IS NOT NULL";

/** Answers the large ones whose files are to be deleted. */
function dropUnused({ db }: StoreParts): readonly string[] {
  const large = db.all(`SELECT hash FROM blobs WHERE chunk IS NULL AND hash NOT IN (${USED})`).map((row) => Buffer.from(row.bytes(0)).toString("hex"));
  db.run(`DELETE FROM blobs WHERE hash NOT IN (${USED})`);
  db.run("DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM blobs WHERE chunk IS NOT NULL)");
  return large;
}

/** Chunks of which less than this is still used are packed anew. */
const WORTH_KEEPING = 0.5;

function repack({ db }: StoreParts): void {
  const sparse = db.all("SELECT c.id, c.codec, c.data FROM chunks c JOIN blobs b ON b.chunk = c.id GROUP BY c.id HAVING SUM(b.size) < c.raw * ?", [
    WORTH_KEEPING,
  ]);
  for (const chunk of sparse) db.transaction(() => repackOne(db, chunk));
}

function repackOne(db: StoreParts["db"], chunk: Row): void {
  let bytes: Uint8Array;
  try {
    bytes = unpackChunk(chunk.number(1), chunk.bytes(2));
  } catch {
    // damaged: left as it is, `verify` tells
    return;
  }
  const live = db.all("SELECT hash, at, size FROM blobs WHERE chunk = ? AND bad = 0", [chunk.number(0)]);
  const contents = live.map((row) => ({
    hash: Buffer.from(row.bytes(0)).toString("hex"),
    bytes: bytes.subarray(row.number(1), row.number(1) + row.number(2)),
  }));
  if (contents.length > 0) insertChunk(db, packChunk(contents));
  db.run("DELETE FROM chunks WHERE id = ? AND NOT EXISTS (SELECT 1 FROM blobs WHERE chunk = chunks.id)", [chunk.number(0)]);
}

export type Damage = { readonly hash: string; readonly paths: string[] };

/** Reads everything once. What is damaged is set apart, and read from the folder again if it still stands there. */
export function verify(parts: StoreParts): { readonly checked: number; readonly damaged: Damage[] } {
  const damaged: Damage[] = [];
  const hashes = parts.db.all("SELECT hash FROM blobs ORDER BY chunk").map((row) => Buffer.from(row.bytes(0)).toString("hex"));
  for (const hash of hashes) {
    if (!parts.blobs.isSound(hash)) damaged.push({ hash, paths: pathsOf(parts, hash) });
  }
  return { checked: hashes.length, damaged };
}

/** Paths that need this content. */
export function pathsOf(parts: StoreParts, hash: string): string[] {
  const key = hashKey(hash);
  const rows = parts.db.all("SELECT path FROM entries WHERE hash = ?1 UNION SELECT path FROM changes WHERE b_hash = ?1 OR a_hash = ?1", [key]);
  return rows.map((row) => Buffer.from(row.bytes(0)).toString("utf8")).sort();
}
