// Rules without effect, said to the person with the next step (R4, B16).
import type { Notice } from "#shared/loop/turn-end.ts";
import { parseRules, type RuleProblem } from "#shared/permissions/rule.ts";
import type { ActiveRules } from "./contract.ts";

const SHOWN_CHARS = 120;
const KEYS = { not_a_rule: "notices.rule_not_a_rule", too_wide: "notices.rule_too_wide" } as const;

/** `where`: the file or place the rule stands in, as the person knows it. */
export function ruleNotices(problems: readonly RuleProblem[], where: string): readonly Notice[] {
  return problems.map(({ rule, kind }) => ({ key: KEYS[kind], params: { rule: rule.slice(0, SHOWN_CHARS), where } }));
}

/** What is wrong with each of these rules; the others hold. */
export function unusableRules(rules: ActiveRules, where: string): readonly Notice[] {
  const problems = [parseRules(rules.allow, true), parseRules(rules.ask, false), parseRules(rules.deny, false)].flatMap((one) => one.problems);
  return ruleNotices(problems, where);
}
