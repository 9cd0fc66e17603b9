// Plants faults under the checkpoint engine: an operation that fails with a system error, or a death after which nothing works
// any more (as after kill -9; what was done stays done). One counter over everything that changes disk or database.
import { type Db, openDatabase } from "#electron/checkpoints/database.ts";
import { createDisk, type Disk } from "#electron/checkpoints/disk.ts";

export class Died extends Error {}

export type Operation = { readonly name: string; readonly path: string };

export interface FaultyPowers {
  readonly disk: Disk;
  readonly openDb: (file: string) => Db;
  /** The n-th changing operation from here on (1 is the next) is not done, and nothing after it. */
  dieAt(n: number): void;
  /** The first one that matches is not done, and nothing after it. */
  dieBefore(match: (operation: Operation) => boolean): void;
  /** Operations that match fail with this code until `heal`. */
  failOn(match: (operation: Operation) => boolean, code: string): void;
  heal(): void;
  readonly isDead: boolean;
  /** changing operations since `dieAt` or the beginning */
  readonly count: number;
}

export function createFaultyPowers(): FaultyPowers {
  const real = createDisk(process.platform);
  let left = Number.POSITIVE_INFINITY;
  let dead = false;
  let count = 0;
  let death: ((operation: Operation) => boolean) | undefined;
  let fault: { readonly match: (operation: Operation) => boolean; readonly code: string } | undefined;

  const alive = () => {
    if (dead) throw new Died("dead");
  };
  const changing = <T>(operation: Operation, work: () => T): T => {
    alive();
    if (fault?.match(operation)) throw Object.assign(new Error(`${fault.code}: planted, ${operation.name} ${operation.path}`), { code: fault.code });
    count += 1;
    left -= 1;
    if (left === 0 || death?.(operation) === true) {
      dead = true;
      throw new Died(`died before ${operation.name} ${operation.path}`);
    }
    return work();
  };
  const looking = <T>(operation: Operation, work: () => T): T => {
    alive();
    if (fault?.match(operation)) throw Object.assign(new Error(`${fault.code}: planted`), { code: fault.code });
    return work();
  };
  const disk: Disk = {
    names: (path) => looking({ name: "names", path }, () => real.names(path)),
    stat: (path) => looking({ name: "stat", path }, () => real.stat(path)),
    read: (path) => looking({ name: "read", path }, () => real.read(path)),
    readLink: (path) => looking({ name: "readLink", path }, () => real.readLink(path)),
    hash: (path) => looking({ name: "hash", path }, () => real.hash(path)),
    freeBytes: (path) => real.freeBytes(path),
    isRemote: (path) => real.isRemote(path),
    clone: (from, to) => changing({ name: "clone", path: to }, () => real.clone(from, to)),
    write: (path, bytes, options) => changing({ name: "write", path }, () => real.write(path, bytes, options)),
    sync: (path) => changing({ name: "sync", path }, () => real.sync(path)),
    link: (from, to) => changing({ name: "link", path: to }, () => real.link(from, to)),
    symlink: (target, path) => changing({ name: "symlink", path }, () => real.symlink(target, path)),
    rename: (from, to) => changing({ name: "rename", path: to }, () => real.rename(from, to)),
    remove: (path) => changing({ name: "remove", path }, () => real.remove(path)),
    makeFolder: (path, mode) => changing({ name: "makeFolder", path }, () => real.makeFolder(path, mode)),
    removeFolder: (path) => changing({ name: "removeFolder", path }, () => real.removeFolder(path)),
    ensureFolder: (path) => changing({ name: "ensureFolder", path }, () => real.ensureFolder(path)),
    setMode: (path, mode) => changing({ name: "setMode", path }, () => real.setMode(path, mode)),
  };
  // inside a transaction a death undoes all of it, wherever it comes: only the commit counts
  let inside = false;
  const wrap = (db: Db): Db => ({
    ...db,
    run: (sql, params) => (inside ? looking : changing)({ name: "run", path: sql }, () => db.run(sql, params)),
    exec: (sql) => changing({ name: "exec", path: sql }, () => db.exec(sql)),
    all: (sql, params) => looking({ name: "all", path: sql }, () => db.all(sql, params)),
    one: (sql, params) => looking({ name: "one", path: sql }, () => db.one(sql, params)),
    transaction(work, options) {
      try {
        return db.transaction(() => {
          inside = true;
          const result = work();
          changing({ name: "commit", path: "" }, () => {});
          return result;
        }, options);
      } finally {
        inside = false;
      }
    },
  });
  return {
    disk,
    openDb: (file) => wrap(openDatabase(file)),
    dieAt(n) {
      left = n;
      count = 0;
    },
    dieBefore: (match) => {
      death = match;
    },
    failOn: (match, code) => {
      fault = { match, code };
    },
    heal: () => {
      fault = undefined;
    },
    get isDead() {
      return dead;
    },
    get count() {
      return count;
    },
  };
}
