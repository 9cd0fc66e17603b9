// Requests in the shape of Chat Completions, with the quirks of the vendor's profile. Pure.
import { wellFormed } from "#shared/lib/text.ts";
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { cacheKeyField, systemText } from "#electron/providers/openai-client.ts";
import { rewriteSchema } from "#electron/providers/schema-dialect.ts";
import type { SentBlock, SentMessage, SentPart } from "#electron/providers/wire/conversation.ts";
import { at, isList } from "#electron/providers/wire/json-path.ts";
import { CHAT_IDS, wireId } from "#electron/providers/wire/wire-id.ts";
import type { Profile } from "./profiles.ts";

/** Fields beyond the vendor's own protocol that some servers know. */
type WithReasoning<T> = T & { readonly reasoning_content?: string; readonly reasoning_details?: readonly unknown[] };

export function toChat(request: ModelRequest, conversation: readonly SentMessage[], profile: Profile): ChatCompletionCreateParamsStreaming {
  const system = systemText(request);
  return {
    model: request.model,
    stream: true,
    [profile.maxTokens]: request.maxTokens,
    ...(profile.usageChunk ? { stream_options: { include_usage: true } } : {}),
    ...cacheKeyField(request, profile.cacheKey),
    ...(request.tools.length > 0 ? { tools: toolsOf(request) } : {}),
    messages: [...(system === "" ? [] : [{ role: profile.systemRole, content: system }]), ...conversation.flatMap((message) => messagesOf(message, profile))],
  };
}

function toolsOf(request: ModelRequest): ChatCompletionFunctionTool[] {
  return request.tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: wellFormed(tool.description), parameters: { ...rewriteSchema(tool, "openai_loose").schema } },
  }));
}

function messagesOf(message: SentMessage, profile: Profile): readonly ChatCompletionMessageParam[] {
  if (message.role === "assistant") return assistantMessage(message, profile);
  const results = message.blocks.flatMap((block) => (block.type === "tool_result" ? [block] : []));
  const tools = results.map(
    (result): ChatCompletionMessageParam => ({ role: "tool", tool_call_id: wireId(result.id, CHAT_IDS), content: resultText(result.parts, result.isError) }),
  );
  const content = [...results.flatMap(imagesOf), ...message.blocks.flatMap(userPart)];
  return content.length === 0 ? tools : [...tools, { role: "user", content: plainIfText(content) }];
}

function resultText(parts: readonly SentPart[], isError: boolean): string {
  const texts = parts.map((part) => (part.type === "text" ? part.text : "[image below]"));
  return (isError ? ["[error]", ...texts] : texts).join("\n");
}

/** A tool message holds text only; its images follow in the user's message. */
function imagesOf(result: Extract<SentBlock, { type: "tool_result" }>): readonly ChatCompletionContentPart[] {
  return result.parts.flatMap((part) => (part.type === "image" ? [contentPart(part)] : []));
}

function userPart(block: SentBlock): readonly ChatCompletionContentPart[] {
  if (block.type === "text" || block.type === "image") return [contentPart(block)];
  return block.type === "document" ? [documentPart(block)] : [];
}

function contentPart(part: SentPart): ChatCompletionContentPart {
  return part.type === "text" ? { type: "text", text: part.text } : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
}

function documentPart(block: Extract<SentBlock, { type: "document" }>): ChatCompletionContentPart {
  if (block.mediaType === "application/pdf") return { type: "file", file: { filename: block.name, file_data: `data:${block.mediaType};base64,${block.data}` } };
  const text = wellFormed(Buffer.from(block.data, "base64").toString("utf8"));
  return { type: "text", text: `[document ${block.name}]\n${text}` };
}

/** Many servers only take a string where there is nothing but text. */
function plainIfText(content: readonly ChatCompletionContentPart[]): string | ChatCompletionContentPart[] {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length ? texts.join("\n\n") : [...content];
}

function assistantMessage(message: SentMessage, profile: Profile): readonly ChatCompletionMessageParam[] {
  const text = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const calls = message.blocks.flatMap((block) => (block.type === "tool_use" ? [callOf(block)] : []));
  if (text === "" && calls.length === 0) return [];
  const sent: WithReasoning<ChatCompletionAssistantMessageParam> = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...reasoningOf(message.blocks, profile, calls.length > 0),
  };
  return [sent];
}

function callOf(block: Extract<SentBlock, { type: "tool_use" }>): ChatCompletionMessageFunctionToolCall {
  return { id: wireId(block.id, CHAT_IDS), type: "function", function: { name: block.name, arguments: JSON.stringify(block.input) } };
}

function reasoningOf(
  blocks: readonly SentBlock[],
  profile: Profile,
  calledTools: boolean,
): { readonly reasoning_content?: string; readonly reasoning_details?: readonly unknown[] } {
  if (!calledTools) return {};
  const thought = blocks.flatMap((block) => (block.type === "thinking" ? [block.text] : [])).join("\n\n");
  const details = blocks.flatMap((block): readonly unknown[] => {
    const pieces = block.type === "opaque" ? at(block.data, "reasoning_details") : undefined;
    return isList(pieces) ? pieces : [];
  });
  return {
    ...(profile.echoReasoning !== undefined && thought !== "" ? { [profile.echoReasoning]: thought } : {}),
    ...(profile.echoDetails && details.length > 0 ? { reasoning_details: details } : {}),
  };
}
