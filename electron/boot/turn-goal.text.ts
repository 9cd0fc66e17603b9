// What the model is told when the person sets a goal or takes it back (L12).
import type { Goal } from "#shared/loop/work-state.ts";

export function goalSetText({ text, budget }: Goal): string {
  return `The user set a goal: ${text}\nBudget: ${budget.limit} ${budget.unit}. Work until it is reached; then report it with the goal tool and the evidence you saw.`;
}

export function goalClearedText(): string {
  return "The user took the goal back. There is none now.";
}
