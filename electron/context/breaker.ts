// Stops trying what keeps failing (C4): three failures in a row open it for five minutes, then one trial is let through.
import type { Clock } from "#electron/lib/clock.ts";
import { BREAKER_FAILURES, BREAKER_OPEN_MS } from "./limits.ts";

export interface Breaker {
  /** false while it is open; the first asking after the pause is the trial */
  allows(): boolean;
  failed(): void;
  succeeded(): void;
}

export function createBreaker(clock: Pick<Clock, "monotonic">): Breaker {
  let failures = 0;
  let openedAt: number | undefined;
  return {
    allows() {
      return openedAt === undefined || clock.monotonic() - openedAt >= BREAKER_OPEN_MS;
    },
    failed() {
      failures += 1;
      if (failures >= BREAKER_FAILURES) openedAt = clock.monotonic();
    },
    succeeded() {
      failures = 0;
      openedAt = undefined;
    },
  };
}
