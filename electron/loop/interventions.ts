// What speaks up between two steps beside the guards: evidence against a hypothesis (L13) and a goal's budget (L12). Made once per turn.
import { contentText } from "#shared/chat/blocks.ts";
import type { Goal, Hypothesis } from "#shared/loop/work-state.ts";
import type { Intervention, Round } from "./contract.ts";
import { mayMatch } from "./evidence.ts";
import { evidenceText, goalWarningText } from "./gates.text.ts";
import { goalUsed } from "./goal-budget.ts";
import { GOAL_WARNING_SHARE } from "./limits.ts";

export type InterventionDeps = { hypotheses(): readonly Hypothesis[]; goal(): Goal | undefined };

const QUIET = { kind: "quiet" } as const;

/** For one turn; not to be used for another. */
export function createInterventions(deps: InterventionDeps): readonly Intervention[] {
  return [evidenceIntervention(deps), goalBudgetIntervention(deps)];
}

function evidenceIntervention({ hypotheses }: InterventionDeps): Intervention {
  const told = new Set<string>();
  return {
    name: "hypothesis_evidence",
    reason: "hypothesis_gate_retry",
    check(_state, round) {
      for (const hypothesis of hypotheses()) {
        if (hypothesis.state !== "open" || told.has(hypothesis.id)) continue;
        const tool = sourceOf(hypothesis, round);
        if (tool === undefined) continue;
        told.add(hypothesis.id);
        return { kind: "note", text: evidenceText(hypothesis, tool) };
      }
      return QUIET;
    },
  };
}

/** Only what was found outside counts: a call without such an effect (the ledger itself) would only echo the falsifier. */
function sourceOf(hypothesis: Hypothesis, { done }: Round): string | undefined {
  const outside = done.filter(({ call }) =>
    call.traits.effects.some((effect) => effect.kind === "reads" || effect.kind === "runs" || effect.kind === "network"),
  );
  return outside.find(({ outcome }) => mayMatch(hypothesis.falsifier, contentText(outcome.forModel)))?.call.name;
}

function goalBudgetIntervention({ goal }: InterventionDeps): Intervention {
  return {
    name: "goal_budget",
    reason: "goal_budget_warning",
    check(state) {
      const current = goal();
      if (current === undefined || current.state !== "open" || state.used.goal_budget_warning > 0) return QUIET;
      const used = goalUsed(current, state);
      const due = used >= current.budget.limit * GOAL_WARNING_SHARE && used < current.budget.limit;
      return due ? { kind: "note", text: goalWarningText(current, used) } : QUIET;
    },
  };
}
