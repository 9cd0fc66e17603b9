// Turns a tool's spec into a whole tool: what a spec does not declare gets the safe answer (T1).
import type { z } from "zod";
import type { Effect } from "#shared/tools/effect.ts";
import { ok } from "#shared/lib/result.ts";
import type { Tool, ToolOpinion, ToolSpec } from "./contract.ts";

/** Held alone by calls that may touch anything: nothing that names this key runs beside them. */
export const WHOLE_WORKSPACE_KEY = "workspace";

/** A call about which nothing is known may change everything. */
export const UNKNOWN_EFFECTS: readonly Effect[] = [{ kind: "workspace_global" }];

/** The answers of a tool that declares nothing. Compared by identity to find what a tool forgot to declare. */
export const SAFE_SIDE = {
  exposure: "always",
  display: "full",
  interrupt: "cancel",
  reproducible: false,
  idempotency: "none",
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  isDestructive: () => true,
  effects: () => UNKNOWN_EFFECTS,
  conflictKeys: () => [WHOLE_WORKSPACE_KEY],
  validate: async <T>(input: T) => ok(input),
  checkPermission: async (): Promise<ToolOpinion> => ({ behavior: "pass" }),
  observable: <T>(input: T) => input,
} as const;

/** A whole tool. Every place that needs a declaration finds one. */
export function defineTool<I extends z.ZodType>(spec: ToolSpec<I>): Tool<I> {
  return { ...SAFE_SIDE, ...spec };
}
