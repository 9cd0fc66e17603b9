// How each question to a store is worked on: alone, holding the folder's lock, on an index that is up to date, after what an
// earlier run left half done was dealt with.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { err, type Result } from "#shared/lib/result.ts";
import { hashKey } from "./blob-format.ts";
import { StoreProblem } from "./database.ts";
import { failureOf } from "./failure.ts";
import { REMOTE_READ_BYTES } from "./limits.ts";
import type { Marks } from "./marks.ts";
import { markBroken, type OpenStore } from "./open-store.ts";
import { readMeta } from "./parts.ts";
import { recover } from "./recover.ts";
import { scan } from "./scan.ts";
import type { Progress, Recovered } from "./verbs.ts";

export type Asking = { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void };
export type Answer<T> = Promise<Result<T, RollbackFailure>>;

export interface StoreWork {
  /** One after the other; rejects with what the work throws. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The same with failures as values. */
  answered<T>(work: () => Answer<T>): Answer<T>;
  /** Brings index and log up to date; only within `alone`. `everything`: also where nothing was told to have changed. */
  look(asking: Asking, everything?: boolean): Promise<void>;
  recovered(): Promise<Recovered | undefined>;
  /** The database itself was found damaged: nothing works until the store is opened anew. */
  readonly isBroken: boolean;
  /** Resolves when all that was asked so far is done. */
  settled(): Promise<void>;
}

export function createStoreWork({ parts, lock, watching }: OpenStore, marks: Marks): StoreWork {
  let queue: Promise<unknown> = Promise.resolve();
  let generation = parts.indexGeneration;
  let recovered: Recovered | undefined;
  let isBroken = false;

  const takeInOthers = () => {
    if (readMeta(parts.db, "generation") === generation) return;
    parts.index.reload();
    parts.blobs.doubt();
  };
  const alone: StoreWork["alone"] = (work) => {
    const mine = queue.then(() =>
      lock.hold(async () => {
        takeInOthers();
        recovered = recover(parts) ?? recovered;
        try {
          return await work();
        } finally {
          if (!isBroken && heal(parts)) watching.failed();
          generation = readMeta(parts.db, "generation");
        }
      }),
    );
    mine.catch((error: unknown) => {
      if (!(error instanceof StoreProblem && error.kind === "damaged")) return;
      isBroken = true;
      markBroken(parts);
    });
    queue = mine.catch(() => {});
    return mine;
  };
  return {
    alone,
    async answered(work) {
      try {
        return await alone(work);
      } catch (error) {
        return err(failureOf(error));
      }
    },
    look: createLook({ parts, watching }, marks),
    recovered: () => alone(async () => recovered),
    get isBroken() {
      return isBroken;
    },
    settled: async () => void (await queue.catch(() => {})),
  };
}

function createLook({ parts, watching }: Pick<OpenStore, "parts" | "watching">, marks: Marks): StoreWork["look"] {
  let lastLookAt: number | undefined;
  return async (asking, everything = false) => {
    const isFirst = marks.current() === undefined;
    // before it is asked what was told: what is written and whose call ends after this is for the next look, with its call
    const startedAt = parts.clock.now();
    const where = await watching.collect(everything || isFirst || parts.index.isDoubtful);
    const readAll = everything && parts.isRemote && parts.index.totals().bytes <= REMOTE_READ_BYTES;
    try {
      const only = where.kind === "only" ? where.paths : undefined;
      const changed = await scan(parts, { signal: asking.signal, isFirst, startedAt, lastLookAt, readAll, only, watching, onProgress: asking.onProgress });
      lastLookAt = startedAt;
      if (where.kind === "all") await watching.walked(changed);
    } catch (error) {
      watching.failed();
      throw error;
    }
  };
}

/** What was met damaged and still stands in the folder is read from there at the next look. True: there was something. */
function heal(parts: OpenStore["parts"]): boolean {
  const damaged = parts.blobs.takeDamaged();
  for (const hash of damaged) parts.db.run("UPDATE entries SET checked = 0 WHERE hash = ?", [hashKey(hash)]);
  if (damaged.length > 0) parts.index.reload();
  return damaged.length > 0;
}
