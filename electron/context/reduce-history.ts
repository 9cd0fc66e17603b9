// The ways to a smaller history, as work that is judged at the end by numbers (C4) and by the history checker (C6).
import type { Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { repairHistory } from "#shared/chat/history-repair.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import { biggestParts } from "./biggest.ts";
import type { Breaker } from "./breaker.ts";
import type { FitOutcome, FixedPart } from "./contract.ts";
import type { Estimator, Meter } from "./estimate.ts";
import { clearOld, cutNewest, hardCut, lossless, oldestPairs, oversized, type LayerContext } from "./layers.ts";
import { SUMMARY_INPUT_TOKENS, TAIL_SHARE } from "./limits.ts";
import { summarised, type Summarise } from "./summarise.ts";

export type Failure = Extract<FitOutcome, { kind: "failed" }>;

/** What the pipeline of one session remembers. */
export type Session = {
  answeredAt: number | undefined;
  /** a summary failed in this turn; no second try (E07) */
  summaryFailed: boolean;
  /** full compactions in a row that did not get below the mark */
  fruitless: number;
  /** why the automatic ones are switched off */
  off: Failure["why"] | undefined;
  /** tokens left when layers 0 to 3 last brought too little */
  futileAt: number;
};

export type Core = {
  fixed(): FixedPart;
  isReproducible(tool: string): boolean;
  readonly summarise: Summarise;
  readonly estimator: Estimator;
  readonly meter: Meter;
  readonly breaker: Breaker;
  readonly session: Session;
};

export type Enough = LayerContext["enough"];
/** `asked`: a model was asked for a summary. */
export type Work = { readonly history: readonly Message[]; readonly layers: readonly number[]; readonly failed?: Failure["why"]; readonly asked?: boolean };

/** Numbers of layers as events name them: 0 to 3 and 5 are those of C1, 6 is the hard cut, 7 the cut of the newest results. */
const FREE_LAYERS = [
  [0, lossless],
  [1, oversized],
  [2, oldestPairs],
  [3, clearOld],
] as const;
const LAST_LAYERS = { 6: hardCut, 7: cutNewest } as const;
const SUMMARY_LAYER = 5;

export function failure(core: Core, why: Failure["why"], history: readonly Message[]): Failure {
  return { kind: "failed", why, biggest: biggestParts(core.fixed(), history, core.estimator) };
}

/** Layers 0 to 3, until it is enough. */
export function freeLayers(core: Core, history: readonly Message[], enough: Enough): Work {
  let work: Work = { history, layers: [] };
  for (const [number, layer] of FREE_LAYERS) {
    if (enough(work.history)) break;
    work = applied(work, number, layer(work.history, { isReproducible: core.isReproducible, enough }));
  }
  return work;
}

export function lastLayer(core: Core, work: Work, number: keyof typeof LAST_LAYERS, enough: Enough): Work {
  return enough(work.history) ? work : applied(work, number, LAST_LAYERS[number](work.history, { isReproducible: core.isReproducible, enough }));
}

function applied(work: Work, number: number, history: readonly Message[]): Work {
  return history === work.history ? work : { ...work, history, layers: [...work.layers, number] };
}

/** Layer 5, of the whole history: what a free layer dropped belongs into the summary too. */
export async function withSummary(
  core: Core,
  history: readonly Message[],
  work: Work,
  how: { readonly info: ModelInfo; readonly signal: AbortSignal },
): Promise<Work> {
  if (core.session.summaryFailed) return { ...work, failed: "summary_failed" };
  const { window } = how.info;
  const tailTokens = window === undefined ? SUMMARY_INPUT_TOKENS : Math.round(window * TAIL_SHARE);
  const made = await summarised({ history, tailTokens, estimator: core.estimator, summarise: core.summarise, signal: how.signal });
  if (made === "nothing_to_do") return work;
  if (made !== "failed") return { history: made, layers: [SUMMARY_LAYER], asked: true };
  if (how.signal.aborted) return { ...work, failed: "aborted" };
  core.session.summaryFailed = true;
  return { ...work, failed: "summary_failed", asked: true };
}

/** The numbers decide, not the path that was taken. */
export function judged(core: Core, history: readonly Message[], work: Work): FitOutcome {
  if (work.failed === "aborted") return failure(core, "aborted", history);
  const before = core.meter.measure(history);
  const sound = checkHistory(work.history, true).length === 0 ? work.history : repairHistory(work.history, true);
  const after = core.meter.measure(sound);
  if (work.layers.length > 0 && after < before) {
    core.breaker.succeeded();
    return { kind: "compacted", history: sound, before, after, layers: work.layers };
  }
  core.breaker.failed();
  return failure(core, work.failed ?? "no_gain", history);
}
