// Every change that was seen, in order, with what was there before and after and whose it was. Points to go back to are only
// positions in this log, so their cost follows the change and not the tree (K3).
import type { Author, Who } from "./attribution.ts";
import type { Db, Param, Row } from "./database.ts";
import { fromColumns, sameState, type State, toColumns } from "./entry.ts";
import { bytesOfText, textOfBytes } from "./paths.ts";
import { namedSumOf, stateOfNamed, valuesOf } from "./row-sum.ts";

export type LogRow = {
  readonly id: number;
  readonly path: string;
  readonly before: State;
  readonly after: State;
  readonly author: Author;
  /** its record is damaged: `state`: what was there cannot be told; `path`: not even of what it tells */
  readonly damage?: "state" | "path";
};
export type NewChange = Omit<LogRow, "id" | "damage">;
/** What lies between two positions, of one path, once everything in between is left out. */
export type NetChange = { readonly path: string; readonly before: State; readonly after: State; readonly rows: readonly LogRow[] };

export interface ChangeLog {
  /** position after the newest change; 0 when there never was one */
  head(): number;
  /** Inside a transaction. */
  append(changes: readonly NewChange[], at: number): void;
  /** Changes after `from` up to and with `to`, oldest first. */
  between(from: number, to: number): readonly LogRow[];
  /** Inside a transaction: the row also stands for an earlier one of the same path and author, which is dropped. */
  absorb(row: LogRow, earlier: LogRow): void;
  /** What stood at a path at a position, if it has changed since. */
  stateAt(path: string, position: number): { readonly state: State } | undefined;
}

const COLUMNS = "id, path, b_kind, b_mode, b_size, b_hash, b_text, a_kind, a_mode, a_size, a_hash, a_text, who, session, turn, call, sum";
const WHOS: readonly Who[] = ["agent", "background", "during_call", "person", "rollback", "shared", "coverage"];

export function createChangeLog(db: Db): ChangeLog {
  return {
    head: () => db.one("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.number(0) ?? 0,
    append(changes, at) {
      for (const { path, before, after, author } of changes) {
        db.run(
          `INSERT INTO changes(at, path, b_kind, b_mode, b_size, b_hash, b_text, a_kind, a_mode, a_size, a_hash, a_text, who, session, turn, call, sum) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
          [at, bytesOfText(path), ...told({ before, after, author }), namedSumOf(bytesOfText(path), told({ before, after, author }))],
        );
      }
    },
    between: (from, to) => db.all(`SELECT ${COLUMNS} FROM changes WHERE id > ? AND id <= ? ORDER BY id`, [from, to]).map(toLogRow),
    absorb(row, earlier) {
      const sum = namedSumOf(bytesOfText(row.path), told({ ...row, before: earlier.before }));
      db.run("DELETE FROM changes WHERE id = ?", [earlier.id]);
      db.run("UPDATE changes SET b_kind = ?, b_mode = ?, b_size = ?, b_hash = ?, b_text = ?, sum = ? WHERE id = ?", [
        ...toColumns(earlier.before),
        sum,
        row.id,
      ]);
    },
    stateAt(path, position) {
      const row = db.one(`SELECT ${COLUMNS} FROM changes WHERE path = ? AND id > ? ORDER BY id LIMIT 1`, [bytesOfText(path), position]);
      return row === undefined ? undefined : { state: toLogRow(row).before };
    },
  };
}

/** All that a row tells of its path. */
function told({ before, after, author }: Pick<LogRow, "before" | "after" | "author">): readonly Param[] {
  return [...toColumns(before), ...toColumns(after), author.who, author.session ?? null, author.turn ?? null, author.call ?? null];
}

/** Never acted upon: what it was cannot be told any more. */
const UNTOLD = { kind: "opaque", why: "unreadable", token: "damaged" } as const;

function toLogRow(row: Row): LogRow {
  const state = stateOfNamed(row.value(16), row.bytes(1), valuesOf(row, 2, 16));
  if (state === "intact") return readRow(row);
  const lost = { id: row.number(0), path: textOfBytes(row.bytes(1)), before: UNTOLD, after: UNTOLD, author: { who: "coverage" } } as const;
  return { ...lost, damage: state === "damaged" ? "state" : "path" };
}

function readRow(row: Row): LogRow {
  const state = (from: number) =>
    fromColumns({ kind: row.number(from), mode: row.number(from + 1), size: row.number(from + 2), hash: row.bytes(from + 3), text: row.bytes(from + 4) });
  const optional = (column: number) => (row.isNull(column) ? undefined : row.text(column));
  return {
    id: row.number(0),
    path: textOfBytes(row.bytes(1)),
    before: state(2),
    after: state(7),
    author: { who: WHOS.find((who) => who === row.text(12)) ?? "person", session: optional(13), turn: optional(14), call: optional(15) },
  };
}

export function byPath(rows: readonly LogRow[]): ReadonlyMap<string, readonly LogRow[]> {
  const groups = new Map<string, LogRow[]>();
  for (const row of rows) {
    const group = groups.get(row.path);
    if (group === undefined) groups.set(row.path, [row]);
    else group.push(row);
  }
  return groups;
}

/** Paths that differ in the end, in the order of the tree. */
export function netChanges(rows: readonly LogRow[]): readonly NetChange[] {
  const net: NetChange[] = [];
  for (const [path, group] of byPath(rows)) {
    const before = group[0]?.before;
    const after = group.at(-1)?.after;
    if (!sameState(before, after)) net.push({ path, before, after, rows: group });
  }
  return net.sort((a, b) => (a.path < b.path ? -1 : 1));
}
