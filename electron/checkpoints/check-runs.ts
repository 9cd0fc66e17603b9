// When the store looks for damage in itself (K9): after a turn, a little at a time, and never while somebody waits.
import type { Lost, SelfCheck } from "./self-check.ts";
import type { StoreWork } from "./store-work.ts";

/** One slice holds the store this long; whoever comes meanwhile waits for no more than that. */
const SLICE_MS = 25;
/** After one turn; a large store takes several turns for a pass. */
const RUN_MS = 1500;

export interface CheckRuns {
  /** Never rejects; answers when this run is over. */
  run(now: number): Promise<void>;
  /** Somebody comes: the run that is going on ends with its slice. */
  pause(): void;
  /** For good. */
  stop(): void;
}

export function createCheckRuns(work: StoreWork, check: SelfCheck, onDamage: (lost: Lost) => void): CheckRuns {
  let wanted = 0;
  let isStopped = false;
  const slice = async (): Promise<boolean> => {
    const isOver = check.slice(SLICE_MS);
    const lost = check.news();
    if (lost !== undefined) onDamage(lost);
    return isOver;
  };
  return {
    async run(now) {
      const mine = (wanted += 1);
      const until = performance.now() + RUN_MS;
      try {
        if (isStopped || !check.isDue(now)) return;
        while (!isStopped && wanted === mine && performance.now() < until) if (await work.alone(slice)) return;
      } catch {
        // a store that is locked or damaged says so to the next one who asks
      }
    },
    pause() {
      wanted += 1;
    },
    stop() {
      isStopped = true;
    },
  };
}
