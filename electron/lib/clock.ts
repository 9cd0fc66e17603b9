// The one source of time of the engine, so that tests can turn its hands (L19 to L21).

export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** ms that only grow; for durations */
  monotonic(): number;
  /** Resolves after `ms`; ends at once, without throwing, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `fn` once after `ms`, unless disposed before. */
  schedule(ms: number, fn: () => void): Disposable;
}

/** Real time. Its timers do not keep the process alive unless `sleep` is awaited. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal?.addEventListener("abort", done, { once: true });
      }),
    schedule: (ms, fn) => {
      const timer = setTimeout(fn, ms);
      timer.unref();
      return { [Symbol.dispose]: () => clearTimeout(timer) };
    },
  };
}
