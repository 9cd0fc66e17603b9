// Events of OpenAI Responses as model events. Pure: keeps the state of one reply, does no input or output.
import type { Maker } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { isObject, parseCallInput } from "#electron/providers/wire/call-input.ts";
import { at, count, string } from "#electron/providers/wire/json-path.ts";
import type { SseEvent } from "#electron/providers/wire/sse.ts";
import { CUT, type ReplyReader, failed } from "#electron/providers/wire/stream-reply.ts";
import { responsesFailure } from "./failures.ts";

export type ResponsesReading = {
  readonly maker: Maker;
  readonly secrets: readonly (string | undefined)[];
  /** takes nulls that stand for "not given" out of a call's input (T18) */
  readonly dropNulls: (tool: string, input: unknown) => unknown;
};

type Call = { readonly place: number; readonly id: string; readonly name: string; readonly item: string | undefined; raw: string; done: boolean };
type State = {
  readonly reading: ResponsesReading;
  readonly calls: Map<string, Call>;
  readonly finished: Set<string>;
  /** output items whose text came as deltas */
  readonly texted: Set<string>;
  refused: boolean;
  spoke: boolean;
};

export function createResponsesReader(reading: ResponsesReading): ReplyReader {
  const state: State = { reading, calls: new Map(), finished: new Set(), texted: new Set(), refused: false, spoke: false };
  return {
    push: (event) => onEvent(state, event),
    finish: () => [failed(CUT)],
    settled: () => false,
  };
}

function onEvent(state: State, sse: SseEvent): readonly ModelEvent[] {
  if (sse.data === "[DONE]") return [];
  const event: unknown = JSON.parse(sse.data);
  switch (string(event, "type") ?? sse.name) {
    case "response.output_item.added":
      startItem(state, event);
      return [];
    case "response.output_item.done":
      return finishItem(state, at(event, "item"), keyOf(event));
    case "response.output_text.delta":
      state.texted.add(keyOf(event));
      return text(string(event, "delta"));
    case "response.refusal.delta":
      state.texted.add(keyOf(event));
      state.refused = true;
      return text(string(event, "delta"));
    case "response.reasoning_summary_part.added":
      return thinkingGap(state);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      state.spoke = true;
      return [{ type: "thinking", delta: string(event, "delta") ?? "" }];
    case "response.function_call_arguments.delta":
      return callDelta(state, event);
    case "response.completed":
    case "response.incomplete":
      return endReply(state, at(event, "response"));
    case "response.failed":
      return [...usageOf(at(event, "response")), failed(responsesFailure(at(event, "response", "error"), state.reading.secrets))];
    case "error":
      return [failed(responsesFailure(at(event, "error") ?? event, state.reading.secrets))];
    default:
      return [];
  }
}

function text(delta: string | undefined): readonly ModelEvent[] {
  return delta === undefined || delta === "" ? [] : [{ type: "text", delta }];
}

/** Parts of a summary are paragraphs of their own. */
function thinkingGap(state: State): readonly ModelEvent[] {
  return state.spoke ? [{ type: "thinking", delta: "\n\n" }] : [];
}

/** One item keeps its place in the output; servers that leave the place out are told apart by the item's id. */
function keyOf(event: unknown): string {
  const place = count(event, "output_index");
  return place === undefined ? `id:${string(event, "item_id") ?? string(event, "item", "id") ?? ""}` : `at:${place}`;
}

function startItem(state: State, event: unknown): void {
  if (string(event, "item", "type") === "function_call") openCall(state, at(event, "item"), keyOf(event));
}

function openCall(state: State, item: unknown, key: string): Call {
  const call: Call = {
    place: state.calls.size,
    id: string(item, "call_id") ?? string(item, "id") ?? "",
    name: string(item, "name") ?? "",
    item: string(item, "id"),
    raw: string(item, "arguments") ?? "",
    done: false,
  };
  state.calls.set(key, call);
  return call;
}

function callDelta(state: State, event: unknown): readonly ModelEvent[] {
  const call = state.calls.get(keyOf(event));
  const delta = string(event, "delta") ?? "";
  if (call === undefined) return [];
  call.raw += delta;
  return [{ type: "tool_input", index: call.place, name: call.name, delta }];
}

