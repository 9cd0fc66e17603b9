// Asks a tool's predicates once per call and answers with plain data (T1). Never throws: a predicate that does makes the call unsafe.
import type { Effect } from "#shared/tools/effect.ts";
import type { CallTraits, Place, Tool } from "./contract.ts";
import { UNKNOWN_EFFECTS, WHOLE_WORKSPACE_KEY } from "./define.ts";

/** Traits of a call nothing is known about: unknown tool, input that does not parse, a predicate that threw. */
export const UNSAFE_TRAITS: CallTraits = {
  readOnly: false,
  concurrencySafe: false,
  destructive: true,
  mayWrite: true,
  reproducible: false,
  effects: UNKNOWN_EFFECTS,
  conflictKeys: [WHOLE_WORKSPACE_KEY],
};

/** True when an effect can change files of the workspace, or what cannot be said about it. */
export function changesFiles(effect: Effect): boolean {
  switch (effect.kind) {
    case "writes":
    case "deletes":
    case "runs":
    case "git_index":
    case "workspace_global":
      return true;
    case "reads":
    case "network":
    case "asks_person":
      return false;
  }
}

/** `input` must have been parsed by the tool's own schema; `facts` come from its `analyse`. */
export function classify(tool: Tool, input: unknown, place: Place, facts: unknown): CallTraits {
  try {
    const effects = tool.effects(input, place, facts);
    const writes = effects.some(changesFiles);
    // An effect outweighs a word: a tool that says "read only" and names a write is writing.
    const readOnly = tool.isReadOnly(input, facts) && !writes;
    return {
      readOnly,
      concurrencySafe: tool.isConcurrencySafe(input, facts),
      destructive: tool.isDestructive(input, facts),
      mayWrite: writes || !readOnly,
      reproducible: tool.reproducible,
      effects,
      conflictKeys: [...new Set(tool.conflictKeys(input, place, facts))].sort(),
    };
  } catch {
    return UNSAFE_TRAITS;
  }
}
