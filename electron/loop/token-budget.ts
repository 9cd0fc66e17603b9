// `+500k` in a prompt (L15): how much the person wants to be spent on it. The note always allows ending.
import type { EndGate } from "./contract.ts";
import { TOKEN_BUDGET_MAX, TOKEN_BUDGET_MIN, TOKEN_BUDGET_SHARE } from "./limits.ts";

// The unit is required: phone numbers, sums and versions have none.
const BUDGET = /(?:^|\s)\+(\d+(?:\.\d+)?)\s?([km])\b/i;

/** Tokens, within the allowed range; undefined when the prompt names none. */
export function parseTokenBudget(prompt: string): number | undefined {
  const match = BUDGET.exec(prompt);
  if (match === null) return undefined;
  const [, digits, unit] = match;
  const tokens = Number(digits) * (unit?.toLowerCase() === "m" ? 1_000_000 : 1_000);
  return Math.min(TOKEN_BUDGET_MAX, Math.max(TOKEN_BUDGET_MIN, Math.round(tokens)));
}

export function tokenBudgetGate(budget: number): EndGate {
  return {
    name: "token_budget",
    reason: "token_budget_continuation",
    async check(state) {
      if (state.spentTokens >= budget * TOKEN_BUDGET_SHARE) return { kind: "pass" };
      return { kind: "hold", note: budgetNote(state.spentTokens, budget) };
    },
  };
}

function budgetNote(spent: number, budget: number): string {
  return `The user set a budget of ${budget} tokens for this request; about ${spent} are used and ${budget - spent} are left. If the work is complete and nothing of value can be added, end now: repeating or padding helps nobody. Otherwise go on: check edge cases, tests and what you could not verify.`;
}
