// Requests in the shape of Anthropic Messages. Pure: bytes of images come resolved.
import type {
  MessageCreateParamsStreaming,
  MessageParam,
  ContentBlockParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { assertNever } from "#shared/lib/assert-never.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { rewriteSchema } from "#electron/providers/schema-dialect.ts";
import type { SentBlock, SentMessage, SentPart } from "#electron/providers/wire/conversation.ts";
import { ANTHROPIC_IDS, wireId } from "#electron/providers/wire/wire-id.ts";

export type AnthropicOptions = {
  /** the model takes `thinking: adaptive`; its thinking is asked for in readable form */
  readonly adaptiveThinking: boolean;
  /** the vendor's own server: it may be told to drop thinking whose conversation has changed instead of refusing it */
  readonly official: boolean;
};

/** Beta that lets the API drop thinking blocks it would otherwise refuse after a compaction. */
export const BLOCK_BINDING_BETA = "thinking-binding-controls-2026-08-01";

const CACHE = { cache_control: { type: "ephemeral" } } as const;

type Body = Omit<MessageCreateParamsStreaming, "thinking"> & { readonly thinking?: object };

export function toAnthropic(request: ModelRequest, conversation: readonly SentMessage[], options: AnthropicOptions): Body {
  const system = request.system.filter((text) => !isBlank(text));
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(options.adaptiveThinking ? { thinking: thinkingOf(options) } : {}),
    ...(system.length > 0
      ? { system: system.map((text, k): TextBlockParam => ({ type: "text", text: wellFormed(text), ...(k === system.length - 1 ? CACHE : {}) })) }
      : {}),
    ...(request.tools.length > 0 ? { tools: toolsOf(request) } : {}),
    messages: withMarks(conversation.map(messageOf)),
  };
}

function thinkingOf(options: AnthropicOptions): object {
  return { type: "adaptive", display: "summarized", ...(options.official ? { block_binding: { prefix_mismatch_behavior: "drop_block" } } : {}) };
}

function toolsOf(request: ModelRequest): Tool[] {
  return request.tools.map((tool, k) => ({
    name: tool.name,
    description: wellFormed(tool.description),
    input_schema: rewriteSchema(tool, "anthropic").schema as Tool["input_schema"],
    ...(k === request.tools.length - 1 ? CACHE : {}),
  }));
}

type WireMessage = { readonly role: "user" | "assistant"; readonly content: readonly ContentBlockParam[] };

/** A message that was sent before is the same object again: its shape is made once. */
const made = new WeakMap<SentMessage, WireMessage>();

function messageOf(message: SentMessage): WireMessage {
  const before = made.get(message);
  if (before !== undefined) return before;
  const shaped = { role: message.role, content: message.blocks.flatMap(blockOf) };
  made.set(message, shaped);
  return shaped;
}

function blockOf(block: SentBlock): readonly ContentBlockParam[] {
  switch (block.type) {
    case "text":
    case "image":
      return [partOf(block)];
    case "document":
      return documentOf(block);
    case "thinking":
      // Without its signature the API cannot verify a block and refuses it.
      return block.signature === undefined || block.signature === "" ? [] : [{ type: "thinking", thinking: block.text, signature: block.signature }];
    case "opaque":
      return typeof block.data === "string" ? [{ type: "redacted_thinking", data: block.data }] : [];
    case "tool_use":
      return [{ type: "tool_use", id: wireId(block.id, ANTHROPIC_IDS), name: block.name, input: block.input }];
    case "tool_result":
      return [
        {
          type: "tool_result",
          tool_use_id: wireId(block.id, ANTHROPIC_IDS),
          content: block.parts.map(partOf) as ToolResultBlockParam["content"] & object[],
          ...(block.isError ? { is_error: true } : {}),
        },
      ];
    default:
      return assertNever(block);
  }
}

function partOf(part: SentPart): ContentBlockParam {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image", source: { type: "base64", media_type: part.mediaType as "image/png", data: part.data } };
}

function documentOf(block: Extract<SentBlock, { type: "document" }>): readonly ContentBlockParam[] {
  if (block.mediaType === "application/pdf")
    return [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: block.data }, title: block.name }];
  const text = wellFormed(Buffer.from(block.data, "base64").toString("utf8"));
  return isBlank(text)
    ? [{ type: "text", text: `[the document ${block.name} is empty]` }]
    : [{ type: "document", source: { type: "text", media_type: "text/plain", data: text }, title: block.name }];
}

const MARKABLE = new Set<ContentBlockParam["type"]>(["text", "image", "document", "tool_use", "tool_result"]);

/** Marks the last message and the user message before it, where the previous request ended: two of the four marks. */
function withMarks(messages: readonly WireMessage[]): MessageParam[] {
  const users = messages.flatMap((message, k) => (message.role === "user" ? [k] : []));
  const marked = new Set(users.slice(-2));
  return messages.map((message, k) => ({ role: message.role, content: marked.has(k) ? markLast(message.content) : [...message.content] }));
}

function markLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  const last = content.findLastIndex((block) => MARKABLE.has(block.type));
  return content.map((block, k) => (k === last ? ({ ...block, ...CACHE } as ContentBlockParam) : block));
}
