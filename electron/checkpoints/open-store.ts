// Opens the store of one folder: makes what is missing, sets a damaged one apart, clears leftovers. Worker side.
import type { Clock } from "#electron/lib/clock.ts";
import { createBlobs } from "./blobs.ts";
import { createCallWindows } from "./call-windows.ts";
import { createChangeLog } from "./change-log.ts";
import { type Db, StoreProblem } from "./database.ts";
import type { Disk } from "./disk.ts";
import { codeOf } from "./error-code.ts";
import { createStoreLock, type StoreLock } from "./lock.ts";
import { FILE_CLOCK_SLACK_MS, REMOTE_SLACK_MS } from "./limits.ts";
import { readMeta, type StoreParts, writeMeta } from "./parts.ts";
import { dropTemporaries } from "./recover.ts";
import { createTreeIndex } from "./tree-index.ts";
import { keepUntold } from "./untold.ts";
import type { StoreConfig } from "./verbs.ts";
import { createWatching, type WatchFolder, type Watching } from "./watching.ts";

export type OpenStore = {
  readonly parts: StoreParts;
  readonly lock: StoreLock;
  readonly watching: Watching;
  /** where the damaged store was put that stood here before */
  readonly isolated: string | undefined;
  readonly close: () => void;
};
export type StorePowers = {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly openDb: (file: string) => Db;
  readonly isAlive: (pid: number) => boolean;
  /** undefined: every look is a walk */
  readonly watch: WatchFolder | undefined;
};

const OUR_CLOCK_MS = 1000;
const BROKEN = "damaged";
const TOLD_REMOTE = "told_remote";

/** So that the store is set apart when it is opened next, here or by another program: its opening alone may not meet the damage. */
export function markBroken({ disk, folder }: Pick<StoreParts, "disk" | "folder">): void {
  try {
    disk.write(`${folder}/${BROKEN}`, new Uint8Array(), { mode: 0o600, sync: true });
  } catch (error) {
    // it is there already, or the disk takes nothing more: the next one to meet the damage tries again
    if (codeOf(error) === "") throw error;
  }
}

/** Throws `StoreProblem` newer, or what the disk throws. */
export async function openStore(config: StoreConfig, powers: StorePowers): Promise<OpenStore> {
  try {
    return { ...(await openParts(config, powers)), isolated: undefined };
  } catch (error) {
    if (!(error instanceof StoreProblem && error.kind === "damaged")) throw error;
    const isolated = `${config.folder}.damaged-${Math.round(powers.clock.now())}`;
    powers.disk.rename(config.folder, isolated);
    return { ...(await openParts(config, powers)), isolated };
  }
}

async function openParts(config: StoreConfig, powers: StorePowers): Promise<Omit<OpenStore, "isolated">> {
  const { disk, clock } = powers;
  const { root, folder, platform, limits, pid } = config;
  for (const part of ["", "/blobs", "/tmp"]) disk.ensureFolder(`${folder}${part}`);
  if (disk.stat(`${folder}/${BROKEN}`) !== undefined) throw new StoreProblem("damaged", "it was found damaged while it was used");
  const db = powers.openDb(`${folder}/store.db`);
  const lock = createStoreLock(`${folder}/lock.db`, clock, limits.lockWaitMs);
  const close = () => {
    lock.close();
    db.close();
  };
  try {
    writeMeta(db, "root", root);
    const base = { root, folder, platform, limits, clock, disk, db, excluded: new Set([...config.excluded, folder]) };
    const isRemote = disk.isRemote(root);
    const watching = createWatching({ root, watch: isRemote ? undefined : powers.watch });
    const indexGeneration = readMeta(db, "generation");
    const parts: StoreParts = {
      ...base,
      indexGeneration,
      index: createTreeIndex(db),
      blobs: createBlobs(base),
      log: createChangeLog(db),
      calls: createCallWindows({ db, pid, isAlive: powers.isAlive }),
      isRemote,
      timesAreOurs: !isRemote && isOurClock(folder, powers),
      slackMs: isRemote ? REMOTE_SLACK_MS : FILE_CLOCK_SLACK_MS,
    };
    await clearLeftovers(parts, lock);
    if (isRemote && readMeta(db, TOLD_REMOTE) === undefined) {
      keepUntold(db, { kind: "remote", paths: [] });
      writeMeta(db, TOLD_REMOTE, "1");
    }
    const closeAll = () => {
      watching.close();
      close();
    };
    return { parts, lock, watching, close: closeAll };
  } catch (error) {
    close();
    throw error;
  }
}

/** A store that another process is just working on keeps its temporary copies. */
async function clearLeftovers(parts: StoreParts, lock: StoreLock): Promise<void> {
  try {
    await lock.hold(async () => dropTemporaries(parts));
  } catch (error) {
    if (!(error instanceof StoreProblem && error.kind === "busy")) throw error;
  }
}

/** Times of files can only be compared with times of calls when both come from one clock (not a test's, not a server's). */
function isOurClock(folder: string, { disk, clock }: StorePowers): boolean {
  const probe = `${folder}/tmp/clock-${process.pid}`;
  try {
    disk.write(probe, new Uint8Array(), { mode: 0o600, sync: false });
    const stat = disk.stat(probe);
    disk.remove(probe);
    return stat !== undefined && Math.abs(stat.mtime - clock.now()) < OUR_CLOCK_MS;
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return false;
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
