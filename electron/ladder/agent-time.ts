// Time as the agent lives it (L21): waiting for a person and the sleep of the machine do not count.
import type { Clock } from "#electron/lib/clock.ts";

/** A tick that is late by so much more than this means that the machine slept, not that it was busy. */
const SLEEP_GAP_MS = 10_000;
const MISSED_TICKS = 2;

export interface AgentTime {
  /** ms of the agent's own time since this was made */
  now(): number;
  /** To be called every `tickMs` while something is watched; a missing tick is a system that slept. */
  tick(): void;
  /** Begins ticking anew: the time since the last tick was not watched. */
  resume(): void;
  /** A pause of our own that was meant to last `meantMs` is over; what went beyond it was the machine's sleep. */
  paused(meantMs: number, startedAt: number): void;
  /** ms that the machine slept, as far as known */
  sleptMs(): number;
}

export type AgentTimeDeps = { readonly clock: Clock; readonly tickMs: number; personWaitMs(): number };

export function createAgentTime({ clock, tickMs, personWaitMs }: AgentTimeDeps): AgentTime {
  const begun = clock.monotonic();
  const personBefore = personWaitMs();
  let slept = 0;
  let lastTick = begun;
  const sleepBeyond = (passed: number, meant: number) => {
    if (passed - meant >= Math.max(SLEEP_GAP_MS, tickMs * MISSED_TICKS)) slept += passed - meant;
  };
  const now = () => clock.monotonic() - begun - slept - (personWaitMs() - personBefore);
  return {
    now,
    tick() {
      const at = clock.monotonic();
      sleepBeyond(at - lastTick, tickMs);
      lastTick = at;
    },
    resume() {
      lastTick = clock.monotonic();
    },
    paused(meantMs, startedAt) {
      sleepBeyond(clock.monotonic() - startedAt, meantMs);
    },
    sleptMs: () => slept,
  };
}
