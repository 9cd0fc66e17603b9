// Chat Completions: the rules of a request body.
import { z } from "zod";
import { answerViolations, callNameViolations, idViolations, textViolations, toolViolations } from "./validate-rules.ts";
import { argumentViolations } from "./validate-responses.ts";

const Part = z.looseObject({ type: z.string() });
const Call = z.looseObject({ id: z.string(), type: z.literal("function"), function: z.object({ name: z.string(), arguments: z.string() }) });
const Message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content: z.union([z.string(), z.array(Part)]) }),
  z.looseObject({ role: z.literal("user"), content: z.union([z.string(), z.array(Part)]) }),
  z.looseObject({ role: z.literal("assistant"), content: z.union([z.string(), z.array(Part)]).nullish(), tool_calls: z.array(Call).min(1).optional() }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.union([z.string(), z.array(Part)]) }),
]);
type Message = z.infer<typeof Message>;
const Body = z.looseObject({
  model: z.string().min(1),
  stream: z.literal(true),
  tools: z
    .array(
      z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string(), parameters: z.unknown(), strict: z.boolean().optional() }) }),
    )
    .optional(),
  messages: z.array(Message).min(1),
});

export function chatViolations(raw: unknown): readonly string[] {
  const body = Body.safeParse(raw);
  if (!body.success) return [`the body does not parse: ${body.error.message}`];
  const { messages, tools } = body.data;
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  return [
    ...toolViolations((tools ?? []).map((tool) => ({ name: tool.function.name, schema: tool.function.parameters, strict: tool.function.strict === true }))),
    ...idViolations(calls.map((call) => call.id)),
    ...callNameViolations(calls.map((call) => call.function.name)),
    ...calls.flatMap((call) => argumentViolations(call.function.arguments, call.id)),
    ...messages.flatMap((message, k) => messageViolations(messages, message, k)),
    ...(messages.at(-1)?.role === "assistant" ? ["the request ends with an assistant message"] : []),
    ...messages.flatMap((message, k) =>
      (message.role === "system" || message.role === "developer") && k > 0 && messages[k - 1]?.role !== message.role
        ? [`messages[${k}]: a system message in the middle`]
        : [],
    ),
  ];
}

function messageViolations(messages: readonly Message[], message: Message, k: number): readonly string[] {
  const where = `messages[${k}]`;
  const previous = messages[k - 1]?.role;
  if (message.role === "tool") {
    const follows = previous === "tool" || previous === "assistant";
    return [...(follows ? [] : [`${where}: a tool result that follows no call`]), ...contentViolations(message.content, where)];
  }
  const alternates =
    message.role === previous && message.role !== "system" && message.role !== "developer" ? [`${where} has the same role as the message before`] : [];
  if (message.role !== "assistant") return [...alternates, ...contentViolations(message.content, where)];
  return [...alternates, ...assistantViolations(message, messages.slice(k + 1), where)];
}

function assistantViolations(message: Extract<Message, { role: "assistant" }>, next: readonly Message[], where: string): readonly string[] {
  const calls = message.tool_calls ?? [];
  const end = next.findIndex((following) => following.role !== "tool");
  const results = (end === -1 ? next : next.slice(0, end)).flatMap((following) => (following.role === "tool" ? [following.tool_call_id] : []));
  const answers = answerViolations(
    calls.map((call) => call.id),
    results,
    where,
  );
  if (message.content != null) return [...answers, ...contentViolations(message.content, where)];
  return calls.length === 0 ? [...answers, `${where} has no content`] : answers;
}

function contentViolations(content: string | readonly Readonly<Record<string, unknown>>[], where: string): readonly string[] {
  if (typeof content === "string") return textViolations(content, where);
  if (content.length === 0) return [`${where} has no content`];
  return content.flatMap((part, k) => ("text" in part ? textViolations(part["text"], `${where}[${k}]`) : []));
}
