// `/goal <text> [steps=N|tokens=N]` as the person types it (L12). Pure.
import type { Notice } from "#shared/loop/turn-end.ts";
import type { Goal } from "#shared/loop/work-state.ts";
import { notice } from "#electron/loop/notices.ts";

/** `doubt`: what the person wrote was not, or not wholly, what came of it. */
export type GoalPrompt =
  | { readonly kind: "set"; readonly goal: Goal; readonly doubt?: Notice }
  | { readonly kind: "clear" }
  | { readonly kind: "none"; readonly doubt: Notice };

const DEFAULT_STEPS = 50;
const MAX = { steps: 10_000, tokens: 100_000_000 } as const;
const COMMAND = /^\/goal(?:\s+(?<rest>\S[\s\S]*))?$/i;
const BUDGET = /(?:^|\s)(?<unit>steps|tokens)=(?<amount>\d{1,15})(?<scale>[km]?)(?=\s|$)/i;
const LIKE_A_BUDGET = /(?:^|\s)(?:steps|tokens)=\S*/i;
const SCALE: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/**
 * Undefined for any other text. The budget may stand anywhere; without one it is 50 steps, and one out of range is
 * brought into it. `/goal clear` takes the goal back.
 */
export function parseGoalPrompt(prompt: string): GoalPrompt | undefined {
  const command = COMMAND.exec(prompt.trim());
  if (command === null) return undefined;
  const rest = command.groups?.["rest"]?.trim() ?? "";
  if (/^(?:clear|off)$/i.test(rest)) return { kind: "clear" };
  const found = BUDGET.exec(rest);
  const text = found === null ? rest : `${rest.slice(0, found.index)}${rest.slice(found.index + found[0].length)}`.trim();
  if (text === "") return { kind: "none", doubt: notice("goal_without_text") };
  const { budget, doubt } = budgetOf(found?.groups);
  const unread = LIKE_A_BUDGET.exec(text)?.[0].trim();
  const doubts = unread === undefined ? doubt : notice("goal_budget_unread", { given: unread, limit: budget.limit, unit: budget.unit });
  return { kind: "set", goal: { text, budget, used: 0, state: "open" }, ...(doubts === undefined ? {} : { doubt: doubts }) };
}

function budgetOf(groups: Readonly<Record<string, string>> | undefined): { readonly budget: Goal["budget"]; readonly doubt?: Notice } {
  if (groups === undefined) return { budget: { unit: "steps", limit: DEFAULT_STEPS } };
  const unit = groups["unit"]?.toLowerCase() === "tokens" ? "tokens" : "steps";
  const wanted = Number(groups["amount"]) * (SCALE[groups["scale"]?.toLowerCase() ?? ""] ?? 1);
  const limit = Math.min(Math.max(1, wanted), MAX[unit]);
  return limit === wanted ? { budget: { unit, limit } } : { budget: { unit, limit }, doubt: notice("goal_budget_out_of_range", { wanted, limit, unit }) };
}
