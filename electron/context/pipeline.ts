// Makes a history fit (C1 to C6): the cheapest layer first, measured, never told as done when it is not. One per session.
import { isSaid } from "#shared/chat/note.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { createFixedMeter } from "./biggest.ts";
import { createBreaker } from "./breaker.ts";
import type { ContextPipeline, FixedPart } from "./contract.ts";
import { createEstimator, createMeter } from "./estimate.ts";
import { byThresholds, smaller } from "./fit.ts";
import { CACHE_WARM_MS } from "./limits.ts";
import type { Core, Session } from "./reduce-history.ts";
import type { Summarise } from "./summarise.ts";
import { returningNotesOf, turnNotesOf, type ContextFacts } from "./turn-notes.ts";

export type ContextDeps = {
  /** system prompt and tools as they are sent now; the same arrays as long as nothing was loaded or switched (C7) */
  fixed(): FixedPart;
  isReproducible(tool: string): boolean;
  readonly summarise: Summarise;
  readonly facts: ContextFacts;
  readonly clock: Clock;
};

export function createContextPipeline(deps: ContextDeps): ContextPipeline {
  const { clock, facts } = deps;
  const fixedMeter = createFixedMeter();
  const fixedTokens = () => fixedMeter(deps.fixed());
  const estimator = createEstimator();
  const meter = createMeter(estimator, fixedTokens);
  const session: Session = { answeredAt: undefined, summaryFailed: false, fruitless: 0, off: undefined, futileAt: Number.POSITIVE_INFINITY };
  const core: Core = {
    fixed: deps.fixed,
    isReproducible: deps.isReproducible,
    summarise: deps.summarise,
    estimator,
    meter,
    breaker: createBreaker(clock),
    session,
  };
  const isWarm = () => session.answeredAt !== undefined && clock.monotonic() - session.answeredAt < CACHE_WARM_MS;

  return {
    get fixed() {
      return deps.fixed();
    },
    measure: meter.measure,
    fit: (history, info, mode, signal) =>
      mode === "thresholds"
        ? byThresholds(core, history, { info, signal, warm: isWarm(), fixedTokens: fixedTokens() })
        : smaller(core, history, mode, { info, signal }),
    saw(history, usedTokens) {
      session.answeredAt = clock.monotonic();
      meter.saw(history, usedTokens);
    },
    async turnNotes(history) {
      session.summaryFailed = false;
      return await turnNotesOf(history, facts);
    },
    returningNotes: async (history) => (await returningNotesOf(history, facts)).filter((note) => !isSaid(history, note)),
  };
}
