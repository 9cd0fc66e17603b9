// The chain (P2): fourteen steps in fixed order, the first answer wins, and the last always answers.
// A step that throws is a question; without a person every question is a refusal (P6).
import { StepName } from "#shared/permissions/question.ts";
import type { ActiveRules, PermissionEngine, PermissionQuery, PermissionStep, Verdict } from "./contract.ts";
import { comparable, platformOf } from "./path-text.ts";
import { loadProtectedPaths } from "./protected-paths.ts";
import { loadSecretPaths } from "./secret-paths.ts";
import { verdict, type StepDeps } from "./step.ts";
import { dangerousCommandStep, disabledToolStep, pathGuardStep, protectedPathStep, toolOpinionStep } from "./steps-guards.ts";
import { acceptEditsStep, askStep, bypassModeStep, planModeStep, readsStep, sandboxedStep } from "./steps-modes.ts";
import { allowRulesStep, askRulesStep, denyRulesStep } from "./steps-rules.ts";
import { createTouched } from "./touched.ts";

/** One engine per session: rules and stored results are the session's. */
export type PermissionDeps = {
  /** settings and remembered answers together; read at each decision */
  rules(): ActiveRules;
  disabledTools(): readonly string[];
  /** the one file that may be written in plan mode */
  planFile?(): string | undefined;
  readonly home: string;
  readonly dataDir: string;
  /** Cairn's settings, hooks, skills and commands outside the workspace */
  readonly ownPaths: readonly string[];
  readonly ownResultsDir: string;
  readonly headless: boolean;
  readonly platform: string;
};

type MakeStep = (deps: StepDeps) => PermissionStep;
const STEPS: Readonly<Record<StepName, MakeStep>> = {
  deny_rules: denyRulesStep,
  dangerous_command: dangerousCommandStep,
  disabled_tool: disabledToolStep,
  path_guard: pathGuardStep,
  ask_rules: askRulesStep,
  tool_opinion: toolOpinionStep,
  protected_path: protectedPathStep,
  plan_mode: planModeStep,
  sandboxed: sandboxedStep,
  bypass_mode: bypassModeStep,
  allow_rules: allowRulesStep,
  reads: readsStep,
  accept_edits: acceptEditsStep,
  ask: askStep,
};

export function createPermissionEngine(deps: PermissionDeps): PermissionEngine {
  const platform = platformOf(deps.platform);
  const shared: StepDeps = {
    rules: deps.rules,
    disabledTools: deps.disabledTools,
    planFile: () => deps.planFile?.(),
    home: deps.home,
    dataDir: deps.dataDir,
    ownPaths: deps.ownPaths,
    ownResultsDir: deps.ownResultsDir,
    platform,
    touched: createTouched(),
    secrets: loadSecretPaths(comparable(deps.home, platform)),
    protectedPaths: loadProtectedPaths(),
  };
  return runChain(
    StepName.options.map((name) => STEPS[name](shared)),
    deps.headless,
  );
}

/** Runs steps in order; exported so that the rule "a throw asks" can be tested with steps that throw. */
export function runChain(steps: readonly PermissionStep[], headless: boolean): PermissionEngine {
  return {
    async decide(query) {
      const said = await firstAnswer(steps, query);
      if (said.behavior !== "ask" || !headless) return said;
      return { ...said, behavior: "deny", reason: `${said.reason}; nobody is there to be asked, so it is refused` };
    },
  };
}

async function firstAnswer(steps: readonly PermissionStep[], query: PermissionQuery): Promise<Verdict> {
  for (const step of steps) {
    try {
      const said = await step.check(query);
      if (said !== undefined) return said;
    } catch (error) {
      return verdict(step.name, "ask", "A check of this call failed, so it is not let through unseen", {
        about: error instanceof Error ? error.message : String(error),
        personOnly: true,
        why: "check_failed",
      });
    }
  }
  return verdict("ask", "ask", "No step of the chain answered");
}
