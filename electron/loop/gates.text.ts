// What the gates at a turn's end say to the model (L12 to L14): what is missing and what to do, once, and never a reproach.
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";

export const UNANSWERED_TEXT =
  "You ended without any text for the user. Answer the user now. If the work is done, say briefly what you did, what you checked and what is open.";

export function stopHookText(reasons: readonly string[]): string {
  return `A check of the user objects to the result:\n${reasons.join("\n")}\nFix this, then finish.`;
}

export function todoText(open: readonly TodoItem[], answered: boolean): string {
  const list = open.map((item) => `- [${item.status}] ${item.text}`).join("\n");
  const repeat = answered ? " You have already answered the user: do not repeat that answer." : "";
  return `Your to-do list still has open items:\n${list}\nIf they are done, mark them completed. If not, do them, or remove what is no longer wanted.${repeat}`;
}

export function openHypothesesText(open: readonly Hypothesis[]): string {
  const list = open.map((one) => `- ${one.id}: ${one.claim} (would be wrong if: ${one.falsifier})`).join("\n");
  return `These hypotheses are neither confirmed nor refuted:\n${list}\nDecide each with the hypothesis tool, with evidence. What stays open must not be stated as a conclusion.`;
}

export function refutedHypothesesText(refuted: readonly Hypothesis[]): string {
  const list = refuted.map((one) => `- ${one.id}: ${one.claim}`).join("\n");
  return `These hypotheses were refuted:\n${list}\nCheck that your answer does not rest on any of them; correct it if it does, otherwise say in one line that it stands.`;
}

export function evidenceText(found: Hypothesis, tool: string): string {
  return `The last result of ${tool} may match what would prove hypothesis ${found.id} wrong.\nClaim: ${found.claim}\nWould be wrong if: ${found.falsifier}\nLook at that result now and decide with the hypothesis tool: confirm or refute. Do not go on as if it had not been seen.`;
}

export function goalText(goal: Goal, used: number): string {
  const left = Math.max(0, goal.budget.limit - used);
  return `The user's goal is not met yet: ${goal.text}\n${left} of ${goal.budget.limit} ${goal.budget.unit} are left. Go on. When it is met, mark it with the goal tool; if it cannot be met, say why.`;
}

export function goalWarningText(goal: Goal, used: number): string {
  return `${used} of ${goal.budget.limit} ${goal.budget.unit} for the user's goal are used: ${goal.text}\nPlan what is left so that it ends in a usable state.`;
}
