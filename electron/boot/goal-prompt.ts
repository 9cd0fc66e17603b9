// `/goal <text> [steps=N|tokens=N]` as the person types it (L12). Pure.
import type { Goal } from "#shared/loop/work-state.ts";

export type GoalPrompt = { readonly kind: "set"; readonly goal: Goal } | { readonly kind: "clear" };

const DEFAULT_STEPS = 50;
const MAX_STEPS = 10_000;
const MAX_TOKENS = 100_000_000;
const COMMAND = /^\/goal\s+(?<rest>\S[\s\S]*)$/i;
const BUDGET = /(?:^|\s)(?<unit>steps|tokens)=(?<amount>\d{1,9})(?<scale>[km]?)(?=\s|$)/i;
const SCALE: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/**
 * Undefined for any other text. The budget may stand anywhere; without one it is 50 steps, and one out of range is
 * brought into it. `/goal clear` takes the goal back.
 */
export function parseGoalPrompt(prompt: string): GoalPrompt | undefined {
  const rest = COMMAND.exec(prompt.trim())?.groups?.["rest"]?.trim();
  if (rest === undefined) return undefined;
  if (/^(?:clear|off)$/i.test(rest)) return { kind: "clear" };
  const found = BUDGET.exec(rest);
  const text = found === null ? rest : `${rest.slice(0, found.index)}${rest.slice(found.index + found[0].length)}`.trim();
  if (text === "") return undefined;
  return { kind: "set", goal: { text, budget: budgetOf(found?.groups), used: 0, state: "open" } };
}

function budgetOf(groups: Readonly<Record<string, string>> | undefined): Goal["budget"] {
  if (groups === undefined) return { unit: "steps", limit: DEFAULT_STEPS };
  const unit = groups["unit"]?.toLowerCase() === "tokens" ? "tokens" : "steps";
  const amount = Number(groups["amount"]) * (SCALE[groups["scale"]?.toLowerCase() ?? ""] ?? 1);
  return { unit, limit: Math.min(Math.max(1, amount), unit === "tokens" ? MAX_TOKENS : MAX_STEPS) };
}
