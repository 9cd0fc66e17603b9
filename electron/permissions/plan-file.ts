// The session's plan, the one file of the app's own data that the agent may read, and write in plan mode (P2 step 8).
import path from "node:path";
import { realPathOf } from "#electron/lib/real-path.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { TouchedPath } from "./touched.ts";

export type PlanFileCheck = (path: TouchedPath) => boolean;

/** True for the plan file itself: only its folder is followed, so a link in its place leads to no other file. */
export async function planFileCheck(deps: { planFile(): string | undefined }): Promise<PlanFileCheck> {
  const file = deps.planFile();
  if (file === undefined) return () => false;
  const real = path.join(await realPathOf(path.dirname(file)), path.basename(file));
  return (touched) => touched.real === real && touched.entry === real;
}

/** Which touched paths the guards have to look at: the plan may be read, and written while there is a plan to make. */
export async function guarded(paths: readonly TouchedPath[], mode: PermissionMode, deps: { planFile(): string | undefined }): Promise<readonly TouchedPath[]> {
  const isPlan = await planFileCheck(deps);
  return paths.filter((one) => !isPlan(one) || !(one.kind === "reads" || (one.kind === "writes" && mode === "plan")));
}
