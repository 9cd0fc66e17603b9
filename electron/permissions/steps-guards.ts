// Steps 2, 3, 4, 6 and 7: guards that no setting turns off (P1), switched-off tools, and the tool's own opinion.
import { checkDangers, findDanger, findRoughDangers } from "./dangerous.ts";
import type { PermissionQuery, PermissionStep } from "./contract.ts";
import { findCover } from "./active-rules.ts";
import { guardPath } from "./path-guard.ts";
import { guarded } from "./plan-file.ts";
import { comparable } from "./path-text.ts";
import { isShellFacts } from "./shell-facts.ts";
import { ruleContextOf, stepOnParsed, verdict, type StepDeps } from "./step.ts";

/** Step 2. */
export function dangerousCommandStep(deps: StepDeps): PermissionStep {
  checkDangers();
  return stepOnParsed("dangerous_command", async (query) => {
    const danger = isShellFacts(query.facts) ? findDanger(query.facts, deps) : worstOf(roughText(query));
    return danger === undefined
      ? undefined
      : verdict("dangerous_command", danger.behavior, danger.reason, { about: danger.about, personOnly: true, why: danger.why });
  });
}

function worstOf(text: string | undefined) {
  const found = text === undefined ? [] : findRoughDangers(text);
  return found.find((danger) => danger.behavior === "deny") ?? found[0];
}

// A tool that runs something but has no facts about it (another shell): its target is all there is to look at.
function roughText(query: PermissionQuery): string | undefined {
  return query.traits.effects.some((effect) => effect.kind === "runs") ? query.tool.permissionTarget?.(query.input, query.place, query.facts) : undefined;
}

/** Step 3. */
export function disabledToolStep(deps: StepDeps): PermissionStep {
  return {
    name: "disabled_tool",
    async check(query) {
      const names = [query.tool.name, ...(query.tool.aliases ?? [])].map((name) => name.toLowerCase());
      const off = deps.disabledTools().some((name) => names.includes(name.trim().toLowerCase()));
      return off ? verdict("disabled_tool", "deny", "The user switched this tool off") : undefined;
    },
  };
}

/** Step 4. A refusal for one path outweighs a question about another. */
export function pathGuardStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("path_guard", async (query) => {
    const touched = await deps.touched(query);
    const paths = await guarded(touched.paths, query.mode, deps);
    const found = paths.map((path) => guardPath(path, touched.workspace, deps)).filter((one) => one !== undefined);
    const worst = found.find((one) => one.behavior === "deny") ?? found[0];
    return worst === undefined ? undefined : verdict("path_guard", worst.behavior, worst.reason, { about: worst.about, personOnly: true, why: worst.why });
  });
}

/** Step 6. */
export function toolOpinionStep(): PermissionStep {
  return stepOnParsed("tool_opinion", async (query) => {
    const opinion = await query.tool.checkPermission(query.input, query.place, query.facts);
    if (opinion.behavior === "pass") return undefined;
    // An early yes would outrun the guards behind this step; the later steps know a read when they see one.
    return opinion.behavior === "allow" ? undefined : verdict("tool_opinion", opinion.behavior, opinion.reason);
  });
}

/** Step 7. */
export function protectedPathStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("protected_path", async (query) => {
    const touched = await deps.touched(query);
    const rows = (await guarded(touched.paths, query.mode, deps))
      .filter((path) => path.kind !== "reads")
      .flatMap((path) => {
        const row = [path.named, path.real, path.entry].map((text) => deps.protectedPaths(comparable(text, deps.platform))).find((one) => one !== undefined);
        return row === undefined ? [] : [{ row, path: path.real }];
      });
    const strict = rows.find(({ row }) => row.approver === "person");
    if (strict !== undefined) return verdict("protected_path", "ask", strict.row.reason, { about: strict.path, personOnly: true, why: strict.row.why });
    const [soft] = rows;
    if (soft === undefined || query.mode === "bypass") return undefined;
    return (await namedByRule(query, deps)) ? undefined : verdict("protected_path", "ask", soft.row.reason, { about: soft.path, why: soft.row.why });
  });
}

// A rule with content that covers the call names the file; a rule about the whole tool does not.
async function namedByRule(query: PermissionQuery, deps: StepDeps): Promise<boolean> {
  const withContent = deps.rules().allow.filter((rule) => rule.includes("("));
  return findCover(query, withContent, await ruleContextOf(query, deps)) !== undefined;
}
