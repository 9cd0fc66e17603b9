// What the pieces of one open store share. Built once by the engine, in the worker; passed by name, never kept globally.
import { setImmediate } from "node:timers/promises";
import type { Clock } from "#electron/lib/clock.ts";
import type { Blobs } from "./blobs.ts";
import type { CallWindows } from "./call-windows.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Db } from "./database.ts";
import type { Disk } from "./disk.ts";
import type { CheckpointLimits } from "./limits.ts";
import type { TreeIndex } from "./tree-index.ts";

export type StoreParts = {
  /** the workspace folder, real path, `/` as separator */
  readonly root: string;
  /** the store's own folder */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly limits: CheckpointLimits;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly db: Db;
  readonly index: TreeIndex;
  /** what the database was at when the index was read from it; another process may write right after */
  readonly indexGeneration: string | undefined;
  readonly blobs: Blobs;
  readonly log: ChangeLog;
  readonly calls: CallWindows;
  readonly excluded: ReadonlySet<string>;
  /** files of the workspace carry the times of this machine's clock, so a change can be placed by its time */
  readonly timesAreOurs: boolean;
  /** over a network or through a program: times may lie, changes are not told */
  readonly isRemote: boolean;
  /** how long before it was read a file must have been untouched for its times to be believed */
  readonly slackMs: number;
};

export class CalledOff extends Error {}

const BREATH_MS = 12;

/** Long synchronous work lets messages in between, or else a stop would never arrive. Throws `CalledOff`. */
export function createBreather(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let last = clock.monotonic();
  return async () => {
    if (clock.monotonic() - last < BREATH_MS) return;
    await setImmediate();
    if (signal.aborted) throw new CalledOff("called off");
    last = clock.monotonic();
  };
}

export function readMeta(db: Db, key: string): string | undefined {
  return db.one("SELECT value FROM meta WHERE key = ?", [key])?.text(0);
}

export function writeMeta(db: Db, key: string, value: string | undefined): void {
  if (value === undefined) db.run("DELETE FROM meta WHERE key = ?", [key]);
  else db.run("INSERT OR REPLACE INTO meta VALUES(?,?)", [key, value]);
}

/** Counts what was written to the store, so that a process notices that another one wrote. */
export function bumpGeneration(db: Db): void {
  db.run("INSERT INTO meta VALUES('generation', '1') ON CONFLICT(key) DO UPDATE SET value = CAST(value AS INTEGER) + 1");
}
