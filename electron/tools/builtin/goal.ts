// The goal tool (L12): the person sets the goal and its budget; the model can only look at it and report it met.
import { z } from "zod";
import type { Goal } from "#shared/loop/work-state.ts";
import type { Tool, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { said, toolError } from "./answers.ts";
import { OWN_WORDS, TOUCHES_NOTHING } from "./declared.ts";
import { GOAL_TEXT } from "./work-tools.text.ts";

const MAX_EVIDENCE_CHARS = 1_000;
const Input = z
  .strictObject({ state: z.literal("met").optional(), evidence: z.string().trim().min(1).max(MAX_EVIDENCE_CHARS).optional() })
  .superRefine((input, cx) => {
    if (input.state !== undefined && input.evidence === undefined)
      cx.addIssue({ code: "custom", path: ["evidence"], message: 'expected a string that says what you saw that shows it; "met" needs it' });
    if (input.state === undefined && input.evidence !== undefined)
      cx.addIssue({ code: "custom", path: ["state"], message: 'expected "met" beside evidence; leave both out to look at the goal' });
  });

export type GoalDeps = {
  goal(): Goal | undefined;
  /** keeps the goal; it has taken place when it resolves */
  readonly onGoal: (goal: Goal) => Promise<void>;
};

export function createGoalTool(deps: GoalDeps): Tool {
  return defineTool({
    name: "goal",
    schemaVersion: 1,
    input: Input,
    text: GOAL_TEXT,
    display: "summary",
    // It changes the conversation's own state only.
    ...TOUCHES_NOTHING,
    ...OWN_WORDS,
    isConcurrencySafe: () => false,
    call: async (input): Promise<ToolReturn> => {
      const goal = deps.goal();
      if (goal === undefined && input.state !== undefined) return toolError("The user has set no goal; only they can. Go on with what they asked.");
      if (goal === undefined) return said("The user has set no goal.");
      if (input.state === undefined || goal.state === "met") return said(asItStands(goal));
      if (goal.state === "let_go") return toolError(`This goal was let go because its budget is spent. Say what was reached.\n${asItStands(goal)}`);
      await deps.onGoal({ ...goal, state: "met" });
      return said(`The goal is recorded as met: ${goal.text}\nEvidence: ${input.evidence ?? ""}`);
    },
  });
}

function asItStands({ text, budget, used, state }: Goal): string {
  const words = { open: "open", met: "met", let_go: "let go" } as const;
  return `Goal (${words[state]}): ${text}\nBudget: ${budget.limit} ${budget.unit}; earlier turns used ${used}.`;
}
