// Token counts of one request. `input` never includes cached tokens, whatever the provider reports.
import { z } from "zod";

const count = z.number().nonnegative();
export const Usage = z.object({ input: count, output: count, reasoning: count.optional(), cacheRead: count, cacheWrite: count });
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = { input: a.input + b.input, output: a.output + b.output, cacheRead: a.cacheRead + b.cacheRead, cacheWrite: a.cacheWrite + b.cacheWrite };
  return a.reasoning === undefined && b.reasoning === undefined ? sum : { ...sum, reasoning: (a.reasoning ?? 0) + (b.reasoning ?? 0) };
}

/** Tokens that occupied the window in that request. */
export function windowTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** Tokens that were worked on anew: what the cache gave is not counted (L11, L12, L15). */
export function freshTokens(usage: Usage): number {
  return usage.input + usage.cacheWrite + usage.output;
}
