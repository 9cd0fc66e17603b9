// Steps 8 to 10 and 12 to 14: what the mode of the session allows, harmless calls, and the question at the end (P2).
import type { Effect } from "#shared/tools/effect.ts";
import type { CallTraits } from "#electron/tools/contract.ts";
import type { PermissionStep } from "./contract.ts";
import { isInside } from "./path-text.ts";
import { planFileCheck } from "./plan-file.ts";
import { isShellFacts } from "./shell-facts.ts";
import { stepOnParsed, verdict, type StepDeps } from "./step.ts";

/** Step 8: reads only, the plan itself excepted. Before everything that can allow (DESIGN P). */
export function planModeStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("plan_mode", async (query) => {
    if (query.mode !== "plan" || onlyReads(query.traits)) return undefined;
    if (query.traits.effects.every((effect) => effect.kind === "reads" || effect.kind === "writes")) {
      const [isPlan, touched] = [await planFileCheck(deps), await deps.touched(query)];
      const written = touched.paths.filter((path) => path.kind === "writes");
      if (written.length > 0 && written.every(isPlan)) return verdict("plan_mode", "allow", "It writes the plan");
    }
    return verdict("plan_mode", "deny", "In plan mode only reading is allowed; finish the plan and ask to leave plan mode");
  });
}

/** Step 9. No sandbox exists yet, so no call is known to be inside one and the step has no opinion. */
export function sandboxedStep(): PermissionStep {
  return { name: "sandboxed", check: async () => undefined };
}

/** Step 10. */
export function bypassModeStep(): PermissionStep {
  return stepOnParsed("bypass_mode", async (query) =>
    query.mode === "bypass" ? verdict("bypass_mode", "allow", "The user chose not to be asked") : undefined,
  );
}

/** Step 12: reads of the workspace and of own stored results, and calls without any outside effect. The network is not a read. */
export function readsStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("reads", async (query) => {
    const { traits } = query;
    if (traits.mayWrite || !traits.effects.every((effect) => effect.kind === "reads" || effect.kind === "asks_person")) return undefined;
    if (!traits.readOnly) return undefined;
    const { paths, workspace } = await deps.touched(query);
    const isPlan = await planFileCheck(deps);
    const home = (place: string) => isInside(place, workspace, deps.platform) || isInside(place, deps.ownResultsDir, deps.platform) || isNullDevice(place);
    if (!paths.every((path) => home(path.real) || isPlan(path))) return undefined;
    return verdict("reads", "allow", paths.length > 0 ? "It only reads in the workspace" : "It changes nothing outside the conversation");
  });
}

function isNullDevice(place: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/.test(place);
}

/** Step 13: edits inside the workspace. What destroys more than it names, runs something or is P12 git still asks. */
export function acceptEditsStep(deps: StepDeps): PermissionStep {
  return stepOnParsed("accept_edits", async (query) => {
    if (query.mode !== "acceptEdits" || query.traits.destructive || !query.traits.effects.every(isFileEffect)) return undefined;
    if (isShellFacts(query.facts) && (query.facts.unproven !== undefined || query.facts.parts.some((part) => part.does === "unknown"))) return undefined;
    const { paths, workspace } = await deps.touched(query);
    const inside =
      paths.length > 0 &&
      paths.every((path) => (isInside(path.real, workspace, deps.platform) && isInside(path.entry, workspace, deps.platform)) || isNullDevice(path.real));
    return inside ? verdict("accept_edits", "allow", "The user allows edits in the workspace") : undefined;
  });
}

/** Step 14: what nobody decided is asked. Input that does not parse is let through to the validate gate, which reports it (T3). */
export function askStep(): PermissionStep {
  return {
    name: "ask",
    async check(query) {
      if (!query.parsed) return verdict("ask", "allow", "The input does not parse; the validate gate reports it");
      const why = isShellFacts(query.facts) ? query.facts.unproven : undefined;
      return verdict("ask", "ask", "Nothing allows it yet", { about: why });
    },
  };
}

function isFileEffect(effect: Effect): boolean {
  return effect.kind === "reads" || effect.kind === "writes" || effect.kind === "deletes";
}

// Fetching a page changes nothing either; whether the network may be used is asked further down the chain.
function onlyReads(traits: CallTraits): boolean {
  return (
    traits.readOnly &&
    !traits.mayWrite &&
    traits.effects.every((effect) => effect.kind === "reads" || effect.kind === "network" || effect.kind === "asks_person")
  );
}
