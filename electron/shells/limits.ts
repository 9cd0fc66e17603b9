// The clocks of one command: how long it may take, how long it may be silent, and when to look whether it waits for keys.
import type { Clock } from "#electron/lib/clock.ts";

export type LimitsRequest = {
  readonly timeoutMs: number | undefined;
  readonly silenceMs: number | undefined;
  /** a number that changes with every output */
  readonly activity: () => number;
  readonly onTimeout: (which: "total" | "silence") => void;
  /** asked soon and often in the first seconds of silence, then at growing distances; undefined: never */
  readonly lookForKeyReaders: (() => Promise<void>) | undefined;
};
export interface Limits {
  /** No time-out any more. */
  lift(): void;
  stop(): void;
}

const FIRST_LOOK_MS = 700;
/** Some programs take their time before they ask. */
const CLOSE_LOOKS = 7;
const LAST_LOOK_MS = 30_000;
/** The silence time-out is late by this share at most. */
const SILENCE_TICKS = 8;

export function startLimits(clock: Clock, request: LimitsRequest): Limits {
  const timers = { total: none(), silence: none(), keys: none() };
  const { timeoutMs, silenceMs } = request;
  if (timeoutMs !== undefined) timers.total = clock.schedule(timeoutMs, () => request.onTimeout("total"));
  if (silenceMs !== undefined) watchSilence(clock, request, silenceMs, (timer) => (timers.silence = timer));
  if (request.lookForKeyReaders !== undefined) watchKeys(clock, request, request.lookForKeyReaders, (timer) => (timers.keys = timer));
  const end = (...names: readonly (keyof typeof timers)[]) => {
    for (const name of names) timers[name][Symbol.dispose]();
  };
  return { lift: () => end("total", "silence"), stop: () => end("total", "silence", "keys") };
}

function watchSilence(clock: Clock, { activity, onTimeout }: LimitsRequest, silenceMs: number, keep: (timer: Disposable) => void): void {
  let seen = activity();
  let since = clock.monotonic();
  const tick = () => {
    const now = clock.monotonic();
    if (activity() !== seen) {
      seen = activity();
      since = now;
    }
    if (now - since >= silenceMs) onTimeout("silence");
    else keep(clock.schedule(Math.ceil(silenceMs / SILENCE_TICKS), tick));
  };
  keep(clock.schedule(Math.ceil(silenceMs / SILENCE_TICKS), tick));
}

function watchKeys(clock: Clock, { activity }: LimitsRequest, look: () => Promise<void>, keep: (timer: Disposable) => void): void {
  let seen = activity();
  let looks = 0;
  let distance = FIRST_LOOK_MS;
  const next = () => keep(clock.schedule(distance, tick));
  const tick = () => {
    if (activity() !== seen) {
      seen = activity();
      looks = 0;
      distance = FIRST_LOOK_MS;
      return next();
    }
    if (++looks >= CLOSE_LOOKS) distance = Math.min(distance * 2, LAST_LOOK_MS);
    // The next look is planned first, so that stopping while one is under way leaves no timer behind.
    next();
    void look();
  };
  next();
}

function none(): Disposable {
  return { [Symbol.dispose]: () => {} };
}
