// How often a tool was refused for one reason in this session, by the chain and by the person together (P6).
import type { Verdict } from "./contract.ts";

/** After so many refusals the person is asked instead of being refused for in silence. */
export const REFUSALS_BEFORE_ASKING = 3;

export interface Refusals {
  /** refusals so far of this tool for this reason */
  count(tool: string, verdict: Verdict): number;
  /** Counts one more; answers the new count. */
  refused(tool: string, verdict: Verdict): number;
  /** The person allowed it: what was refused before no longer says anything. */
  allowed(tool: string, verdict: Verdict): void;
}

export function createRefusals(): Refusals {
  const counts = new Map<string, number>();
  const keyOf = (tool: string, verdict: Verdict) => JSON.stringify([tool, verdict.by, verdict.reason]);
  return {
    count: (tool, verdict) => counts.get(keyOf(tool, verdict)) ?? 0,
    refused(tool, verdict) {
      const count = (counts.get(keyOf(tool, verdict)) ?? 0) + 1;
      counts.set(keyOf(tool, verdict), count);
      return count;
    },
    allowed: (tool, verdict) => void counts.delete(keyOf(tool, verdict)),
  };
}

/** True at each third refusal: asked once, and not at every further try when the person keeps refusing. */
export function shouldAskAgain(count: number): boolean {
  return count > 0 && count % REFUSALS_BEFORE_ASKING === 0;
}
