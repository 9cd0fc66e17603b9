// The gates at a turn's end (L12), in their fixed order. Each looks at injected work state and at nothing else. Made once per turn:
// a list or hypothesis that this turn did not touch holds nothing up.
import { plainText } from "#shared/chat/blocks.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import type { EndGate, GateVerdictAtEnd, LoopLimits } from "./contract.ts";
import { goalText, openHypothesesText, refutedHypothesesText, stopHookText, todoText, UNANSWERED_TEXT } from "./gates.text.ts";
import { goalUsed } from "./goal-budget.ts";
import { HYPOTHESIS_HOLDS_WITHOUT_OPEN } from "./limits.ts";
import { notice } from "./notices.ts";
import { hasRealText } from "./real-text.ts";

export type GateDeps = {
  todos(): readonly TodoItem[];
  hypotheses(): readonly Hypothesis[];
  goal(): Goal | undefined;
  /** the goal's budget is spent; the session records that it was let go */
  goalLetGo(): void;
  readonly hooks: HookRunner;
  readonly stopEvent: "Stop" | "SubagentStop";
  readonly caps: LoopLimits["caps"];
};

const PASS: GateVerdictAtEnd = { kind: "pass" };

/** For one turn; not to be used for another. */
export function createEndGates(deps: GateDeps): readonly EndGate[] {
  return [unansweredGate(deps), stopHookGate(deps), todoGate(deps), hypothesisGate(deps), goalGate(deps)];
}

function unansweredGate({ caps }: GateDeps): EndGate {
  return {
    name: "unanswered_gate",
    reason: "unanswered_retry",
    async check(state, reply) {
      if (hasRealText(reply)) return PASS;
      if (state.used.unanswered_retry >= caps.unanswered_retry) return { kind: "let_go", record: notice("empty_reply"), end: "empty" };
      return { kind: "hold", note: UNANSWERED_TEXT };
    },
  };
}

/** The person's own check: it may say "wrong", or "stop trying". */
function stopHookGate({ hooks, caps, stopEvent }: GateDeps): EndGate {
  return {
    name: "stop_hook_gate",
    reason: "stop_hook_retry",
    async check(state, reply, signal) {
      const used = state.used.stop_hook_retry;
      const payload = { stop_hook_active: used > 0, steps: state.step, last_assistant_message: plainText(reply.blocks) };
      const said = await hooks.run(stopEvent, "", payload, signal);
      const stop = said.find((outcome) => outcome.kind === "stop");
      if (stop !== undefined) return { kind: "let_go", record: notice("let_go_stop_trying", { reason: stop.reason }), end: "let_go" };
      const reasons = said.flatMap((outcome) => (outcome.kind === "block" ? [outcome.reason] : []));
      if (reasons.length === 0) return PASS;
      if (used >= caps.stop_hook_retry) return { kind: "let_go", record: notice("let_go_stop_hook", { reason: reasons.join("; "), times: used }) };
      return { kind: "hold", note: stopHookText(reasons) };
    },
  };
}

/**
 * Tells "not done" from "done but not ticked": if every retry brought real text by itself, the list was only not kept.
 * Text that another gate had to ask for does not count.
 */
function todoGate({ todos, caps }: GateDeps): EndGate {
  const before = stableJson(todos());
  let retriesWithText = 0;
  let unansweredBefore = 0;
  return {
    name: "todo_gate",
    reason: "todo_gate_retry",
    async check(state, reply) {
      const items = todos();
      const open = items.filter((item) => item.status !== "completed");
      if (open.length === 0 || stableJson(items) === before) return PASS;
      const used = state.used.todo_gate_retry;
      if (used > 0 && hasRealText(reply) && state.used.unanswered_retry === unansweredBefore) retriesWithText += 1;
      unansweredBefore = state.used.unanswered_retry;
      if (used < caps.todo_gate_retry) return { kind: "hold", note: todoText(open, state.gaveText) };
      return retriesWithText >= used ? PASS : { kind: "let_go", record: notice("let_go_todo", { count: open.length }) };
    },
  };
}

function hypothesisGate({ hypotheses }: GateDeps): EndGate {
  const before = stableJson(hypotheses());
  return {
    name: "hypothesis_gate",
    reason: "hypothesis_gate_retry",
    async check(state) {
      const all = hypotheses();
      if (stableJson(all) === before) return PASS;
      const open = all.filter((one) => one.state === "open");
      const refuted = all.filter((one) => one.state === "refuted");
      const used = state.used.hypothesis_gate_retry;
      if (open.length > 0) {
        const spent = used >= HYPOTHESIS_HOLDS_WITHOUT_OPEN + 1;
        return spent ? { kind: "let_go", record: notice("let_go_hypotheses", { count: open.length }) } : { kind: "hold", note: openHypothesesText(open) };
      }
      if (refuted.length === 0 || used >= HYPOTHESIS_HOLDS_WITHOUT_OPEN) return PASS;
      return { kind: "hold", note: refutedHypothesesText(refuted) };
    },
  };
}

function goalGate({ goal, goalLetGo }: GateDeps): EndGate {
  return {
    name: "goal_gate",
    reason: "goal_gate_retry",
    async check(state) {
      const current = goal();
      if (current === undefined || current.state !== "open") return PASS;
      const used = goalUsed(current, state);
      if (used < current.budget.limit) return { kind: "hold", note: goalText(current, used) };
      goalLetGo();
      return { kind: "let_go", record: notice(`let_go_goal_${current.budget.unit}`, { limit: current.budget.limit }) };
    },
  };
}