function finishItem(state: State, item: unknown, key: string): readonly ModelEvent[] {
  if (state.finished.has(key)) return [];
  state.finished.add(key);
  switch (string(item, "type")) {
    case "function_call": {
      const call = state.calls.get(key) ?? openCall(state, item, key);
      call.done = true;
      call.raw = string(item, "arguments") ?? call.raw;
      return [callEvent(state, call, string(item, "status") === "incomplete")];
    }
    case "reasoning":
      state.spoke = false;
      return reasoningBlocks(state, item);
    case "message":
      return [...untoldText(state, item, key), ...phaseOf(state, item)];
    default:
      return [];
  }
}

/** The summary is kept for the person, the encrypted item for the model. */
function reasoningBlocks(state: State, item: unknown): readonly ModelEvent[] {
  const by = state.reading.maker;
  const summary = at(item, "summary");
  const words = (Array.isArray(summary) ? summary : []).map((part: unknown) => string(part, "text") ?? "").join("\n\n");
  return [
    ...(words === "" ? [] : [{ type: "block", block: { type: "thinking", text: words, by } } as const]),
    ...(string(item, "encrypted_content") === undefined ? [] : [{ type: "block", block: { type: "opaque", by, data: reasoningData(item) } } as const]),
  ];
}

/** What goes back later: the item as it came, but for fields the API only gives and never takes. */
function reasoningData(item: unknown): unknown {
  if (!isObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== "status"));
}

function callEvent(state: State, call: Call, cut: boolean): ModelEvent {
  const { input, invalid } = parseCallInput(call.raw, cut);
  const head = { type: "tool_call", index: call.place, id: call.id, name: call.name, ...(call.item === undefined ? {} : { item: call.item }) } as const;
  return invalid === undefined ? { ...head, input: state.reading.dropNulls(call.name, input) } : { ...head, input, invalid };
}

/** Text of a message that a server sent whole, without deltas. */
function untoldText(state: State, item: unknown, key: string): readonly ModelEvent[] {
  const content = at(item, "content");
  if (!Array.isArray(content)) return [];
  if (content.some((part) => string(part, "type") === "refusal")) state.refused = true;
  if (state.texted.has(key)) return [];
  return content.flatMap((part) => text(string(part, "text") ?? string(part, "refusal")));
}

function phaseOf(state: State, item: unknown): readonly ModelEvent[] {
  const phase = string(item, "phase");
  return phase === undefined ? [] : [{ type: "block", block: { type: "opaque", by: state.reading.maker, data: { type: "phase", phase } } }];
}

function endReply(state: State, response: unknown): readonly ModelEvent[] {
  const output = at(response, "output");
  const untold = Array.isArray(output) ? output.flatMap((item: unknown, place) => finishItem(state, item, knownKey(state, item, place))) : [];
  const cut = [...state.calls.values()].filter((call) => !call.done).map((call) => callEvent(state, call, true));
  return [...untold, ...cut, ...usageOf(response), { type: "stopped", reason: reasonOf(state, response) }];
}

function knownKey(state: State, item: unknown, place: number): string {
  const byId = `id:${string(item, "id") ?? ""}`;
  return state.finished.has(byId) ? byId : `at:${place}`;
}

function reasonOf(state: State, response: unknown): StopReason {
  const status = string(response, "status");
  if (status === "incomplete") {
    const raw = string(response, "incomplete_details", "reason");
    if (raw === undefined) return { kind: "none" };
    if (raw === "max_output_tokens") return { kind: "max_tokens" };
    return raw === "content_filter" ? { kind: "refusal" } : { kind: "other", raw };
  }
  if (status !== undefined && status !== "completed") return { kind: "other", raw: status };
  if (state.refused) return { kind: "refusal" };
  return state.calls.size > 0 ? { kind: "tool_use" } : { kind: "end_turn" };
}

/** OpenAI counts cached tokens among the input; ours are apart (E10). */
function usageOf(response: unknown): readonly ModelEvent[] {
  const usage = at(response, "usage");
  const all = count(usage, "input_tokens");
  if (all === undefined) return [];
  const cacheRead = count(usage, "input_tokens_details", "cached_tokens") ?? 0;
  const cacheWrite = count(usage, "input_tokens_details", "cache_write_tokens") ?? 0;
  const reasoning = count(usage, "output_tokens_details", "reasoning_tokens");
  const counted: Usage = { input: Math.max(0, all - cacheRead - cacheWrite), output: count(usage, "output_tokens") ?? 0, cacheRead, cacheWrite };
  return [{ type: "usage", usage: reasoning === undefined ? counted : { ...counted, reasoning } }];
}
