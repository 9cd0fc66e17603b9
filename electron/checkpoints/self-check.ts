// Looks for damage in the store by itself (K9): every content against its name, every row against its sum. In short slices after
// turns, when nobody waits; a pass that was interrupted, also by the end of the program, goes on where it was.
import { z } from "zod";
import { pathsOf } from "./collect.ts";
import type { Marks } from "./marks.ts";
import { readMeta, type StoreParts, writeMeta } from "./parts.ts";
import { unknownBefore } from "./plan.ts";
import { textOfBytes } from "./paths.ts";

export type Lost = {
  /** paths of which something that was kept cannot be brought back */
  readonly paths: readonly string[];
  /** points that cannot be gone back to */
  readonly points: number;
};

export interface SelfCheck {
  /** A pass is due, or one was begun. */
  isDue(now: number): boolean;
  /** Works for about so long; holding the lock. True: the pass is over. */
  slice(ms: number): boolean;
  /** What was found since this was asked last. */
  news(): Lost | undefined;
}

/** A pass each day: reading everything more often would wear the disk and the battery for nothing. */
const EVERY_MS = 24 * 60 * 60 * 1000;
const LIST_PAGE = 2000;
const ROWS_PAGE = 500;
const DONE_AT = "checked_at";
const NEXT_CHUNK = "check_next";
const DAMAGED_ROWS = "damaged_rows";

type Unit = { readonly chunk: number; readonly hashes: string[] };
type Pass = {
  readonly units: Map<number, Unit>;
  todo: Unit[] | undefined;
  listedTo: Uint8Array;
  changesTo: number;
  readonly damagedRows: DamagedRows;
  /** undefined: all of them were looked at */
  entriesTo: Uint8Array | undefined;
};

/** `nameless`: the newest of which not even the path is known. */
const DamagedRows = z.object({ nameless: z.number(), paths: z.array(z.string()) });
type DamagedRows = z.infer<typeof DamagedRows>;
const NONE: DamagedRows = { nameless: 0, paths: [] };

/** Contents that are files of their own are checked one by one, under numbers below zero. */
const LARGE = -1;

export function createSelfCheck(parts: StoreParts, marks: Marks): SelfCheck {
  const { db } = parts;
  let pass: Pass | undefined;
  const found = new Set<string>();
  let untoldPoints = 0;
  let knownPoints = lostPoints(parts, marks);

  const check = (hashes: readonly string[]) => {
    for (const hash of hashes) if (!parts.blobs.isSound(hash)) for (const path of pathsOf(parts, hash)) found.add(path);
  };
  const end = ({ damagedRows }: Pass) => {
    for (const path of damagedRows.paths) if (!readDamagedRows(parts).paths.includes(path)) found.add(path);
    writeMeta(db, DAMAGED_ROWS, JSON.stringify(damagedRows));
    writeMeta(db, NEXT_CHUNK, undefined);
    writeMeta(db, DONE_AT, `${parts.clock.now()}`);
    const points = lostPoints(parts, marks);
    untoldPoints += Math.max(0, points - knownPoints);
    knownPoints = points;
  };
  const step = (at: Pass): boolean => {
    if (at.todo === undefined) return list(parts, at);
    const unit = at.todo.pop();
    if (unit !== undefined) {
      check(unit.hashes);
      if (unit.chunk > 0) writeMeta(db, NEXT_CHUNK, `${unit.chunk}`);
      return false;
    }
    return checkRows(parts, at);
  };
  return {
    isDue: (now) => pass !== undefined || now - Number(readMeta(db, DONE_AT) ?? 0) > EVERY_MS,
    slice(ms) {
      const until = parts.clock.monotonic() + ms;
      pass ??= {
        units: new Map(),
        todo: undefined,
        listedTo: new Uint8Array(),
        changesTo: 0,
        entriesTo: new Uint8Array(),
        damagedRows: { nameless: 0, paths: [] },
      };
      while (parts.clock.monotonic() < until) {
        if (!step(pass)) continue;
        end(pass);
        pass = undefined;
        return true;
      }
      return false;
    },
    news() {
      if (found.size === 0 && untoldPoints === 0) return undefined;
      const lost = { paths: [...found].sort(), points: untoldPoints };
      found.clear();
      untoldPoints = 0;
      return lost;
    },
  };
}

/** Gathers which contents lie together, so that each packed chunk is unpacked once. Contents known to be damaged were told. */
function list({ db }: StoreParts, pass: Pass): false {
  const page = db.all("SELECT hash, chunk FROM blobs WHERE hash > ? AND bad = 0 ORDER BY hash LIMIT ?", [pass.listedTo, LIST_PAGE]);
  for (const row of page) {
    const hash = Buffer.from(row.bytes(0)).toString("hex");
    const chunk = row.isNull(1) ? LARGE - pass.units.size : row.number(1);
    const unit = pass.units.get(chunk) ?? { chunk, hashes: [] };
    unit.hashes.push(hash);
    pass.units.set(chunk, unit);
  }
  pass.listedTo = page.at(-1)?.bytes(0) ?? pass.listedTo;
  if (page.length < LIST_PAGE) {
    // taken from the end: the newest chunks first, on to the oldest
    const from = Number(readMeta(db, NEXT_CHUNK) ?? Number.POSITIVE_INFINITY);
    pass.todo = [...pass.units.values()].filter(({ chunk }) => chunk < from).sort((a, b) => a.chunk - b.chunk);
  }
  return false;
}

function checkRows(parts: StoreParts, pass: Pass): boolean {
  if (pass.entriesTo !== undefined) {
    const { damaged, next } = parts.index.check(pass.entriesTo, ROWS_PAGE);
    // what is left out then is looked at anew, with the folder as the witness
    if (damaged) parts.index.reload();
    pass.entriesTo = damaged ? undefined : next;
    return false;
  }
  const to = pass.changesTo + ROWS_PAGE;
  for (const row of parts.log.between(pass.changesTo, to)) {
    if (row.damage === "path") pass.damagedRows.nameless = row.id;
    if (row.damage === "state" && pass.damagedRows.paths.length < MOST_PATHS) pass.damagedRows.paths.push(row.path);
  }
  pass.changesTo = to;
  return to >= parts.log.head();
}

/** As the last pass found them: looking at all rows takes too long to be asked after each turn. */
function readDamagedRows({ db }: StoreParts): DamagedRows {
  const text = readMeta(db, DAMAGED_ROWS);
  if (text === undefined) return NONE;
  try {
    return DamagedRows.safeParse(JSON.parse(text)).data ?? NONE;
  } catch {
    return NONE;
  }
}

/** Points that cannot be gone back to: their own record, or that of what came after them, is damaged. */
export function lostPoints(parts: StoreParts, marks: Marks): number {
  const unknown = Math.max(unknownBefore(parts), readDamagedRows(parts).nameless);
  return marks.damaged() + (unknown === 0 ? 0 : marks.all().filter((mark) => mark.position < unknown).length);
}

const MOST_PATHS = 100;

/** Of which at least one earlier version cannot be brought back. */
export function lostPaths(parts: StoreParts): readonly string[] {
  const rows = parts.db.all(
    "WITH bad AS (SELECT hash FROM blobs WHERE bad = 1) SELECT path FROM entries WHERE hash IN bad UNION SELECT path FROM changes WHERE b_hash IN bad OR a_hash IN bad LIMIT ?",
    [MOST_PATHS],
  );
  return [...new Set([...rows.map((row) => textOfBytes(row.bytes(0))), ...readDamagedRows(parts).paths])].sort().slice(0, MOST_PATHS);
}
