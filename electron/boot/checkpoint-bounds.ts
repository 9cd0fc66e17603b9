// Keeps the stores of checkpoints within what the settings allow (K9), after each turn and when the person asks for space.
import { ok } from "#shared/lib/result.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Settings } from "#shared/settings/settings.ts";
import type { FolderStorage } from "#shared/ipc/contract.ts";
import type { CheckpointStorage } from "#electron/bridge/contract.ts";
import type { CheckpointStore, CheckpointStores, StoreStats } from "#electron/checkpoints/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";

export type Bounds = { readonly maxBytes: number; readonly maxAgeMs: number };
export type BoundsDeps = {
  readonly clock: Clock;
  bounds(): Bounds;
  /** of the sessions that are open: what they stand on and could undo is never forgotten */
  views(): Promise<readonly SessionView[]>;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Growth after which a collection that could not reach the bound is worth another try. */
const WORTH_ANOTHER = 1.1;
const MOST_FOLDERS = 100;

export function boundsOf({ checkpoints }: Settings): Bounds {
  return { maxBytes: checkpoints.maxBytes, maxAgeMs: checkpoints.maxAgeDays * DAY_MS };
}

/** The same store; after the end of a turn, when nobody waits, it is brought within the bounds. */
export function boundedStore(store: CheckpointStore, deps: BoundsDeps): CheckpointStore {
  let tried: Pick<StoreStats, "bytes" | "oldest"> | undefined;
  const isWorthIt = ({ bytes, oldest }: StoreStats): boolean => {
    const { maxBytes, maxAgeMs } = deps.bounds();
    const isOver = bytes > maxBytes || (oldest !== undefined && oldest < deps.clock.now() - maxAgeMs);
    return isOver && (tried === undefined || bytes > tried.bytes * WORTH_ANOTHER || oldest !== tried.oldest);
  };
  const keepWithin = async (): Promise<void> => {
    const before = await store.stats();
    if (!before.ok || !isWorthIt(before.value)) return;
    await store.collect({ ...deps.bounds(), keep: await heldBy(deps) });
    const after = await store.stats();
    tried = after.ok ? after.value : undefined;
  };
  return {
    ...store,
    async take(cause, session, signal) {
      const taken = await store.take(cause, session, signal);
      if (cause.kind === "turn_end") void keepWithin().catch(triedAgainNextTurn);
      return taken;
    },
  };
}

/** Every store that is opened is kept within the bounds. */
export function boundedStores(stores: CheckpointStores, deps: BoundsDeps): CheckpointStores {
  return {
    async open(folder) {
      const opened = await stores.open(folder);
      return opened.ok ? ok(boundedStore(opened.value, deps)) : opened;
    },
    close: () => stores.close(),
  };
}

const triedAgainNextTurn = (): void => {};

async function heldBy({ views }: BoundsDeps): Promise<readonly CheckpointId[]> {
  return (await views()).flatMap(({ current, undoable }) => [current, undoable]).filter((id) => id !== undefined);
}

export type StorageDeps = BoundsDeps & {
  readonly stores: CheckpointStores;
  /** of all sessions, the latest first */
  folders(): Promise<readonly string[]>;
};

/** Each store is opened for the question only: an open one keeps folders above and below it from being protected. */
export function createCheckpointStorage(deps: StorageDeps): CheckpointStorage {
  return {
    async list() {
      const folders = [...new Set(await deps.folders())].slice(0, MOST_FOLDERS);
      const all: FolderStorage[] = [];
      for (const folder of folders) all.push(await storageOf(deps.stores, folder));
      return all;
    },
    async freeUp(folder) {
      const opened = await deps.stores.open(folder);
      if (!opened.ok) return opened;
      const freed = await halve(opened.value, deps);
      await opened.value.close();
      return freed;
    },
  };
}

async function halve(store: CheckpointStore, deps: StorageDeps): ReturnType<CheckpointStorage["freeUp"]> {
  const stats = await store.stats();
  if (!stats.ok) return stats;
  const { maxBytes, maxAgeMs } = deps.bounds();
  const half = Math.floor(stats.value.bytes / 2);
  const freed = await store.collect({ maxBytes: Math.min(maxBytes, half), maxAgeMs, keep: await heldBy(deps) });
  return freed.ok ? ok({ freedBytes: freed.value.freedBytes, removed: freed.value.removed.length }) : freed;
}

async function storageOf(stores: CheckpointStores, folder: string): Promise<FolderStorage> {
  const unknown = { folder, bytes: 0, checkpoints: 0, pinned: 0, damaged: 0, damagedPaths: [], lostPoints: 0 };
  const opened = await stores.open(folder);
  if (!opened.ok) return { ...unknown, problem: opened.error.message };
  const stats = await opened.value.stats();
  await opened.value.close();
  if (!stats.ok) return { ...unknown, problem: stats.error.message };
  const { bytes, checkpoints, pinned, damaged, damagedPaths, lostPoints, oldest } = stats.value;
  return { folder, bytes, checkpoints, pinned, damaged, damagedPaths: [...damagedPaths], lostPoints, ...(oldest === undefined ? {} : { oldest }) };
}
