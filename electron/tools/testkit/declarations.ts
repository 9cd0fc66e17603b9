// What is wrong with how tools are declared, in sentences that say what to do. Used by tests over every built-in tool (T1, T2, T10, T17).
import type { CallTraits, Place, Tool } from "#electron/tools/contract.ts";
import { BUILTIN_ORDER, MCP_PREFIX } from "#electron/tools/builtin-order.ts";
import { changesFiles, classify } from "#electron/tools/classify.ts";
import { SAFE_SIDE } from "#electron/tools/define.ts";
import { parseInput } from "#electron/tools/parse-input.ts";
import { isRecord, jsonSchemaOf } from "#electron/tools/schema.ts";

/** One valid input per tool, and what `analyse` found for it; without it the answers of the predicates cannot be compared. */
export type Example = { readonly input: unknown; readonly place: Place; readonly facts?: unknown };

/** Without these no task can begin, so they are always sent (T17). */
const NEVER_DEFERRED: readonly string[] = ["read", "write", "edit", "ls", "glob", "grep", "bash"];
const NAME = /^[a-z][a-z0-9_]{1,63}$/;
const MAX_SUMMARY_CHARS = 300;
const MAX_SENTENCES = 3;
const SHARED_PREFIX = 4;
/** Dates, home folders and counters in a description would change the cached prefix from run to run. */
const VOLATILE = /\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|\/home\/|\/Users\/|[A-Z]:\\/;

/** Over the tools that Cairn brings along: each has its fixed place, and two builds of all of them give the same bytes (T2). */
export function cacheOrderFaults(tools: readonly Tool[], builtAgain: readonly Tool[]): readonly string[] {
  const names: readonly string[] = BUILTIN_ORDER;
  const homeless = tools.filter((tool) => !names.includes(tool.name)).map((tool) => tool.name);
  const again = new Map(builtAgain.map((tool) => [tool.name, definitionText(tool)]));
  const moving = tools.filter((tool) => again.get(tool.name) !== definitionText(tool)).map((tool) => tool.name);
  return [
    ...homeless.map((name) => `${name}: it has no place in BUILTIN_ORDER; append its name at the end, anywhere else would break the provider's cache.`),
    ...moving.map((name) => `${name}: two builds give different definitions, which breaks the provider's cache; keep what changes out of its text and schema.`),
  ];
}

const definitionText = (tool: Tool) => JSON.stringify([tool.text, jsonSchemaOf(tool.input), tool.exposure]);

/** Every fault found; empty when all is well. */
export function declarationFaults(tools: readonly Tool[], examples: Readonly<Record<string, Example>>): readonly string[] {
  const checks = [nameFaults, textFaults, schemaFaults, missingDeclarations, (tool: Tool) => contradictions(tool, examples[tool.name])];
  const own = tools.flatMap((tool) => checks.flatMap((check) => check(tool)).map((fault) => `${tool.name}: ${fault}`));
  return [...own, ...sharedNames(tools), ...sharedPrefixes(tools)];
}

function nameFaults(tool: Tool): readonly string[] {
  const faults: string[] = [];
  if (!NAME.test(tool.name)) faults.push("the name must be snake_case, 2 to 64 characters of a-z, 0-9 and _, beginning with a letter.");
  if (tool.name.startsWith(MCP_PREFIX)) faults.push(`names beginning with ${MCP_PREFIX} belong to MCP servers.`);
  if (tool.exposure === "deferred" && NEVER_DEFERRED.includes(tool.name)) faults.push('a basic tool is never deferred; set exposure to "always".');
  if (!Number.isInteger(tool.schemaVersion) || tool.schemaVersion < 1)
    faults.push("schemaVersion must be a whole number from 1; raise it when the meaning of a stored input changes.");
  return faults;
}

function textFaults(tool: Tool): readonly string[] {
  const { summary, guide = "" } = tool.text;
  const faults: string[] = [];
  const sentences = summary.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== "").length;
  if (summary.trim() === "" || sentences > MAX_SENTENCES)
    faults.push(`text.summary must be 1 to ${MAX_SENTENCES} sentences (it has ${sentences}); move the rest to text.guide.`);
  if (summary.length > MAX_SUMMARY_CHARS)
    faults.push(`text.summary has ${summary.length} characters; keep it within ${MAX_SUMMARY_CHARS} and move the rest to text.guide.`);
  if (VOLATILE.test(`${summary}\n${guide}`))
    faults.push("its text holds a date, a time or a folder of one machine; that breaks the provider's cache on every start.");
  return faults;
}

function schemaFaults(tool: Tool): readonly string[] {
  const schema = jsonSchemaOf(tool.input);
  if (schema["type"] !== "object") return ["the input must be one z.strictObject; providers refuse a union at the top."];
  if (schema["additionalProperties"] !== false) return ["the input must be z.strictObject, so that unknown fields are reported to the model."];
  const loose = looseObjects(schema, "");
  return loose.map((where) => `the object at ${where} must be z.strictObject.`);
}

