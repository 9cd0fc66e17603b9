// Anthropic Messages: the rules of a request body.
import { z } from "zod";
import { type Signatures, answerViolations, callNameViolations, idViolations, imageViolations, textViolations, toolViolations } from "./validate-rules.ts";

const Part = z.looseObject({ type: z.string() });
const Content = z.union([z.string(), z.array(Part)]);
const Body = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().int().positive(),
  stream: z.literal(true),
  system: z.union([z.string(), z.array(Part)]).optional(),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown() })).optional(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: Content })).min(1),
});
type Part = z.infer<typeof Part>;
type Message = { readonly role: "user" | "assistant"; readonly parts: readonly Part[] };

export function anthropicViolations(raw: unknown, signatures: Signatures): readonly string[] {
  const body = Body.safeParse(raw);
  if (!body.success) return [`the body does not parse: ${body.error.message}`];
  const messages = body.data.messages.map((message): Message => ({ role: message.role, parts: partsOf(message.content) }));
  const system = partsOf(body.data.system ?? []);
  const calls = messages.flatMap((message) => message.parts.filter((part) => part.type === "tool_use"));
  return [
    ...toolViolations((body.data.tools ?? []).map((tool) => ({ name: tool.name, schema: tool.input_schema, strict: false }))),
    ...markViolations([...system, ...(body.data.tools ?? []), ...messages.flatMap((message) => message.parts)]),
    ...system.flatMap((part, k) => textViolations(part["text"], `system[${k}]`)),
    ...(messages[0]?.role === "user" ? [] : ["the first message is not from the user"]),
    ...(messages.at(-1)?.role === "user" ? [] : ["the request ends with an assistant message"]),
    ...idViolations(calls.map((call) => textAt(call, "id"))),
    ...callNameViolations(calls.map((call) => textAt(call, "name"))),
    ...messages.flatMap((message, k) => messageViolations(messages, message, k, signatures)),
  ];
}

function textAt(part: Part, key: string): string {
  const value = part[key];
  return typeof value === "string" ? value : "";
}

function partsOf(content: z.infer<typeof Content>): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function messageViolations(messages: readonly Message[], message: Message, k: number, signatures: Signatures): readonly string[] {
  const where = `messages[${k}]`;
  const before = messages[k - 1];
  const results = message.parts.filter((part) => part.type === "tool_result");
  const lastResult = message.parts.findLastIndex((part) => part.type === "tool_result");
  const idsOf = (parts: readonly Part[], type: string, key: string) => parts.filter((part) => part.type === type).map((part) => textAt(part, key));
  const answers =
    message.role === "user"
      ? answerViolations(before?.role === "assistant" ? idsOf(before.parts, "tool_use", "id") : [], idsOf(results, "tool_result", "tool_use_id"), where)
      : [];
  return [
    ...(before?.role === message.role ? [`${where} has the same role as the message before`] : []),
    ...(message.parts.length === 0 ? [`${where} has no content`] : []),
    ...(results.length > 0 && lastResult !== results.length - 1 ? [`${where}: results are not first`] : []),
    ...answers,
    ...message.parts.flatMap((part, at) => partViolations(part, message.role, `${where}.content[${at}]`, signatures)),
  ];
}

const ALLOWED: Readonly<Record<Message["role"], readonly string[]>> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
};

function partViolations(part: Part, role: Message["role"], where: string, signatures: Signatures): readonly string[] {
  if (!ALLOWED[role].includes(part.type)) return [`${where}: ${part.type} is not allowed for the ${role}`];
  switch (part.type) {
    case "text":
      return textViolations(part["text"], where);
    case "image": {
      const source = z.looseObject({ type: z.literal("base64"), media_type: z.unknown(), data: z.unknown() }).safeParse(part["source"]);
      return source.success ? imageViolations(source.data.media_type, source.data.data, where) : [`${where}: an image without a source`];
    }
    case "tool_use":
      return typeof part["input"] === "object" && part["input"] !== null && !Array.isArray(part["input"]) ? [] : [`${where}: the input is not an object`];
    case "tool_result":
      return resultViolations(part["content"], where);
    case "thinking":
      return signedViolations(part["signature"], part["thinking"], where, signatures);
    case "redacted_thinking":
      return signedViolations(part["data"], "", where, signatures);
    default:
      return [];
  }
}

function resultViolations(content: unknown, where: string): readonly string[] {
  const parsed = Content.safeParse(content);
  if (!parsed.success) return [`${where}: the result has no content`];
  return partsOf(parsed.data).flatMap((part, k) =>
    part.type === "text" || part.type === "image" ? partViolations(part, "user", `${where}[${k}]`, undefined) : [`${where}[${k}]: ${part.type} in a result`],
  );
}

function signedViolations(signature: unknown, text: unknown, where: string, signatures: Signatures): readonly string[] {
  if (typeof signature !== "string" || signature === "") return [`${where}: thinking without a signature`];
  if (signatures === undefined) return [];
  const signed = signatures.get(signature);
  if (signed === undefined) return [`${where}: a signature this provider never gave`];
  return signed === text ? [] : [`${where}: signed thinking was changed`];
}

function markViolations(places: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const marked = places.filter((place) => place["cache_control"] !== undefined);
  const wrong = marked.filter(
    (place) =>
      place["type"] === "thinking" || place["type"] === "redacted_thinking" || (place["type"] === "text" && textViolations(place["text"], "").length > 0),
  );
  return [
    ...(marked.length > 4 ? [`${marked.length} cache marks, 4 are allowed`] : []),
    ...wrong.map((place) => `a cache mark sits on ${String(place["type"])}`),
  ];
}
