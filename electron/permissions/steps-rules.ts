// Steps 1, 5 and 11: what the person's rules and hooks say (P2, P4, P9).
import { contentRules, findCover, findHit, runsUnseen } from "./active-rules.ts";
import { hidesItsName } from "./command-rules.ts";
import type { PermissionStep } from "./contract.ts";
import { isShellFacts } from "./shell-facts.ts";
import { ruleContextOf, stepOnParsed, verdict, type StepDeps } from "./step.ts";

/** Step 1. Nothing can lift a refusal of the person's, a hook's included. */
export function denyRulesStep(deps: StepDeps): PermissionStep {
  return {
    name: "deny_rules",
    async check(query) {
      if (query.hookSays === "deny") return verdict("deny_rules", "deny", "A hook of the user refuses it", { why: "hook_forbids" });
      const { deny } = deps.rules();
      if (deny.length === 0) return undefined;
      const hit = findHit(query, deny, query.parsed ? await ruleContextOf(query, deps) : undefined);
      return hit === undefined ? undefined : verdict("deny_rules", "deny", `The user's rule ${hit.rule} forbids it`, { about: hit.about, rules: [hit.rule] });
    },
  };
}

/** Step 5. */
export function askRulesStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("ask_rules", async (query) => {
    if (query.hookSays === "ask") return verdict("ask_rules", "ask", "A hook of the user wants to be asked", { why: "hook_asks" });
    const { ask, deny } = deps.rules();
    const hit = ask.length === 0 ? undefined : findHit(query, ask, await ruleContextOf(query, deps));
    if (hit !== undefined) return verdict("ask_rules", "ask", `The user's rule ${hit.rule} asks first`, { about: hit.about, rules: [hit.rule] });
    const readable = isShellFacts(query.facts) ? !hidesItsName(query.facts) : !runsUnseen(query);
    const [rule] = readable ? [] : contentRules(query, [...deny, ...ask]);
    return rule === undefined
      ? undefined
      : verdict("ask_rules", "ask", `It cannot be told whether the user's rule ${rule.source} is about this command`, {
          rules: [rule.source],
          why: "rule_unclear",
        });
  });
}

/** Step 11. What asked before this step cannot be allowed here, so a hook's yes lifts none of it (P9). */
export function allowRulesStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("allow_rules", async (query) => {
    const { allow } = deps.rules();
    const cover = allow.length === 0 ? undefined : findCover(query, allow, await ruleContextOf(query, deps));
    if (cover !== undefined) return verdict("allow_rules", "allow", `The user's rule ${cover.rules.join(", ")} allows it`, { rules: cover.rules });
    // P12: git calls that publish or discard need a rule of the person's that names them; a hook's yes is none.
    const git = isShellFacts(query.facts) && query.facts.parts.some((part) => part.git !== undefined);
    return query.hookSays === "allow" && !git ? verdict("allow_rules", "allow", "A hook of the user allows it") : undefined;
  });
}
