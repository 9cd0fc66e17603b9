// The shell tools together, over one set of powers.
import type { Tool } from "#electron/tools/contract.ts";
import { type BashDeps, createBashTool } from "./bash.ts";
import { createBashInputTool, createBashKillTool, createBashOutputTool } from "./bash-background.ts";

export function createBashTools(deps: BashDeps): readonly Tool[] {
  return [createBashTool(deps), createBashOutputTool(deps), createBashInputTool(deps), createBashKillTool(deps)];
}
