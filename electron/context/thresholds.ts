// When to act, in tokens left (C2): one table. A completion buffer is a floor under each mark, never subtracted as well.
import type { ModelInfo } from "#electron/providers/contract.ts";

/**
 * Tokens left at which each measure begins. `last`: no model is asked any more. `aim`: tokens left that a compaction goes on for, a model
 * included, although its mark is met: without it, one that stops at its mark would be due again with the next step.
 */
export type Marks = { readonly layers: number; readonly summary: number; readonly cut: number; readonly last: number; readonly aim: number };

type Row = { readonly from: number; marks(window: number): Marks };
const left = (window: number, used: number) => Math.round(window * (1 - used));

/** By window size, largest first. Percentages would be too early in small windows and too late in large ones, so large ones are absolute. */
const TABLE: readonly Row[] = [
  { from: 160_000, marks: () => ({ layers: 80_000, summary: 60_000, cut: 40_000, last: 3_000, aim: 0 }) },
  { from: 60_001, marks: (window) => ({ layers: left(window, 0.5), summary: left(window, 0.62), cut: left(window, 0.75), last: 3_000, aim: 0 }) },
  {
    from: 0,
    marks: (window) => ({
      layers: left(window, 0.9),
      summary: left(window, 0.9),
      cut: left(window, 0.9),
      last: Math.min(3_000, left(window, 0.97)),
      aim: left(window, 0.7),
    }),
  },
];

/** Share of the window that a reply's room may claim as floor. */
const BUFFER_SHARE = 0.1;

export function marksFor(window: number, info: Pick<ModelInfo, "maxOutput">): Marks {
  const row = TABLE.find((one) => window >= one.from);
  const { layers, summary, cut, last, aim } = (row ?? { marks: () => ({ layers: 0, summary: 0, cut: 0, last: 0, aim: 0 }) }).marks(window);
  const buffer = Math.min(info.maxOutput, Math.round(window * BUFFER_SHARE));
  return { layers: Math.max(layers, buffer), summary: Math.max(summary, buffer), cut: Math.max(cut, buffer), last, aim };
}
