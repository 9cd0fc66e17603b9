// Requests in the shape of OpenAI Responses: nothing is stored on the server, reasoning travels encrypted. Pure.
import { wellFormed } from "#shared/lib/text.ts";
import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import { assertNever } from "#shared/lib/assert-never.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { cacheKeyField, systemText } from "#electron/providers/openai-client.ts";
import { rewriteSchema } from "#electron/providers/schema-dialect.ts";
import { isObject } from "#electron/providers/wire/call-input.ts";
import type { SentBlock, SentMessage, SentPart } from "#electron/providers/wire/conversation.ts";
import { RESPONSES_IDS, wireId } from "#electron/providers/wire/wire-id.ts";

export type ResponsesOptions = {
  /** ask for encrypted reasoning, which later requests send back */
  readonly encrypted: boolean;
  /** ask for a readable summary of the reasoning */
  readonly summary: boolean;
  readonly cacheKey: boolean;
};

const MIN_OUTPUT_TOKENS = 16;

export function toResponses(request: ModelRequest, conversation: readonly SentMessage[], options: ResponsesOptions): ResponseCreateParamsStreaming {
  const instructions = systemText(request);
  return {
    model: request.model,
    stream: true,
    store: false,
    max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, request.maxTokens),
    ...(instructions === "" ? {} : { instructions }),
    ...(options.encrypted ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(options.summary ? { reasoning: { summary: "auto" } } : {}),
    ...cacheKeyField(request, options.cacheKey),
    ...(request.tools.length > 0 ? { tools: toolsOf(request), parallel_tool_calls: true } : {}),
    input: conversation.flatMap(itemsOf),
  };
}

function toolsOf(request: ModelRequest): FunctionTool[] {
  return request.tools.map((tool) => {
    const { schema, strict } = rewriteSchema(tool, "openai_strict");
    return { type: "function", name: tool.name, description: wellFormed(tool.description), parameters: { ...schema }, strict };
  });
}

function itemsOf(message: SentMessage): readonly ResponseInputItem[] {
  return message.role === "assistant" ? assistantItems(message) : userItems(message.blocks);
}

function userItems(blocks: readonly SentBlock[]): readonly ResponseInputItem[] {
  const outputs = blocks.flatMap((block): readonly ResponseInputItem[] =>
    block.type === "tool_result"
      ? [{ type: "function_call_output", call_id: wireId(block.id, RESPONSES_IDS), output: outputOf(block.parts, block.isError) }]
      : [],
  );
  const content = blocks.flatMap(inputContent);
  return content.length === 0 ? outputs : [...outputs, { type: "message", role: "user", content }];
}

/** A plain string unless there are images; an error is told in words, since the protocol has no flag for it. */
function outputOf(parts: readonly SentPart[], isError: boolean): string | ResponseInputContent[] {
  const told = isError ? [{ type: "text" as const, text: "[error]" }, ...parts] : parts;
  if (told.some((part) => part.type === "image")) return told.map(contentOf);
  return told.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function inputContent(block: SentBlock): readonly ResponseInputContent[] {
  if (block.type === "text" || block.type === "image") return [contentOf(block)];
  if (block.type !== "document") return [];
  return [{ type: "input_file", filename: block.name, file_data: `data:${block.mediaType};base64,${block.data}` }];
}

function contentOf(part: SentPart): ResponseInputContent {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", detail: "auto", image_url: `data:${part.mediaType};base64,${part.data}` };
}

type OwnData =
  | { readonly kind: "reasoning"; readonly item: ResponseReasoningItem }
  | { readonly kind: "phase"; readonly phase: NonNullable<EasyInputMessage["phase"]> };

/** Reasoning goes back before the items it led to; one that led to nothing (a cut reply) would be refused and stays out. */
function assistantItems(message: SentMessage): readonly ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  for (const block of message.blocks) {
    const own = block.type === "opaque" ? ownData(block.data) : undefined;
    if (own?.kind === "phase") setPhase(items, own.phase);
    else items.push(...(own === undefined ? assistantItem(block, message.foreign) : [own.item]));
  }
  const end = items.findLastIndex((item) => item.type !== "reasoning");
  return items.slice(0, end + 1);
}

function assistantItem(block: SentBlock, foreign: boolean): readonly ResponseInputItem[] {
  switch (block.type) {
    case "text":
      return [{ type: "message", role: "assistant", content: block.text }];
    case "tool_use": {
      const call = { type: "function_call", call_id: wireId(block.id, RESPONSES_IDS), name: block.name, arguments: JSON.stringify(block.input) } as const;
      // An item id is paired with its reasoning on the server; without that reasoning it would be refused.
      const paired = block.item?.startsWith("fc") === true && !foreign;
      return [paired && block.item !== undefined ? { ...call, id: block.item } : call];
    }
    case "image":
    case "document":
    case "thinking":
    case "opaque":
    case "tool_result":
      return [];
    default:
      return assertNever(block);
  }
}

function ownData(data: unknown): OwnData | undefined {
  if (!isObject(data)) return undefined;
  if (data["type"] === "reasoning" && typeof data["encrypted_content"] === "string")
    return { kind: "reasoning", item: data as unknown as ResponseReasoningItem };
  const phase = data["type"] === "phase" ? data["phase"] : undefined;
  return phase === "commentary" || phase === "final_answer" ? { kind: "phase", phase } : undefined;
}

/** Newer models want to see again which of their messages were commentary and which the answer. */
function setPhase(items: ResponseInputItem[], phase: NonNullable<EasyInputMessage["phase"]>): void {
  const last = items.findLastIndex((item) => item.type === "message");
  const message = items[last];
  if (message?.type === "message" && message.role === "assistant") items[last] = { ...(message as EasyInputMessage), phase };
}
