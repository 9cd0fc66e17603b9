// The checkpoint stores of this run: one worker, one data folder, shared by all sessions.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CheckpointStores } from "#electron/checkpoints/contract.ts";
import type { CheckpointLimits } from "#electron/checkpoints/limits.ts";
import { createCheckpointStores } from "#electron/checkpoints/stores.ts";
import { createSystemClock } from "#electron/lib/clock.ts";

export type CheckpointFacts = { readonly dataDir: string; readonly out: string; readonly home: string; readonly platform: string };

const PERSONAL = ["Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos"];

/** For engines whose settings bound the stores, so that the worker's own bounds do not speak up as well. */
export const UNBOUNDED: Pick<CheckpointLimits, "maxStoreBytes" | "maxAgeMs"> = { maxStoreBytes: Number.MAX_SAFE_INTEGER, maxAgeMs: Number.MAX_SAFE_INTEGER };

export function openCheckpointStores({ dataDir, out, home, platform }: CheckpointFacts, limits: Partial<CheckpointLimits> = {}): CheckpointStores {
  return createCheckpointStores({
    dataDir,
    clock: createSystemClock(),
    limits,
    newId: () => randomUUID(),
    facts: { platform: platformOf(platform), home, personal: PERSONAL.map((name) => join(home, name)), pid: process.pid },
    workerFile: join(out, "workers", "checkpoint-store.cjs"),
  });
}

/** Opens each folder once and keeps it open: sessions, turns and calls ask again and again. A refusal is asked anew. */
export function memoOpenStore(stores: CheckpointStores): CheckpointStores["open"] {
  const opened = new Map<string, ReturnType<CheckpointStores["open"]>>();
  return async (folder) => {
    const known = opened.get(folder) ?? stores.open(folder);
    opened.set(folder, known);
    const result = await known;
    if (!result.ok) opened.delete(folder);
    return result;
  };
}

function platformOf(name: string): NodeJS.Platform {
  return name === "darwin" || name === "win32" ? name : "linux";
}
