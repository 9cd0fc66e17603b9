// Chunks of Chat Completions as model events. Pure: keeps the state of one reply, does no input or output.
import type { Maker } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { isObject } from "#electron/providers/wire/call-input.ts";
import { at, count, string } from "#electron/providers/wire/json-path.ts";
import type { SseEvent } from "#electron/providers/wire/sse.ts";
import { CUT, type ReplyReader, failed } from "#electron/providers/wire/stream-reply.ts";
import { type CallAssembler, createCallAssembler } from "./call-assembler.ts";
import { chatStreamFailure } from "./failures.ts";
import { type ReasoningDetails, createReasoningDetails } from "./reasoning-details.ts";

export type ChatReading = {
  readonly maker: Maker;
  readonly secrets: readonly (string | undefined)[];
  /** takes nulls that stand for "not given" out of a call's input (T18) */
  readonly dropNulls: (tool: string, input: unknown) => unknown;
};

type State = {
  readonly reading: ChatReading;
  readonly calls: CallAssembler;
  readonly details: ReasoningDetails;
  thought: string;
  usage: Usage | undefined;
  finish: string | undefined;
  refused: boolean;
};

export function createChatReader(reading: ChatReading): ReplyReader {
  const state: State = {
    reading,
    calls: createCallAssembler(reading.dropNulls),
    details: createReasoningDetails(),
    thought: "",
    usage: undefined,
    finish: undefined,
    refused: false,
  };
  return {
    push: (event) => onEvent(state, event),
    // A reason without [DONE] is a whole reply; many servers just close.
    finish: () => (state.finish === undefined ? [failed(CUT)] : endReply(state)),
    settled: () => state.finish !== undefined,
  };
}

function onEvent(state: State, sse: SseEvent): readonly ModelEvent[] {
  if (sse.data.trim() === "[DONE]") return endReply(state);
  const chunk: unknown = JSON.parse(sse.data);
  const error = at(chunk, "error");
  if (error !== undefined && error !== null) return [failed(chatStreamFailure(error, state.reading.secrets))];
  const choices = at(chunk, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  state.usage = usageOf(at(chunk, "usage")) ?? usageOf(at(choice, "usage")) ?? state.usage;
  const events = onDelta(state, at(choice, "delta") ?? at(choice, "message"));
  state.finish = string(choice, "finish_reason") ?? state.finish;
  return events;
}

function onDelta(state: State, delta: unknown): readonly ModelEvent[] {
  if (!isObject(delta)) return [];
  const thinking = string(delta, "reasoning_content") ?? string(delta, "reasoning") ?? "";
  state.details.push(delta["reasoning_details"]);
  state.thought += thinking;
  const words = wordsOf(delta["content"]);
  const refusal = string(delta, "refusal") ?? "";
  if (refusal !== "") state.refused = true;
  const pieces = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : isObject(delta["function_call"]) ? [delta["function_call"]] : [];
  const speaks = words !== "" || refusal !== "" || pieces.length > 0;
  return [
    ...(thinking === "" ? [] : [{ type: "thinking", delta: thinking } as const]),
    ...(speaks ? endThinking(state) : []),
    ...[words, refusal].flatMap((text) => (text === "" ? [] : [{ type: "text", delta: text } as const])),
    ...pieces.flatMap((piece: unknown) => state.calls.push(piece)),
  ];
}

/** Content is a string; a few servers send parts. */
function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => string(part, "text") ?? "").join("") : "";
}

/** Thinking comes before what it led to; its block is complete when the model begins to speak or call. */
function endThinking(state: State): readonly ModelEvent[] {
  if (state.thought === "") return [];
  const block = { type: "thinking", text: state.thought, by: state.reading.maker } as const;
  state.thought = "";
  return [{ type: "block", block }];
}

function endReply(state: State): readonly ModelEvent[] {
  const reason = reasonOf(state);
  const details = state.details.all();
  const cut = reason.kind === "max_tokens" || reason.kind === "refusal";
  return [
    ...endThinking(state),
    ...(details.length === 0 ? [] : [{ type: "block", block: { type: "opaque", by: state.reading.maker, data: { reasoning_details: details } } } as const]),
    ...state.calls.finish(cut),
    ...(state.usage === undefined ? [] : [{ type: "usage", usage: state.usage } as const]),
    { type: "stopped", reason },
  ];
}

const REASONS: Readonly<Record<string, Exclude<StopReason["kind"], "other">>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  function_call: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

function reasonOf(state: State): StopReason {
  if (state.finish === undefined || state.finish === "") return { kind: "none" };
  const kind = REASONS[state.finish];
  if (kind === undefined) return { kind: "other", raw: state.finish };
  return state.refused && kind === "end_turn" ? { kind: "refusal" } : { kind };
}

/** Counts are totals so far and may come with every chunk: the last wins. Cached tokens are taken out of the input (E10). */
function usageOf(usage: unknown): Usage | undefined {
  const prompt = count(usage, "prompt_tokens");
  if (prompt === undefined) return undefined;
  const cacheRead = count(usage, "prompt_tokens_details", "cached_tokens") ?? count(usage, "prompt_cache_hit_tokens") ?? count(usage, "cached_tokens") ?? 0;
  const cacheWrite = count(usage, "prompt_tokens_details", "cache_write_tokens") ?? 0;
  const reasoning = count(usage, "completion_tokens_details", "reasoning_tokens");
  const counted = { input: Math.max(0, prompt - cacheRead - cacheWrite), output: count(usage, "completion_tokens") ?? 0, cacheRead, cacheWrite };
  return reasoning === undefined ? counted : { ...counted, reasoning };
}
