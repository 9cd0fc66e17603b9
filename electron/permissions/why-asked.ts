// Why a person is asked, as one of a closed set that both languages have words for (P10). The guard says it where it has more to say
// than its step.
import type { AskWhy } from "#shared/permissions/explanation.ts";
import type { StepName } from "#shared/permissions/question.ts";
import type { Verdict } from "./contract.ts";

const BY_STEP: Readonly<Record<StepName, AskWhy>> = {
  deny_rules: "rule_forbids",
  dangerous_command: "check_failed",
  disabled_tool: "switched_off",
  path_guard: "outside_folder",
  ask_rules: "rule_asks",
  tool_opinion: "tool_asks",
  protected_path: "agent_folder",
  plan_mode: "plan_mode",
  sandboxed: "not_allowed_yet",
  bypass_mode: "not_allowed_yet",
  allow_rules: "not_allowed_yet",
  reads: "not_allowed_yet",
  accept_edits: "not_allowed_yet",
  ask: "not_allowed_yet",
};

export function whyAsked(verdict: Verdict): AskWhy {
  return verdict.why ?? BY_STEP[verdict.by];
}
