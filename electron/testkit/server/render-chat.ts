// Scripted replies as Chat Completions chunks.
import { assertNever } from "#shared/lib/assert-never.ts";
import { type Frame, type Placed, type RenderContext, framesOfParts, sseData } from "./frames.ts";
import { OPENAI_KEEP_ALIVE } from "./render-responses.ts";
import { type ScriptedReply, type ScriptedStop, argumentsOf, chunksOf, idOf, stopOf } from "./script.ts";

export function renderChat(reply: ScriptedReply, context: RenderContext): readonly Frame[] {
  const base = { id: `chatcmpl-${context.n + 1}`, object: "chat.completion.chunk", created: 1_700_000_000, model: context.model };
  const chunk = (delta: object, finish_reason: string | null = null) => sseData({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  const usage: readonly Frame[] = context.wantsUsage ? [{ sse: sseData({ ...base, choices: [], usage: usageOf(reply) }), role: "end", part: -1 }] : [];
  return [
    { sse: chunk({ role: "assistant", content: "" }), role: "start", part: -1 },
    ...framesOfParts(reply.parts ?? [], OPENAI_KEEP_ALIVE, (placed) =>
      deltasOf(placed, context).map(({ delta, role }): Frame => ({ sse: chunk(delta), role, part: placed.place })),
    ),
    { sse: chunk({}, finishOf(stopOf(reply))), role: "end", part: -1 },
    ...usage,
    { sse: sseData("[DONE]"), role: "end", part: -1 },
  ];
}

function finishOf(stop: ScriptedStop | null): string | null {
  if (stop === null) return null;
  if (typeof stop !== "string") return stop.raw;
  switch (stop) {
    case "tool_use":
      return "tool_calls";
    case "max_tokens":
    case "context_window":
      return "length";
    case "refusal":
      return "content_filter";
    case "pause":
      return "pause";
    case "end_turn":
    case "stop_sequence":
      return "stop";
    default:
      return assertNever(stop);
  }
}

function usageOf(reply: ScriptedReply): object {
  const usage = { input: 100, output: 10, cacheRead: 0, reasoning: 0, ...reply.usage };
  const prompt_tokens = usage.input + usage.cacheRead;
  return {
    prompt_tokens,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens: usage.output,
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: prompt_tokens + usage.output,
  };
}

type Delta = { readonly delta: object; readonly role: "start" | "delta" };

/** Chat Completions has no place for opaque reasoning; such parts are left out. */
function deltasOf({ part, toolPlace }: Placed, context: RenderContext): readonly Delta[] {
  switch (part.type) {
    case "text":
      return chunksOf(part.text, part.chunk).map((content) => ({ delta: { content }, role: "delta" }));
    case "thinking":
      return chunksOf(part.text, part.chunk).map((reasoning_content) => ({ delta: { reasoning_content }, role: "delta" }));
    case "opaque":
      return [];
    case "tool": {
      const head = { index: toolPlace, id: idOf(part, context.n, toolPlace), type: "function", function: { name: part.name, arguments: "" } };
      return [
        { delta: { tool_calls: [head] }, role: "start" },
        ...chunksOf(argumentsOf(part), part.chunk).map(
          (piece): Delta => ({ delta: { tool_calls: [{ index: toolPlace, function: { arguments: piece } }] }, role: "delta" }),
        ),
      ];
    }
    default:
      return assertNever(part);
  }
}
