// Anthropic's stream events as model events. Pure: keeps the state of one reply, does no input or output.
import type { Maker } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import { NO_USAGE, type Usage } from "#shared/chat/usage.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { checkCallInput, isObject, parseCallInput } from "#electron/providers/wire/call-input.ts";
import { at, count, string } from "#electron/providers/wire/json-path.ts";
import type { SseEvent } from "#electron/providers/wire/sse.ts";
import { CUT, type ReplyReader, failed } from "#electron/providers/wire/stream-reply.ts";
import { anthropicStreamFailure } from "./failures.ts";

export type AnthropicReading = { readonly maker: Maker; readonly secrets: readonly (string | undefined)[] };

type OpenBlock =
  | { readonly type: "text" }
  | { readonly type: "thinking"; text: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly place: number; readonly id: string; readonly name: string; readonly input: unknown; raw: string }
  | { readonly type: "other" };

type State = {
  readonly reading: AnthropicReading;
  readonly open: Map<unknown, OpenBlock>;
  tools: number;
  usage: Usage;
  sawUsage: boolean;
  reason: string | null | undefined;
};

export function createAnthropicReader(reading: AnthropicReading): ReplyReader {
  const state: State = { reading, open: new Map(), tools: 0, usage: NO_USAGE, sawUsage: false, reason: undefined };
  return {
    push: (event) => onEvent(state, event),
    finish: () => [failed(CUT)],
    settled: () => false,
    used: () => (state.sawUsage ? state.usage : undefined),
  };
}

function onEvent(state: State, sse: SseEvent): readonly ModelEvent[] {
  const event: unknown = JSON.parse(sse.data);
  switch (string(event, "type") ?? sse.name) {
    case "message_start":
      takeUsage(state, at(event, "message", "usage"));
      return [];
    case "content_block_start":
      return startBlock(state, event);
    case "content_block_delta":
      return onDelta(state, event);
    case "content_block_stop":
      return stopBlock(state, event);
    case "message_delta":
      state.reason = string(event, "delta", "stop_reason") ?? state.reason;
      takeUsage(state, at(event, "usage"));
      return [];
    case "message_stop":
      return endReply(state);
    case "error":
      return [failed(anthropicStreamFailure(event, state.reading.secrets))];
    default:
      return [];
  }
}

function startBlock(state: State, event: unknown): readonly ModelEvent[] {
  const block = at(event, "content_block");
  const opened = openBlock(state, block);
  state.open.set(at(event, "index"), opened);
  const text = string(block, "text") ?? "";
  if (opened.type === "text" && text !== "") return [{ type: "text", delta: text }];
  return opened.type === "thinking" && opened.text !== "" ? [{ type: "thinking", delta: opened.text }] : [];
}

function openBlock(state: State, block: unknown): OpenBlock {
  switch (string(block, "type")) {
    case "text":
      return { type: "text" };
    case "thinking":
      return { type: "thinking", text: string(block, "thinking") ?? "", signature: string(block, "signature") ?? "" };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: string(block, "data") ?? "" };
    case "tool_use": {
      const place = state.tools;
      state.tools += 1;
      return { type: "tool_use", place, id: string(block, "id") ?? "", name: string(block, "name") ?? "", input: at(block, "input"), raw: "" };
    }
    default:
      return { type: "other" };
  }
}

function onDelta(state: State, event: unknown): readonly ModelEvent[] {
  const block = state.open.get(at(event, "index"));
  const delta = at(event, "delta");
  const piece = (key: string) => string(delta, key) ?? "";
  switch (string(delta, "type")) {
    case "text_delta":
      return [{ type: "text", delta: piece("text") }];
    case "thinking_delta":
      if (block?.type === "thinking") block.text += piece("thinking");
      return [{ type: "thinking", delta: piece("thinking") }];
    case "signature_delta":
      if (block?.type === "thinking") block.signature += piece("signature");
      return [];
    case "input_json_delta":
      if (block?.type !== "tool_use") return [];
      block.raw += piece("partial_json");
      return [{ type: "tool_input", index: block.place, name: block.name, delta: piece("partial_json") }];
    default:
      return [];
  }
}

function stopBlock(state: State, event: unknown): readonly ModelEvent[] {
  const index = at(event, "index");
  const block = state.open.get(index);
  state.open.delete(index);
  const by = state.reading.maker;
  switch (block?.type) {
    case "thinking":
      return [{ type: "block", block: { type: "thinking", text: block.text, by, ...(block.signature === "" ? {} : { signature: block.signature }) } }];
    case "redacted_thinking":
      return [{ type: "block", block: { type: "opaque", by, data: block.data } }];
    case "tool_use":
      return [toolCall(block, false)];
    default:
      return [];
  }
}

/** A block that is still open when the reply ends was cut off, whatever its JSON looks like (A05). */
function toolCall(block: Extract<OpenBlock, { type: "tool_use" }>, cut: boolean): ModelEvent {
  const call = { type: "tool_call", index: block.place, id: block.id, name: block.name } as const;
  const whole = block.raw === "" && !cut && isObject(block.input) ? checkCallInput(block.input) : parseCallInput(block.raw, cut);
  return { ...call, ...whole };
}

function endReply(state: State): readonly ModelEvent[] {
  const cut = [...state.open.values()].flatMap((block) => (block.type === "tool_use" ? [toolCall(block, true)] : []));
  const usage: readonly ModelEvent[] = state.sawUsage ? [{ type: "usage", usage: state.usage }] : [];
  return [...cut, ...usage, { type: "stopped", reason: stopReason(state.reason) }];
}

const REASONS: Readonly<Record<string, Exclude<StopReason["kind"], "other">>> = {
  end_turn: "end_turn",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  stop_sequence: "stop_sequence",
  refusal: "refusal",
  pause_turn: "pause",
  model_context_window_exceeded: "context_window",
};

function stopReason(raw: string | null | undefined): StopReason {
  if (raw === null || raw === undefined || raw === "") return { kind: "none" };
  const kind = REASONS[raw];
  return kind === undefined ? { kind: "other", raw } : { kind };
}

/** Counts are totals so far, so the last value of each wins; they are never added up (E10). */
function takeUsage(state: State, usage: unknown): void {
  if (!isObject(usage)) return;
  state.sawUsage = true;
  const before = state.usage;
  const reasoning = count(usage, "output_tokens_details", "thinking_tokens") ?? before.reasoning;
  state.usage = {
    input: count(usage, "input_tokens") ?? before.input,
    output: count(usage, "output_tokens") ?? before.output,
    cacheRead: count(usage, "cache_read_input_tokens") ?? before.cacheRead,
    cacheWrite: count(usage, "cache_creation_input_tokens") ?? before.cacheWrite,
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
