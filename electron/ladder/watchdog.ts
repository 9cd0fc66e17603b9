// Watches one attempt (L19): told what is heard, it says once which rung fired, and from time to time what is waited for.
// It owns one timer and decides nothing else; a new attempt gets a new one, so no stale mark survives (L20).
import type { Clock } from "#electron/lib/clock.ts";
import type { AgentTime } from "./agent-time.ts";
import { createMarks, type Marks } from "./marks.ts";
import { firedRung, msToNextRung, waitingFor, type AttemptFacts, type Fired, type Waiting } from "./predicates.ts";
import type { Ladder } from "./rungs.ts";

export const WATCHDOG_TICK_MS = 5_000;
/** Short ladders (tests, scripts) are looked at this often within their shortest rung. */
const TICKS_PER_RUNG = 4;
const MIN_TICK_MS = 5;

/** How often the ladder is looked at; also the measure by which the machine's sleep is noticed. */
export function tickMsFor(ladder: Ladder): number {
  const shortest = Math.min(...Object.values(ladder));
  return Math.max(MIN_TICK_MS, Math.min(WATCHDOG_TICK_MS, Math.floor(shortest / TICKS_PER_RUNG)));
}

export interface Watchdog extends Disposable, Pick<Marks, "heard" | "handing" | "taken"> {
  /** ms of silence so far */
  silentMs(): number;
}

export type WatchdogDeps = {
  readonly clock: Clock;
  readonly ladder: Ladder;
  readonly time: AgentTime;
  /** agent time at which the step's model phase began */
  readonly phaseAt: number;
  /** silence after which `onWaiting` is told, ms */
  readonly shownAfterMs: number;
  onFire(fired: Fired): void;
  onWaiting(waiting: Waiting): void;
};

export function createWatchdog(deps: WatchdogDeps): Watchdog {
  const { clock, ladder, time } = deps;
  const tickMs = tickMsFor(ladder);
  const marks = createMarks(time, deps.phaseAt);
  let timer: Disposable | undefined;
  let over = false;

  const look = () => {
    time.tick();
    const seen = marks.facts();
    const fired = firedRung(ladder, seen);
    if (fired !== undefined) {
      over = true;
      return deps.onFire(fired);
    }
    const waiting = waitingFor(seen);
    if (!seen.handing && waiting.forMs >= deps.shownAfterMs) deps.onWaiting(waiting);
    arm(seen);
  };
  const arm = (seen: AttemptFacts) => {
    timer = over ? undefined : clock.schedule(Math.max(1, Math.min(tickMs, msToNextRung(ladder, seen))), look);
  };
  time.resume();
  arm(marks.facts());
  return {
    heard: marks.heard,
    handing: marks.handing,
    taken: marks.taken,
    silentMs: () => waitingFor(marks.facts()).forMs,
    [Symbol.dispose]() {
      over = true;
      timer?.[Symbol.dispose]();
    },
  };
}
