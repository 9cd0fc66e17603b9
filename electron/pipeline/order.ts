// The two lists of gates. Their order is the contract (T3); a test pins it.
import type { FinishGate, Gate } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { limitGate, postHooksGate, recordGate, serialiseGate } from "./gates-after.ts";
import { checkpointGate, findGate, permissionGate, preHooksGate, validateGate } from "./gates-before.ts";

export function gatesBefore(deps: PipelineDeps): readonly Gate[] {
  return [findGate(deps), checkpointGate(deps), preHooksGate(deps), permissionGate(deps), validateGate()];
}

/** What an MCP hook returns is what is limited, stored and shown, so there the hooks come first. */
export function gatesAfter(deps: PipelineDeps, fromMcp: boolean): readonly FinishGate[] {
  const [limit, hooks] = [limitGate(deps), postHooksGate(deps)];
  return [...(fromMcp ? [hooks, limit] : [limit, hooks]), serialiseGate(deps), recordGate(deps)];
}
