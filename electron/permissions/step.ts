// What the steps of the chain share: their powers, and how a verdict is made.
import type { AskWhy } from "#shared/permissions/explanation.ts";
import type { StepName } from "#shared/permissions/question.ts";
import type { ActiveRules, Behavior, PermissionQuery, PermissionStep, Verdict } from "./contract.ts";
import type { PathPlatform } from "./path-text.ts";
import type { ProtectedMatch } from "./protected-paths.ts";
import type { RuleContext } from "./active-rules.ts";
import type { SecretMatch } from "./secret-paths.ts";
import type { TouchedOf } from "./touched.ts";

export type StepDeps = {
  readonly rules: () => ActiveRules;
  readonly disabledTools: () => readonly string[];
  readonly planFile: () => string | undefined;
  readonly home: string;
  readonly dataDir: string;
  readonly ownPaths: readonly string[];
  readonly ownResultsDir: string;
  readonly platform: PathPlatform;
  readonly touched: TouchedOf;
  readonly secrets: SecretMatch;
  readonly protectedPaths: ProtectedMatch;
};

type Said = { readonly about?: string | undefined; readonly personOnly?: boolean; readonly rules?: readonly string[]; readonly why?: AskWhy };

/** A verdict of one step; `about` is the path or part it is about. */
export function verdict(by: StepName, behavior: Behavior, reason: string, said: Said = {}): Verdict {
  const { about, personOnly, rules, why } = said;
  return {
    behavior,
    by,
    reason,
    ...(about === undefined ? {} : { about }),
    ...(why === undefined ? {} : { why }),
    ...(rules === undefined ? {} : { rules }),
    ...(personOnly === true ? { personOnly } : {}),
  };
}

/** A step that looks only at calls whose input parsed: what does not parse is refused by the validate gate (T3). */
export function stepOnParsed(name: StepName, check: (query: PermissionQuery) => Promise<Verdict | undefined>): PermissionStep {
  return { name, check: async (query) => (query.parsed ? check(query) : undefined) };
}

export async function ruleContextOf(query: PermissionQuery, deps: StepDeps): Promise<RuleContext> {
  const touched = await deps.touched(query);
  return { touched, platform: deps.platform, roots: { workspace: touched.workspace.replaceAll("\\", "/"), home: deps.home.replaceAll("\\", "/") } };
}
