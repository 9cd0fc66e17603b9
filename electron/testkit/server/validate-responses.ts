// OpenAI Responses: the rules of a request body with `store: false`.
import { z } from "zod";
import { type Signatures, answerViolations, callNameViolations, idViolations, textViolations, toolViolations } from "./validate-rules.ts";

const Part = z.looseObject({ type: z.string() });
const Item = z.union([
  z.looseObject({ type: z.literal("function_call"), call_id: z.string(), name: z.string(), arguments: z.string(), id: z.string().startsWith("fc").optional() }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.union([z.string(), z.array(Part)]) }),
  z.looseObject({ type: z.literal("reasoning"), id: z.string().startsWith("rs"), summary: z.array(Part), encrypted_content: z.string().min(1) }),
  z.looseObject({
    type: z.literal("message").optional(),
    role: z.enum(["user", "assistant", "system", "developer"]),
    content: z.union([z.string(), z.array(Part)]),
  }),
]);
type Item = z.infer<typeof Item>;
const Body = z.looseObject({
  model: z.string().min(1),
  stream: z.literal(true),
  store: z.literal(false),
  instructions: z.string().optional(),
  include: z.array(z.string()).optional(),
  prompt_cache_key: z.string().max(64).optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  tools: z.array(z.looseObject({ type: z.literal("function"), name: z.string(), parameters: z.unknown(), strict: z.boolean().nullable() })).optional(),
  input: z.array(Item).min(1),
});

export function responsesViolations(raw: unknown, signatures: Signatures): readonly string[] {
  const body = Body.safeParse(raw);
  if (!body.success) return [`the body does not parse: ${body.error.message}`];
  const { input, tools } = body.data;
  const calls = input.flatMap((item) => (item.type === "function_call" ? [item] : []));
  return [
    ...toolViolations((tools ?? []).map((tool) => ({ name: tool.name, schema: tool.parameters, strict: tool.strict === true }))),
    ...idViolations(calls.map((call) => call.call_id)),
    ...callNameViolations(calls.map((call) => call.name)),
    ...calls.flatMap((call) => argumentViolations(call.arguments, call.call_id)),
    ...groupsOf(input).flatMap((group, k) => answerViolations(group.calls, group.results, `group ${k}`)),
    ...input.flatMap((item, k) => itemViolations(input, item, k, signatures)),
    ...endViolations(input),
  ];
}

export function argumentViolations(text: string, id: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [] : [`the arguments of ${id} are not an object`];
  } catch {
    return [`the arguments of ${id} are not JSON`];
  }
}

type Group = { readonly calls: readonly string[]; readonly results: readonly string[] };

/** A group is a run of what the model said, followed by a run of what it was answered. */
function groupsOf(input: readonly Item[]): readonly Group[] {
  const groups: { calls: string[]; results: string[]; answered: boolean }[] = [{ calls: [], results: [], answered: false }];
  for (const item of input) {
    const fromModel = item.type === "function_call" || item.type === "reasoning" || ("role" in item && item.role === "assistant");
    let group = groups.at(-1);
    if (group === undefined || (fromModel && group.answered)) groups.push((group = { calls: [], results: [], answered: false }));
    if (!fromModel) group.answered = true;
    if (item.type === "function_call") group.calls.push(item.call_id);
    if (item.type === "function_call_output") group.results.push(item.call_id);
  }
  return groups;
}

function itemViolations(input: readonly Item[], item: Item, k: number, signatures: Signatures): readonly string[] {
  const where = `input[${k}]`;
  if (item.type === "reasoning") {
    const next = input[k + 1];
    const followed = next !== undefined && (next.type === "function_call" || next.type === "reasoning" || ("role" in next && next.role === "assistant"));
    const foreign = signatures !== undefined && !signatures.has(item.encrypted_content);
    return [
      ...(followed ? [] : [`${where}: reasoning without the item that followed it`]),
      ...(foreign ? [`${where}: reasoning this provider never gave`] : []),
    ];
  }
  if (item.type === "function_call_output") return contentViolations(item.output, where);
  return item.type === "function_call" ? [] : contentViolations(item.content, where);
}

function contentViolations(content: string | readonly Readonly<Record<string, unknown>>[], where: string): readonly string[] {
  if (typeof content === "string") return textViolations(content, where);
  if (content.length === 0) return [`${where} has no content`];
  return content.flatMap((part, k) => ("text" in part ? textViolations(part["text"], `${where}[${k}]`) : []));
}

function endViolations(input: readonly Item[]): readonly string[] {
  const last = input.at(-1);
  const good = last !== undefined && (last.type === "function_call_output" || ("role" in last && last.role !== "assistant"));
  return good ? [] : ["the request ends with an assistant message"];
}
