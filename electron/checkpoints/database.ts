// SQLite as the engine sees it: prepared once, rows read by column, one transaction at a time. Worker side only, for it is
// synchronous. Knows nothing of checkpoints except the schema and its version.
import Database from "libsql";
import { codeOf } from "./error-code.ts";

export type Param = number | string | Uint8Array | null;

export interface Row {
  number(column: number): number;
  text(column: number): string;
  bytes(column: number): Uint8Array;
  /** as it is stored */
  value(column: number): Param;
  isNull(column: number): boolean;
}

export interface Db {
  run(sql: string, params?: readonly Param[]): { readonly changed: number; readonly id: number };
  all(sql: string, params?: readonly Param[]): readonly Row[];
  one(sql: string, params?: readonly Param[]): Row | undefined;
  exec(sql: string): void;
  /** All of it or nothing; `durable`: on the platter when it returns (DESIGN L). Does not nest. */
  transaction<T>(work: () => T, options?: { readonly durable?: boolean }): T;
  close(): void;
}

export class StoreProblem extends Error {
  readonly kind: "newer" | "damaged" | "busy";
  constructor(kind: "newer" | "damaged" | "busy", message: string) {
    super(message);
    this.kind = kind;
  }
}

const STATE_COLUMNS = (prefix: string) =>
  `${prefix}kind INTEGER NOT NULL, ${prefix}mode INTEGER, ${prefix}size INTEGER, ${prefix}hash BLOB, ${prefix}text BLOB`;

const FIRST = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks(id INTEGER PRIMARY KEY, codec INTEGER NOT NULL, raw INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE blobs(hash BLOB PRIMARY KEY, size INTEGER NOT NULL, chunk INTEGER, at INTEGER NOT NULL, bad INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE entries(path BLOB PRIMARY KEY, ${STATE_COLUMNS("")}, mtime REAL NOT NULL, ctime REAL NOT NULL, ino REAL NOT NULL, checked REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE changes(id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, path BLOB NOT NULL, ${STATE_COLUMNS("b_")}, ${STATE_COLUMNS("a_")}, who TEXT NOT NULL, session TEXT, turn TEXT, call TEXT);
CREATE INDEX changes_path ON changes(path, id);
CREATE TABLE marks(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, parent TEXT, at REAL NOT NULL, session TEXT NOT NULL, head TEXT, pinned INTEGER NOT NULL DEFAULT 0, shown TEXT NOT NULL);
CREATE TABLE calls(call TEXT PRIMARY KEY, session TEXT NOT NULL, turn TEXT, declared TEXT, background INTEGER NOT NULL, opened REAL NOT NULL, closed REAL, owner INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rollbacks(id INTEGER PRIMARY KEY AUTOINCREMENT, target INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL, files TEXT);
CREATE TABLE journal(id TEXT PRIMARY KEY, state TEXT NOT NULL, at REAL NOT NULL, plan TEXT NOT NULL) WITHOUT ROWID;
`;
/** Sums beside the rows (row-sum.ts), and who went back; neither is known of rows that were there before. */
const SUMS = ["entries", "changes", "marks", "rollbacks"].map((table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER;`).join("\n");
const SECOND = `${SUMS}\nALTER TABLE rollbacks ADD COLUMN session TEXT;`;

/** From each version of the store to the next; what an older program wrote is brought up to date when it is opened. */
const MIGRATIONS = [FIRST, SECOND];
export const SCHEMA_VERSION = MIGRATIONS.length;

const BUSY_TIMEOUT_MS = 5000;
const OPEN_TRIES = 40;

/** Opens or makes the store's database. Throws `StoreProblem`. */
export function openDatabase(file: string): Db {
  const raw = retryBusy(() => connect(file));
  const db = wrap(raw);
  try {
    prepareSchema(db);
    return db;
  } catch (error) {
    raw.close();
    throw problemOf(error);
  }
}

function connect(file: string): Database.Database {
  const raw = new Database(file);
  try {
    // busy_timeout first: the switch to WAL does not honour the constructor's time-out
    raw.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    raw.pragma("auto_vacuum = INCREMENTAL");
    raw.pragma("journal_mode = WAL");
    raw.pragma("synchronous = NORMAL");
    return raw;
  } catch (error) {
    raw.close();
    throw problemOf(error);
  }
}

function retryBusy<T>(work: () => T): T {
  for (let left = OPEN_TRIES; ; left--) {
    try {
      return work();
    } catch (error) {
      if (left === 0 || !(error instanceof StoreProblem) || error.kind !== "busy") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}

function prepareSchema(db: Db): void {
  const version = () => db.one("PRAGMA user_version")?.number(0) ?? 0;
  if (version() > SCHEMA_VERSION) throw new StoreProblem("newer", `the store has format ${version()}, this program knows ${SCHEMA_VERSION}`);
  if (version() === SCHEMA_VERSION) return;
  db.transaction(() => {
    for (const migration of MIGRATIONS.slice(version())) db.exec(migration);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

export function problemOf(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return new StoreProblem("busy", message);
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB")) return new StoreProblem("damaged", message);
  return error;
}

function wrap(raw: Database.Database): Db {
  const prepared = new Map<string, ReturnType<Database.Database["prepare"]>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = raw.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const rows = (sql: string, params: readonly Param[]): readonly Row[] =>
    statement(sql)
      .raw()
      .all([...params])
      .map(toRow);
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw problemOf(error);
    }
  };
  return {
    run: (sql, params = []) =>
      guarded(() => {
        const done = statement(sql).run([...params]);
        return { changed: done.changes, id: Number(done.lastInsertRowid) };
      }),
    all: (sql, params = []) => guarded(() => rows(sql, params)),
    one: (sql, params = []) => guarded(() => rows(sql, params)[0]),
    exec: (sql) => guarded(() => void raw.exec(sql)),
    transaction: (work, options = {}) =>
      guarded(() => {
        if (options.durable === true) raw.exec("PRAGMA synchronous = FULL");
        try {
          return inTransaction(raw, work);
        } finally {
          if (options.durable === true) raw.exec("PRAGMA synchronous = NORMAL");
        }
      }),
    close: () => {
      prepared.clear();
      // so that the store is one small file when nobody uses it; a full disk or another user is no reason to fail
      try {
        raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        if (codeOf(error) === "") throw error;
      } finally {
        raw.close();
      }
    },
  };
}

function inTransaction<T>(raw: Database.Database, work: () => T): T {
  raw.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    raw.exec("COMMIT");
    return result;
  } catch (error) {
    if (raw.inTransaction) raw.exec("ROLLBACK");
    throw error;
  }
}

const NO_BYTES = new Uint8Array();

function toRow(columns: unknown): Row {
  const at = (column: number): unknown => (Array.isArray(columns) ? columns[column] : undefined);
  return {
    number(column) {
      const value = at(column);
      return typeof value === "number" ? value : 0;
    },
    text(column) {
      const value = at(column);
      return typeof value === "string" ? value : "";
    },
    bytes(column) {
      const value = at(column);
      return value instanceof Uint8Array ? value : NO_BYTES;
    },
    value(column) {
      const value = at(column);
      return typeof value === "number" || typeof value === "string" || value instanceof Uint8Array ? value : null;
    },
    isNull: (column) => at(column) === null,
  };
}