function looseObjects(node: unknown, where: string): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => looseObjects(item, `${where}/${index}`));
  if (!isRecord(node)) return [];
  const here = node["type"] === "object" && isRecord(node["properties"]) && node["additionalProperties"] !== false ? [where || "/"] : [];
  return [...here, ...Object.entries(node).flatMap(([key, value]) => looseObjects(value, `${where}/${key}`))];
}

function missingDeclarations(tool: Tool): readonly string[] {
  const faults: string[] = [];
  if (tool.effects === SAFE_SIDE.effects)
    faults.push("effects is not declared, so every call is taken to touch everything; name what it reads, writes, deletes, runs or fetches ([] when nothing).");
  if (tool.isReadOnly === SAFE_SIDE.isReadOnly) faults.push("isReadOnly is not declared; say true or false.");
  if (tool.isConcurrencySafe === SAFE_SIDE.isConcurrencySafe) faults.push("isConcurrencySafe is not declared; say true or false.");
  if (tool.isDestructive === SAFE_SIDE.isDestructive) faults.push("isDestructive is not declared, so every call counts as destructive; say true or false.");
  if (tool.conflictKeys === SAFE_SIDE.conflictKeys)
    faults.push("conflictKeys is not declared, so it locks the whole workspace; name what it must not share ([] when nothing).");
  return faults;
}

function contradictions(tool: Tool, example: Example | undefined): readonly string[] {
  if (example === undefined) return ["give declarationFaults one example input, so that its predicates can be compared."];
  const parsed = parseInput(tool, example.input);
  if (!parsed.ok) return [`its example input does not parse: ${parsed.error}`];
  const { place, facts } = example;
  const traits = classify(tool, parsed.value, place, facts);
  return [...effectFaults(tool, traits, tool.isReadOnly(parsed.value, facts)), ...pairFaults(tool, traits)];
}

function effectFaults(tool: Tool, traits: CallTraits, saysReadOnly: boolean): readonly string[] {
  const faults: string[] = [];
  const writes = traits.effects.some(changesFiles);
  const asks = writes || traits.effects.some((effect) => effect.kind === "network");
  if (saysReadOnly && writes) faults.push("isReadOnly says true but its effects change something; one of the two is wrong.");
  if (traits.concurrencySafe && writes) faults.push("isConcurrencySafe says true but its effects change something; calls that write run alone.");
  if (writes && traits.conflictKeys.length === 0)
    faults.push("it changes something but has no conflictKeys; name what it changes, so that no other call does so at the same time.");
  if (asks && tool.display === "hidden")
    faults.push('its results are hidden but it changes files or goes to the network; a person must see that, so set display to "summary" or "full".');
  if (asks && tool.askCard === undefined) faults.push("it can be asked about but has no askCard; show the person what will happen.");
  return faults;
}

/** Declarations that only make sense together, or not together. */
function pairFaults(tool: Tool, traits: CallTraits): readonly string[] {
  const faults: string[] = [];
  if (traits.readOnly && traits.destructive) faults.push("isDestructive and isReadOnly are both true; a call that only reads destroys nothing.");
  if (!traits.readOnly && tool.reproducible) faults.push("reproducible is for calls that only read.");
  if (tool.idempotency === "compare_and_swap" && !traits.effects.some((effect) => effect.kind === "writes"))
    faults.push("compare_and_swap is for calls that replace files and say so beforehand, but its effects name no write.");
  if ((tool.permissionTarget === undefined) !== (tool.suggestRules === undefined))
    faults.push("permissionTarget and suggestRules go together: rules that can be offered must be matchable.");
  return faults;
}

function sharedNames(tools: readonly Tool[]): readonly string[] {
  const owner = new Map<string, string>();
  const faults: string[] = [];
  for (const tool of tools) {
    for (const name of [tool.name, ...(tool.aliases ?? [])].map((one) => one.toLowerCase())) {
      const other = owner.get(name);
      if (other !== undefined && !(other === tool.name && name === tool.name.toLowerCase()))
        faults.push(`${tool.name}: the name or alias "${name}" is taken by ${other}; a call would reach only one of them.`);
      owner.set(name, tool.name);
    }
  }
  return faults;
}

function sharedPrefixes(tools: readonly Tool[]): readonly string[] {
  const always = tools.filter((tool) => tool.exposure === "always");
  const deferred = tools.filter((tool) => tool.exposure === "deferred");
  return deferred.flatMap((late) =>
    always
      .filter((early) => early.name.slice(0, SHARED_PREFIX) === late.name.slice(0, SHARED_PREFIX))
      .map(
        (early) =>
          `${late.name}: it is deferred and begins like ${early.name}, so a model that wants it would be led to call that one; rename it or send it always.`,
      ),
  );
}
