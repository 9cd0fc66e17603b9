// Time for tests: it stands still until `advance` or `jump` moves it (L19 to L21).
import { setImmediate as nextRound } from "node:timers/promises";
import type { Clock } from "#electron/lib/clock.ts";

export interface ManualClock extends Clock {
  /** Moves time by `ms`, firing what falls due in order of time; lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Moves time at once, as a system that slept: everything overdue fires afterwards, at the new time. */
  jump(ms: number): Promise<void>;
  /** How many timers and sleeps are still waiting; 0 at the end of a test without leaks. */
  pending(): number;
}

type Timer = { readonly at: number; readonly order: number; readonly fire: () => void };

const START_EPOCH_MS = 1_700_000_000_000;
const SETTLE_ROUNDS = 3;

export function createManualClock(startMs: number = START_EPOCH_MS): ManualClock {
  const timers = new Set<Timer>();
  let passed = 0;
  let order = 0;

  const add = (ms: number, fire: () => void): Timer => {
    order += 1;
    const timer: Timer = { at: passed + Math.max(0, ms), order, fire };
    timers.add(timer);
    return timer;
  };
  const nextDue = (until: number): Timer | undefined => {
    const due = [...timers].filter((timer) => timer.at <= until);
    due.sort((a, b) => a.at - b.at || a.order - b.order);
    return due[0];
  };
  const settle = async () => {
    for (let round = 0; round < SETTLE_ROUNDS; round += 1) await nextRound();
  };
  const fireDue = async (until: number) => {
    for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
      timers.delete(timer);
      passed = Math.max(passed, timer.at);
      timer.fire();
      await settle();
    }
  };
  return {
    now: () => startMs + passed,
    monotonic: () => passed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = () => {
          timers.delete(timer);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = add(ms, done);
        signal?.addEventListener("abort", done, { once: true });
      }),
    schedule: (ms, fn) => {
      const timer = add(ms, fn);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    advance: async (ms) => {
      const until = passed + ms;
      await settle();
      await fireDue(until);
      passed = Math.max(passed, until);
      await settle();
    },
    jump: async (ms) => {
      passed += ms;
      await settle();
      await fireDue(passed);
    },
    pending: () => timers.size,
  };
}
