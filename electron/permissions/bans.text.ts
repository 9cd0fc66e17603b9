// The person's stable prohibitions, told to the model so that it does not try in vain (P7). Nothing that changes during a session.
import type { ActiveRules } from "./contract.ts";

const MAX_SHOWN = 30;

/** One short section for the system prompt; undefined when nothing is forbidden. */
export function describeBans(rules: Pick<ActiveRules, "deny">, disabledTools: readonly string[]): string | undefined {
  const lines = [
    ...(disabledTools.length === 0 ? [] : [`Switched off by the user: ${[...disabledTools].sort().join(", ")}.`]),
    ...(rules.deny.length === 0
      ? []
      : [
          `Forbidden by the user's rules: ${rules.deny.slice(0, MAX_SHOWN).join(" · ")}${rules.deny.length > MAX_SHOWN ? ` and ${rules.deny.length - MAX_SHOWN} more` : ""}.`,
        ]),
  ];
  return lines.length === 0 ? undefined : [...lines, "Such calls are refused without asking; do not try other spellings of them."].join("\n");
}
