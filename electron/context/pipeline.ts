// Makes a history fit (C1 to C6): the cheapest layer first, measured, never told as done when it is not. One per session.
import type { Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { repairHistory } from "#shared/chat/history-repair.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import { biggestParts, createFixedMeter } from "./biggest.ts";
import { createBreaker } from "./breaker.ts";
import type { ContextPipeline, FitMode, FitOutcome, FixedPart } from "./contract.ts";
import { createEstimator, createMeter } from "./estimate.ts";
import { clearOld, cutNewest, hardCut, lossless, oldestPairs, oversized, type LayerContext } from "./layers.ts";
import { CACHE_WARM_MS, FRUITLESS_COMPACTIONS, LIGHTEN_SHARE, OVERFLOW_SHARE, SUMMARY_INPUT_TOKENS, TAIL_SHARE, WORTHWHILE_GAIN } from "./limits.ts";
import { summarised, type Summarise } from "./summarise.ts";
import { marksFor, type Marks } from "./thresholds.ts";
import { returningNotesOf, turnNotesOf, type ContextFacts } from "./turn-notes.ts";

export type ContextDeps = {
  /** system prompt and tools as they are sent now; the same objects as long as nothing was loaded (C7) */
  fixed(): FixedPart;
  isReproducible(tool: string): boolean;
  readonly summarise: Summarise;
  readonly facts: ContextFacts;
  readonly clock: Clock;
};

/** Numbers of layers as events name them: 0 to 3 and 5 are those of C1, 6 is the hard cut, 7 the cut of the newest results. */
const FREE_LAYERS = [[0, lossless], [1, oversized], [2, oldestPairs], [3, clearOld]] as const;

type Failure = Extract<FitOutcome, { kind: "failed" }>;
type Work = { readonly history: readonly Message[]; readonly layers: readonly number[]; readonly failed?: Failure["why"] };
type Goals = { readonly enough: (history: readonly Message[]) => boolean; readonly info: ModelInfo; readonly signal: AbortSignal };

export function createContextPipeline(deps: ContextDeps): ContextPipeline {
  const estimator = createEstimator();
  const fixedMeter = createFixedMeter();
  const fixedTokens = () => fixedMeter(deps.fixed());
  const meter = createMeter(estimator, fixedTokens);
  const breaker = createBreaker(deps.clock);
  const session: { answeredAt: number | undefined; summaryFailed: boolean; fruitless: number; off: boolean; futileAt: number } = {
    answeredAt: undefined, summaryFailed: false, fruitless: 0, off: false, futileAt: Number.POSITIVE_INFINITY,
  };

  const failure = (why: Failure["why"], history: readonly Message[]): Failure => ({ kind: "failed", why, biggest: biggestParts(deps.fixed(), history, estimator) });
  const free = (history: readonly Message[], enough: Goals["enough"]): Work => {
    const cx: LayerContext = { isReproducible: deps.isReproducible, enough };
    let work: Work = { history, layers: [] };
    for (const [number, layer] of FREE_LAYERS) {
      if (enough(work.history)) break;
      const next = layer(work.history, cx);
      if (next !== work.history) work = { history: next, layers: [...work.layers, number] };
    }
    return work;
  };
  const last = (work: Work, number: 6 | 7, enough: Goals["enough"]): Work => {
    const next = (number === 6 ? hardCut : cutNewest)(work.history, { isReproducible: deps.isReproducible, enough });
    return next === work.history ? work : { ...work, history: next, layers: [...work.layers, number] };
  };
  /** At most one summary that failed per turn (E07). */
  const summary = async (work: Work, { info, signal }: Goals): Promise<Work> => {
    if (session.summaryFailed) return work;
    const tailTokens = info.window === undefined ? SUMMARY_INPUT_TOKENS : Math.round(info.window * TAIL_SHARE);
    const made = await summarised({ history: work.history, tailTokens, estimator, summarise: deps.summarise, signal });
    if (made === "nothing_to_do") return work;
    if (made !== "failed") return { history: made, layers: [...work.layers, 5] };
    if (signal.aborted) return { ...work, failed: "aborted" };
    session.summaryFailed = true;
    return { ...work, failed: "summary_failed" };
  };
  /** The numbers decide (C4), and the result is a history that providers take (C6). */
  const judged = (history: readonly Message[], work: Work): FitOutcome => {
    if (work.failed === "aborted") return failure("aborted", history);
    const before = meter.measure(history);
    const sound = checkHistory(work.history, true).length === 0 ? work.history : repairHistory(work.history, true);
    const after = meter.measure(sound);
    if (work.layers.length > 0 && after < before) {
      breaker.succeeded();
      return { kind: "compacted", history: sound, before, after, layers: work.layers };
    }
    breaker.failed();
    return failure(work.failed ?? "no_gain", history);
  };

  const byThresholds = async (history: readonly Message[], info: ModelInfo, signal: AbortSignal): Promise<FitOutcome> => {
    if (info.window === undefined) return { kind: "fits" };
    const { window } = info;
    const marks = marksFor(window, info);
    const left = (one: readonly Message[]) => window - meter.measure(one);
    const now = left(history);
    if (now > firstMark(marks)) return { kind: "fits" };
    if (session.off || window - fixedTokens() <= marks.layers) {
      session.off = true;
      return failure("fixed_part_too_big", history);
    }
    const enough = (one: readonly Message[]) => left(one) > marks.layers;
    if (now > marks.summary) return whenWorthwhile(history, now, enough);
    if (!breaker.allows() && now > marks.cut) return failure("breaker_open", history);
    let work = free(history, enough);
    if (left(work.history) <= marks.summary && now > marks.last) work = await summary(work, { enough, info, signal });
    if (left(work.history) <= marks.cut && work.failed !== "aborted") work = last(work, 6, enough);
    const outcome = judged(history, work);
    session.fruitless = outcome.kind === "compacted" && enough(outcome.history) ? 0 : session.fruitless + 1;
    if (session.fruitless >= FRUITLESS_COMPACTIONS) session.off = true;
    return outcome;
  };
  /** While the provider's cache is warm the prefix stays as it is until space is short (C3). */
  const firstMark = (marks: Marks) => {
    const warm = session.answeredAt !== undefined && deps.clock.monotonic() - session.answeredAt < CACHE_WARM_MS;
    return warm ? marks.summary : marks.layers;
  };
  /** Between the first two marks a small gain is not worth a new prefix, nor is trying at every step. */
  const whenWorthwhile = (history: readonly Message[], now: number, enough: Goals["enough"]): FitOutcome => {
    if (now > session.futileAt - WORTHWHILE_GAIN) return { kind: "fits" };
    const work = free(history, enough);
    const gain = meter.measure(history) - meter.measure(work.history);
    session.futileAt = gain >= WORTHWHILE_GAIN || enough(work.history) ? Number.POSITIVE_INFINITY : now;
    return session.futileAt === now ? { kind: "fits" } : judged(history, work);
  };
  const smaller = async (history: readonly Message[], info: ModelInfo, mode: "lighten" | "overflow", signal: AbortSignal): Promise<FitOutcome> => {
    const target = meter.measure(history) * (mode === "lighten" ? LIGHTEN_SHARE : OVERFLOW_SHARE);
    const enough = (one: readonly Message[]) => meter.measure(one) <= target;
    let work = free(history, enough);
    if (mode === "overflow" && !enough(work.history)) work = await summary(work, { enough, info, signal });
    if (mode === "overflow" && !enough(work.history) && work.failed !== "aborted") work = last(last(work, 6, enough), 7, enough);
    return judged(history, work);
  };

  return {
    get fixed() {
      return deps.fixed();
    },
    measure: meter.measure,
    fit: (history, info, mode: FitMode, signal) => (mode === "thresholds" ? byThresholds(history, info, signal) : smaller(history, info, mode, signal)),
    saw(history, usedTokens) {
      session.answeredAt = deps.clock.monotonic();
      meter.saw(history, usedTokens);
    },
    async turnNotes(history) {
      session.summaryFailed = false;
      return await turnNotesOf(history, deps.facts);
    },
    returningNotes: (history) => returningNotesOf(history, deps.facts),
  };
}
