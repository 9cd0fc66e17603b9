// The ladder's values and their order (L19). Values are settings; what each rung judges is in predicates.ts.
import type { Timeouts } from "#shared/settings/settings.ts";
import type { RungName } from "#shared/trace/trace.ts";

/** From the layer that knows most to the one that knows least. `headers` stands beside the ladder. */
export const RUNGS = ["no_bytes", "no_content", "no_progress", "watcher", "attempt", "step"] as const satisfies readonly RungName[];

/** Limit of each rung, ms. */
export type Ladder = Readonly<Record<RungName, number>>;

export function ladderOf(timeouts: Timeouts): Ladder {
  return {
    headers: timeouts.headers,
    no_bytes: timeouts.noBytes,
    no_content: timeouts.noContent,
    no_progress: timeouts.noProgress,
    watcher: timeouts.watcher,
    attempt: timeouts.attempt,
    step: timeouts.step,
  };
}

export type LadderProblem = { readonly lower: RungName; readonly upper: RungName; readonly gapMs: number };

/** Neighbours that do not grow by more than `minGapMs`; with 0: that do not grow at all. */
export function checkLadder(ladder: Ladder, minGapMs = 0): readonly LadderProblem[] {
  return RUNGS.slice(1).flatMap((upper, k) => {
    const lower = RUNGS[k];
    if (lower === undefined) return [];
    const gapMs = ladder[upper] - ladder[lower];
    return gapMs > 0 && gapMs >= minGapMs ? [] : [{ lower, upper, gapMs }];
  });
}
