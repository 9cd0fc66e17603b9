// What sub-agents used of a turn's budgets in tokens (L12, L15, L23): the parent's loop takes it over between two steps, its goal at the end.
import { freshTokens, type Usage } from "#shared/chat/usage.ts";

export interface OthersTokens {
  add(usage: Usage): void;
  /** fresh tokens since this was last asked */
  take(): number;
  /** fresh tokens of the whole turn */
  total(): number;
}

/** For one turn. */
export function createOthersTokens(): OthersTokens {
  let total = 0;
  let taken = 0;
  return {
    add(usage) {
      total += freshTokens(usage);
    },
    take() {
      const fresh = total - taken;
      taken = total;
      return fresh;
    },
    total: () => total,
  };
}
