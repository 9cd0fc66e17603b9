// Scripted replies as Anthropic Messages events.
import { assertNever } from "#shared/lib/assert-never.ts";
import { type Frame, type Placed, type RenderContext, framesOfParts, sseEvent } from "./frames.ts";
import { type ScriptedReply, argumentsOf, chunksOf, idOf, stopOf } from "./script.ts";

export const ANTHROPIC_KEEP_ALIVE = sseEvent("ping", { type: "ping" });

export function renderAnthropic(reply: ScriptedReply, context: RenderContext): readonly Frame[] {
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, ...reply.usage };
  const message = {
    id: `msg_${context.n + 1}`,
    type: "message",
    role: "assistant",
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.input, cache_creation_input_tokens: usage.cacheWrite, cache_read_input_tokens: usage.cacheRead, output_tokens: 1 },
  };
  const details = usage.reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: usage.reasoning } };
  const ending = { type: "message_delta", delta: { stop_reason: reasonOf(reply), stop_sequence: null }, usage: { output_tokens: usage.output, ...details } };
  return [
    { sse: sseEvent("message_start", { type: "message_start", message }), role: "start", part: -1 },
    ...framesOfParts(reply.parts ?? [], ANTHROPIC_KEEP_ALIVE, (placed) => blockFrames(placed, context)),
    { sse: sseEvent("message_delta", ending), role: "end", part: -1 },
    { sse: sseEvent("message_stop", { type: "message_stop" }), role: "end", part: -1 },
  ];
}

function reasonOf(reply: ScriptedReply): string | null {
  const stop = stopOf(reply);
  if (stop === null) return null;
  if (typeof stop !== "string") return stop.raw;
  if (stop === "context_window") return "model_context_window_exceeded";
  return stop === "pause" ? "pause_turn" : stop;
}

function blockFrames(placed: Placed, context: RenderContext): readonly Frame[] {
  const { block, deltas } = blockOf(placed, context);
  const index = placed.place;
  const frame = (role: "start" | "delta" | "close", name: string, data: Readonly<Record<string, unknown>>): Frame => ({
    sse: sseEvent(name, { type: name, index, ...data }),
    role,
    part: index,
  });
  return [
    frame("start", "content_block_start", { content_block: block }),
    ...deltas.map((delta) => frame("delta", "content_block_delta", { delta })),
    frame("close", "content_block_stop", {}),
  ];
}

function blockOf({ part, toolPlace }: Placed, context: RenderContext): { readonly block: object; readonly deltas: readonly object[] } {
  switch (part.type) {
    case "text":
      return { block: { type: "text", text: "" }, deltas: chunksOf(part.text, part.chunk).map((text) => ({ type: "text_delta", text })) };
    case "thinking":
      return {
        block: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...chunksOf(part.text, part.chunk).map((thinking) => ({ type: "thinking_delta", thinking })),
          ...(part.signature === undefined ? [] : [{ type: "signature_delta", signature: part.signature }]),
        ],
      };
    case "opaque":
      return { block: { type: "redacted_thinking", data: part.data }, deltas: [] };
    case "tool":
      return {
        block: { type: "tool_use", id: idOf(part, context.n, toolPlace), name: part.name, input: {} },
        deltas: chunksOf(argumentsOf(part), part.chunk).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      };
    default:
      return assertNever(part);
  }
}
