// One process at a time works on a folder's store. The lock is SQLite's own file lock on an empty database: the kernel
// drops it with its owner, so a dead owner can never hold it, and a live one is never robbed (D12).
import Database from "libsql";
import type { Clock } from "#electron/lib/clock.ts";
import { problemOf, StoreProblem } from "./database.ts";

export interface StoreLock {
  /** Throws `StoreProblem` busy when another process held it all the time. Not re-entrant. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const RETRY_MS = 20;

export function createStoreLock(file: string, clock: Clock, waitMs: number): StoreLock {
  const raw = new Database(file);
  const tryLock = (): boolean => {
    try {
      raw.exec("BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      const problem = problemOf(error);
      if (problem instanceof StoreProblem && problem.kind === "busy") return false;
      throw problem;
    }
  };
  return {
    async hold(work) {
      const until = clock.monotonic() + waitMs;
      while (!tryLock()) {
        if (clock.monotonic() > until) throw new StoreProblem("busy", "another running Cairn is working with this folder's checkpoints");
        await clock.sleep(RETRY_MS);
      }
      try {
        return await work();
      } finally {
        raw.exec("ROLLBACK");
      }
    },
    close: () => raw.close(),
  };
}
