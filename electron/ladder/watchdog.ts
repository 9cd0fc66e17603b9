// Watches one attempt (L19): told what is heard, it says once which rung fired, and from time to time what is waited for.
// It owns one timer and decides nothing else; a new attempt gets a new one, so no stale mark survives (L20).
import type { Clock } from "#electron/lib/clock.ts";
import type { AgentTime } from "./agent-time.ts";
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

export type Heard = "headers" | "bytes" | "content" | "progress";

export interface Watchdog extends Disposable {
  /** `progress` is content too, content is bytes too, and bytes mean that the headers are there. */
  heard(what: Heard): void;
  /** an event is handed to the consumer; `taken` when it came back for more */
  handing(): void;
  taken(): void;
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

const RANK: Readonly<Record<Heard, number>> = { headers: 0, bytes: 1, content: 2, progress: 3 };

export function createWatchdog(deps: WatchdogDeps): Watchdog {
  const { clock, ladder, time } = deps;
  const tickMs = tickMsFor(ladder);
  const startedAt = time.now();
  const marks: { headersAt?: number; bytesAt?: number; contentAt?: number; progressAt?: number; seenAt?: number; handedAt?: number } = {};
  let timer: Disposable | undefined;
  let over = false;

  const facts = (): AttemptFacts => ({
    now: time.now(), phaseAt: deps.phaseAt, startedAt, headersAt: marks.headersAt, bytesAt: marks.bytesAt, contentAt: marks.contentAt,
    progressAt: marks.progressAt, seenAt: marks.seenAt, handing: marks.handedAt !== undefined,
  });
  const look = () => {
    time.tick();
    const seen = facts();
    const fired = firedRung(ladder, seen);
    if (fired !== undefined) {
      over = true;
      return deps.onFire(fired);
    }
    const waiting = waitingFor(seen);
    if (marks.handedAt === undefined && waiting.forMs >= deps.shownAfterMs) deps.onWaiting(waiting);
    arm(seen);
  };
  const arm = (seen: AttemptFacts) => {
    timer = over ? undefined : clock.schedule(Math.max(1, Math.min(tickMs, msToNextRung(ladder, seen))), look);
  };
  time.resume();
  arm(facts());
  return {
    heard(what) {
      const now = time.now();
      const rank = RANK[what];
      marks.headersAt ??= now;
      if (rank >= RANK.bytes) marks.bytesAt = now;
      if (rank >= RANK.content) marks.contentAt = now;
      if (rank >= RANK.progress) marks.progressAt = now;
    },
    handing() {
      marks.handedAt = time.now();
    },
    taken() {
      const now = time.now();
      // While the consumer was busy nothing was read, so nothing could be heard.
      const busy = now - (marks.handedAt ?? now);
      for (const mark of ["bytesAt", "contentAt", "progressAt"] as const) {
        const at = marks[mark];
        if (at !== undefined && busy > 0) marks[mark] = at + busy;
      }
      if (marks.headersAt !== undefined && marks.bytesAt === undefined && busy > 0) marks.bytesAt = marks.headersAt + busy;
      delete marks.handedAt;
      marks.seenAt = now;
    },
    silentMs: () => waitingFor(facts()).forMs,
    [Symbol.dispose]() {
      over = true;
      timer?.[Symbol.dispose]();
    },
  };
}
