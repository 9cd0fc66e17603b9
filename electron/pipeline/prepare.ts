// Finding the tool, parsing its input and resolving its traits, once, before scheduling (DESIGN decisions A and B).
// Nothing is reported here: what does not parse gets all-unsafe traits and the validate gate says so.
import type { InvalidInput } from "#shared/chat/blocks.ts";
import type { Result } from "#shared/lib/result.ts";
import type { CallTraits, Place, Tool, ToolRegistry } from "#electron/tools/contract.ts";
import type { CallInFlight, Prepare } from "./contract.ts";

const UNSAFE: CallTraits = { readOnly: false, concurrencySafe: false, destructive: true, mayWrite: true, reproducible: false, effects: [], conflictKeys: [] };

export type PrepareDeps = {
  readonly registry: ToolRegistry;
  readonly place: Place;
  classify(tool: Tool, input: unknown, place: Place, facts: unknown): CallTraits;
  /** parsed input, or what is wrong with it, for the model: field, expected, got (T4) */
  parse(tool: Tool, input: unknown): Result<unknown, string>;
};

export function createPrepare(deps: PrepareDeps): Prepare {
  return async (raw) => {
    const base = { id: raw.id, name: raw.name, raw: raw.input, invalid: raw.invalid, facts: undefined, hookSays: undefined, waited: false, notes: [] } as const;
    const tool = deps.registry.find(raw.name);
    if (tool === undefined) return { ...base, tool, input: undefined, parseError: undefined, traits: UNSAFE };
    if (raw.invalid !== undefined) return { ...base, tool, input: undefined, parseError: explainInvalid(raw.invalid.why), traits: UNSAFE };
    return { ...base, ...(await resolve(deps, tool, raw.input)) };
  };
}

async function resolve(deps: PrepareDeps, tool: Tool, rawInput: unknown): Promise<Pick<CallInFlight, "tool" | "input" | "parseError" | "facts" | "traits">> {
  const parsed = deps.parse(tool, rawInput);
  if (!parsed.ok) return { tool, input: undefined, parseError: parsed.error, facts: undefined, traits: UNSAFE };
  const facts = await analyse(tool, parsed.value, deps.place);
  return { tool, input: parsed.value, parseError: undefined, facts, traits: deps.classify(tool, parsed.value, deps.place, facts) };
}

async function analyse(tool: Tool, input: unknown, place: Place): Promise<unknown> {
  try {
    return await tool.analyse?.(input, place);
  } catch {
    return undefined; // without facts every predicate falls to the unsafe side
  }
}

function explainInvalid(why: InvalidInput["why"]): string {
  switch (why) {
    case "not_json":
      return "The arguments were not valid JSON, so nothing was run. Send the call again with complete, valid JSON.";
    case "not_object":
      return "The arguments were not a JSON object, so nothing was run. Send the call again with an object of named parameters.";
    case "too_deep":
      return "The arguments were nested far too deeply, so nothing was run. Send the call again with plain arguments.";
    case "cut":
      return "The arguments were cut off by the output limit, so nothing was run. Do the work in smaller pieces: shorter files, several calls.";
  }
}
