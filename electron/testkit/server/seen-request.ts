// What a script may look at when it answers: the same view of a request, whatever protocol it came in.
import { z } from "zod";
import { contentText, plainText } from "#shared/chat/blocks.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";

export type Protocol = "anthropic" | "openai-responses" | "openai-chat";

export type SeenResult = { readonly id: string; readonly text: string; readonly isError: boolean };

export type SeenRequest = {
  readonly protocol: Protocol | "memory";
  readonly model: string;
  /** the parsed body; for the scripted provider the request itself */
  readonly body: unknown;
  readonly system: string;
  readonly tools: readonly string[];
  /** text of the last user message that has any */
  readonly lastText: string;
  /** all tool results, oldest first */
  readonly results: readonly SeenResult[];
};

const Loose = z.looseObject({});
const Parts = z.union([z.string(), z.array(Loose)]).nullish();

export function seeModelRequest(request: ModelRequest): SeenRequest {
  const userTexts = request.messages.filter((message) => message.role === "user").map((message) => plainText(message.blocks));
  return {
    protocol: "memory",
    model: request.model,
    body: request,
    system: request.system.join("\n\n"),
    tools: request.tools.map((tool) => tool.name),
    lastText: userTexts.findLast((text) => text !== "") ?? "",
    results: request.messages.flatMap((message) =>
      message.blocks.flatMap((block) => (block.type === "tool_result" ? [{ id: block.id, text: contentText(block.content), isError: block.isError }] : [])),
    ),
  };
}

/** The view of a parsed body; what does not fit the protocol is left out, the validator reports it. */
export function seeBody(protocol: Protocol, body: unknown): SeenRequest {
  switch (protocol) {
    case "anthropic":
      return seeAnthropic(body);
    case "openai-responses":
      return seeResponses(body);
    case "openai-chat":
      return seeChat(body);
  }
}

function textOf(parts: z.infer<typeof Parts>): string {
  if (typeof parts === "string") return parts;
  return (parts ?? [])
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

const AnthropicBody = z.looseObject({
  model: z.string().catch(""),
  system: Parts,
  tools: z.array(z.looseObject({ name: z.string() })).catch([]),
  messages: z.array(z.looseObject({ role: z.string(), content: Parts })).catch([]),
});
const AnthropicResult = z.looseObject({ type: z.literal("tool_result"), tool_use_id: z.string(), content: Parts, is_error: z.boolean().optional() });

function seeAnthropic(raw: unknown): SeenRequest {
  const body = AnthropicBody.catch({ model: "", system: "", tools: [], messages: [] }).parse(raw);
  const user = body.messages.filter((message) => message.role === "user");
  const results = user
    .flatMap((message) => (typeof message.content === "string" ? [] : (message.content ?? [])))
    .flatMap((part) => {
      const result = AnthropicResult.safeParse(part);
      return result.success ? [{ id: result.data.tool_use_id, text: textOf(result.data.content), isError: result.data.is_error ?? false }] : [];
    });
  return {
    protocol: "anthropic",
    model: body.model,
    body: raw,
    system: textOf(body.system),
    tools: body.tools.map((tool) => tool.name),
    lastText: user.map((message) => textOf(message.content)).findLast((text) => text !== "") ?? "",
    results,
  };
}

const ResponsesBody = z.looseObject({
  model: z.string().catch(""),
  instructions: z.string().nullish().catch(""),
  tools: z.array(z.looseObject({ name: z.string().catch("") })).catch([]),
  input: z
    .array(z.looseObject({ type: z.string().optional(), role: z.string().optional(), content: Parts, call_id: z.string().optional(), output: Parts }))
    .catch([]),
});

function seeResponses(raw: unknown): SeenRequest {
  const body = ResponsesBody.catch({ model: "", instructions: "", tools: [], input: [] }).parse(raw);
  const users = body.input.filter((item) => item.role === "user").map((item) => textOf(item.content));
  const systems = body.input.filter((item) => item.role === "system" || item.role === "developer").map((item) => textOf(item.content));
  return {
    protocol: "openai-responses",
    model: body.model,
    body: raw,
    system: [body.instructions ?? "", ...systems].filter((text) => text !== "").join("\n\n"),
    tools: body.tools.map((tool) => tool.name),
    lastText: users.findLast((text) => text !== "") ?? "",
    results: body.input.flatMap((item) =>
      item.type === "function_call_output" ? [{ id: item.call_id ?? "", text: textOf(item.output), isError: false }] : [],
    ),
  };
}

const ChatBody = z.looseObject({
  model: z.string().catch(""),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string().catch("") }) })).catch([]),
  messages: z.array(z.looseObject({ role: z.string(), content: Parts, tool_call_id: z.string().optional() })).catch([]),
});

function seeChat(raw: unknown): SeenRequest {
  const body = ChatBody.catch({ model: "", tools: [], messages: [] }).parse(raw);
  const textsOf = (...roles: readonly string[]) => body.messages.filter((message) => roles.includes(message.role)).map((message) => textOf(message.content));
  return {
    protocol: "openai-chat",
    model: body.model,
    body: raw,
    system: textsOf("system", "developer").join("\n\n"),
    tools: body.tools.map((tool) => tool.function.name),
    lastText: textsOf("user").findLast((text) => text !== "") ?? "",
    results: body.messages.flatMap((message) =>
      message.role === "tool" ? [{ id: message.tool_call_id ?? "", text: textOf(message.content), isError: false }] : [],
    ),
  };
}
