// Scripted replies as OpenAI Responses events.
import { assertNever } from "#shared/lib/assert-never.ts";
import { type Frame, type Placed, type RenderContext, framesOfParts, sseEvent } from "./frames.ts";
import { type ScriptedReply, argumentsOf, chunksOf, idOf, stopOf } from "./script.ts";

export const OPENAI_KEEP_ALIVE = ": keep-alive\n\n";

type Draft = { readonly name: string; readonly data: Readonly<Record<string, unknown>>; readonly role: "start" | "delta" | "close" };
type Item = { readonly item: Readonly<Record<string, unknown>>; readonly drafts: readonly Draft[] };

export function renderResponses(reply: ScriptedReply, context: RenderContext): readonly Frame[] {
  let sequence = 0;
  const frame = (name: string, data: Readonly<Record<string, unknown>>, role: "start" | "delta" | "close" | "end", part: number): Frame => {
    sequence += 1;
    return { sse: sseEvent(name, { type: name, sequence_number: sequence - 1, ...data }), role, part };
  };
  const response = {
    id: `resp_${context.n + 1}`,
    object: "response",
    model: context.model,
    status: "in_progress",
    output: [],
    error: null,
    incomplete_details: null,
  };
  const refused = stopOf(reply) === "refusal";
  const output: object[] = [];
  const start = [frame("response.created", { response }, "start", -1), frame("response.in_progress", { response }, "start", -1)];
  const content = framesOfParts(reply.parts ?? [], OPENAI_KEEP_ALIVE, (placed) => {
    const { item, drafts } = itemOf(placed, context, refused);
    output.push(item);
    const output_index = placed.place;
    const id = item["id"];
    return [
      frame("response.output_item.added", { output_index, item: emptied(item) }, "start", output_index),
      ...drafts.map((draft) => frame(draft.name, { item_id: id, output_index, ...draft.data }, draft.role, output_index)),
      frame("response.output_item.done", { output_index, item }, "close", output_index),
    ];
  });
  const ending = endingOf(reply);
  return [...start, ...content, frame(ending.name, { response: { ...response, output, usage: usageOf(reply), ...ending.response } }, "end", -1)];
}

function endingOf(reply: ScriptedReply): { readonly name: string; readonly response: object } {
  const stop = stopOf(reply);
  const incomplete = (reason: string | null) => ({
    name: "response.incomplete",
    response: { status: "incomplete", incomplete_details: reason === null ? null : { reason } },
  });
  if (stop === null) return incomplete(null);
  if (typeof stop !== "string") return incomplete(stop.raw);
  if (stop === "max_tokens") return incomplete("max_output_tokens");
  if (stop === "context_window")
    return {
      name: "response.failed",
      response: { status: "failed", error: { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." } },
    };
  return { name: "response.completed", response: { status: "completed" } };
}

function usageOf(reply: ScriptedReply): object {
  const usage = { input: 100, output: 10, cacheRead: 0, reasoning: 0, ...reply.usage };
  return {
    input_tokens: usage.input + usage.cacheRead,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.cacheRead + usage.output,
  };
}

function emptied(item: Readonly<Record<string, unknown>>): object {
  const empty: Record<string, unknown> = { ...item, status: "in_progress" };
  if ("content" in empty) empty["content"] = [];
  if ("arguments" in empty) empty["arguments"] = "";
  if ("summary" in empty) empty["summary"] = [];
  return empty;
}

function itemOf({ part, place, toolPlace }: Placed, context: RenderContext, refused: boolean): Item {
  const unique = `${context.n + 1}_${place + 1}`;
  switch (part.type) {
    case "text":
      return messageItem(`msg_${unique}`, part.text, chunksOf(part.text, part.chunk), refused);
    case "thinking":
      return reasoningItem(`rs_${unique}`, part.text, chunksOf(part.text, part.chunk), part.signature ?? `enc_${unique}`);
    case "opaque":
      return { item: { id: `rs_${unique}`, type: "reasoning", summary: [], encrypted_content: part.data }, drafts: [] };
    case "tool": {
      const raw = argumentsOf(part);
      return {
        item: { id: `fc_${unique}`, type: "function_call", status: "completed", call_id: idOf(part, context.n, toolPlace), name: part.name, arguments: raw },
        drafts: [
          ...chunksOf(raw, part.chunk).map((delta): Draft => ({ name: "response.function_call_arguments.delta", data: { delta }, role: "delta" })),
          { name: "response.function_call_arguments.done", data: { arguments: raw }, role: "close" },
        ],
      };
    }
    default:
      return assertNever(part);
  }
}

function messageItem(id: string, text: string, chunks: readonly string[], refused: boolean): Item {
  const part = refused ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [] };
  const name = refused ? "response.refusal" : "response.output_text";
  const at = { content_index: 0 };
  return {
    item: { id, type: "message", status: "completed", role: "assistant", content: [part] },
    drafts: [
      {
        name: "response.content_part.added",
        data: { ...at, part: refused ? { type: "refusal", refusal: "" } : { type: "output_text", text: "", annotations: [] } },
        role: "start",
      },
      ...chunks.map((delta): Draft => ({ name: `${name}.delta`, data: { ...at, delta }, role: "delta" })),
      { name: `${name}.done`, data: { ...at, ...(refused ? { refusal: text } : { text }) }, role: "close" },
      { name: "response.content_part.done", data: { ...at, part }, role: "close" },
    ],
  };
}

function reasoningItem(id: string, text: string, chunks: readonly string[], encrypted: string): Item {
  const at = { summary_index: 0 };
  const part = { type: "summary_text", text };
  return {
    item: { id, type: "reasoning", summary: [part], encrypted_content: encrypted },
    drafts: [
      { name: "response.reasoning_summary_part.added", data: { ...at, part: { type: "summary_text", text: "" } }, role: "start" },
      ...chunks.map((delta): Draft => ({ name: "response.reasoning_summary_text.delta", data: { ...at, delta }, role: "delta" })),
      { name: "response.reasoning_summary_text.done", data: { ...at, text }, role: "close" },
      { name: "response.reasoning_summary_part.done", data: { ...at, part }, role: "close" },
    ],
  };
}
