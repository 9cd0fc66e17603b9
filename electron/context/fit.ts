// When a history is made smaller, and how far: by the table before each step, or because somebody needs it much smaller (C2, C3, L5).
import type { Message } from "#shared/chat/blocks.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import type { FitOutcome } from "./contract.ts";
import { FRUITLESS_COMPACTIONS, LIGHTEN_SHARE, OVERFLOW_SHARE, WORTHWHILE_GAIN } from "./limits.ts";
import { failure, freeLayers, judged, lastLayer, withSummary, type Core, type Enough } from "./reduce-history.ts";
import { marksFor, type Marks } from "./thresholds.ts";

type How = { readonly info: ModelInfo; readonly signal: AbortSignal };

/** Before each step, by the table. `warm`: the provider's cache is (C3). */
export async function byThresholds(
  core: Core,
  history: readonly Message[],
  how: How & { readonly warm: boolean; readonly fixedTokens: number },
): Promise<FitOutcome> {
  const { window } = how.info;
  if (window === undefined) return { kind: "fits" };
  const marks = marksFor(window, how.info);
  const left = (one: readonly Message[]) => window - core.meter.measure(one);
  const now = left(history);
  // While the cache is warm the prefix stays as it is until space is short.
  if (now > (how.warm ? marks.summary : marks.layers)) return { kind: "fits" };
  if (window - how.fixedTokens <= marks.layers) core.session.off = "fixed_part_too_big";
  if (core.session.off !== undefined) return failure(core, core.session.off, history);
  const enough: Enough = (one) => left(one) > Math.max(marks.layers, marks.aim);
  if (now > marks.summary) return whenWorthwhile(core, history, now, enough);
  if (!core.breaker.allows() && now > marks.cut) return failure(core, "breaker_open", history);
  return await fully(core, history, { ...how, marks, left, enough });
}

type Full = How & { readonly marks: Marks; readonly left: (history: readonly Message[]) => number; readonly enough: Enough };

async function fully(core: Core, history: readonly Message[], how: Full): Promise<FitOutcome> {
  const { marks, left, enough } = how;
  const now = left(history);
  let work = freeLayers(core, history, enough);
  if (left(work.history) <= Math.max(marks.summary, marks.aim) && now > marks.last) work = await withSummary(core, history, work, how);
  if (work.failed === "summary_failed" && now > marks.cut) {
    // There is still room, so the history stays exactly as it was (E07).
    if (work.asked === true) core.breaker.failed();
    return failure(core, "summary_failed", history);
  }
  if (left(work.history) <= marks.cut && work.failed !== "aborted") work = lastLayer(core, work, 6, enough);
  const outcome = judged(core, history, work);
  core.session.fruitless = outcome.kind === "compacted" && left(outcome.history) > marks.layers ? 0 : core.session.fruitless + 1;
  if (core.session.fruitless >= FRUITLESS_COMPACTIONS) core.session.off = "no_gain";
  return outcome;
}

/** Between the first two marks a small gain is not worth a new prefix, nor is trying at every step. */
function whenWorthwhile(core: Core, history: readonly Message[], now: number, enough: Enough): FitOutcome {
  const { session, meter } = core;
  if (now > session.futileAt - WORTHWHILE_GAIN) return { kind: "fits" };
  const work = freeLayers(core, history, enough);
  const worthwhile = meter.measure(history) - meter.measure(work.history) >= WORTHWHILE_GAIN || enough(work.history);
  session.futileAt = worthwhile ? Number.POSITIVE_INFINITY : now;
  return worthwhile ? judged(core, history, work) : { kind: "fits" };
}

/** `lighten`: what costs nothing; `overflow`: whatever it takes. */
export async function smaller(core: Core, history: readonly Message[], mode: "lighten" | "overflow", how: How): Promise<FitOutcome> {
  const target = core.meter.measure(history) * (mode === "lighten" ? LIGHTEN_SHARE : OVERFLOW_SHARE);
  const enough: Enough = (one) => core.meter.measure(one) <= target;
  let work = freeLayers(core, history, enough);
  if (mode === "lighten") return judged(core, history, work);
  if (!enough(work.history)) work = await withSummary(core, history, work, how);
  if (work.failed !== "aborted") work = lastLayer(core, lastLayer(core, work, 6, enough), 7, enough);
  return judged(core, history, work);
}
