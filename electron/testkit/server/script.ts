// The one vocabulary in which tests say what a model answers. The server renders it in each wire protocol,
// the scripted provider plays it in memory.
import type { ProviderFailure } from "#electron/providers/contract.ts";
import type { SeenRequest } from "./seen-request.ts";

/** `chunk`: characters per delta; without it the part comes as one delta. */
export type ScriptedPart =
  | { readonly type: "text"; readonly text: string; readonly chunk?: number }
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string; readonly chunk?: number }
  /** redacted thinking, or encrypted reasoning without a summary */
  | { readonly type: "opaque"; readonly data: string }
  /** `raw`: the arguments exactly as sent, instead of `input` as JSON; `id`: "" is sent as it is */
  | { readonly type: "tool"; readonly name: string; readonly input?: unknown; readonly id?: string; readonly raw?: string; readonly chunk?: number }
  /** silence of `ms`, by the clock given to the server or provider */
  | { readonly type: "wait"; readonly ms: number }
  /** bytes without content */
  | { readonly type: "keep_alive" };

export type ScriptedStop = "tool_use" | "end_turn" | "stop_sequence" | "max_tokens" | "refusal" | "context_window" | "pause" | { readonly raw: string };

export type ScriptedUsage = {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
};

/**
 * `mid_stream` is after half of the deltas of the last part; `before_end` is after all content, before the end markers.
 * `error_event` is the protocol's own error inside a 200. `raw` sends these lines instead of anything rendered.
 */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly code?: string;
      readonly message?: string;
      readonly body?: string;
    }
  | { readonly kind: "error_event"; readonly code?: string; readonly message?: string; readonly when?: "after_headers" | "mid_stream" | "before_end" }
  | { readonly kind: "reset"; readonly when: "before_headers" | "after_headers" | "mid_stream" | "before_end" }
  | { readonly kind: "eof"; readonly when: "after_headers" | "mid_stream" | "before_end" }
  | { readonly kind: "hang"; readonly when: "before_headers" | "after_headers" | "mid_stream" | "before_end"; readonly keepAliveMs?: number }
  | { readonly kind: "empty_body" }
  | { readonly kind: "html" }
  | { readonly kind: "raw"; readonly lines: readonly string[]; readonly end?: "eof" | "reset" | "hang" }
  /** only the scripted provider: this failure, after the parts */
  | { readonly kind: "failure"; readonly failure: ProviderFailure };

/** How bytes leave the server: `splitBytes` cuts packets without regard for characters, `everyMs` waits before each event. */
export type Pace = { readonly splitBytes?: number; readonly everyMs?: number };

export type ScriptedReply = {
  readonly parts?: readonly ScriptedPart[];
  /** default: tool_use with a tool part, else end_turn; null = the protocol's empty reason */
  readonly stop?: ScriptedStop | null;
  readonly usage?: ScriptedUsage;
  readonly fault?: Fault;
  readonly pace?: Pace;
};

/** A list is played in order and must not run out; a function gets the request and its number, from 0. */
export type Script = readonly ScriptedReply[] | ((request: SeenRequest, n: number) => ScriptedReply);

export function says(text: string, more: Omit<ScriptedReply, "parts"> = {}): ScriptedReply {
  return { parts: [{ type: "text", text }], ...more };
}

export function calls(name: string, input: unknown, id?: string): ScriptedReply {
  return { parts: [callPart(name, input, id)] };
}

export function callPart(name: string, input: unknown, id?: string): ScriptedPart {
  return id === undefined ? { type: "tool", name, input } : { type: "tool", name, input, id };
}

export function fails(
  status: number,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly code?: string; readonly message?: string; readonly body?: string } = {},
): ScriptedReply {
  return { fault: { kind: "status", status, ...more } };
}

/** The reply for request `n`, or undefined when a list has run out. */
export function replyFor(script: Script, request: SeenRequest, n: number): ScriptedReply | undefined {
  return typeof script === "function" ? script(request, n) : script[n];
}

export function stopOf(reply: ScriptedReply): ScriptedStop | null {
  if (reply.stop !== undefined) return reply.stop;
  return (reply.parts ?? []).some((part) => part.type === "tool") ? "tool_use" : "end_turn";
}

/** Cuts by code points, so that no delta holds half a character. */
export function chunksOf(text: string, chunk: number | undefined): readonly string[] {
  if (chunk === undefined || text.length <= chunk) return [text];
  if (/^[\u0000-\u007f]*$/.test(text)) return Array.from({ length: Math.ceil(text.length / chunk) }, (_, k) => text.slice(k * chunk, (k + 1) * chunk));
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / chunk) }, (_, k) => points.slice(k * chunk, (k + 1) * chunk).join(""));
}

/** The id a tool part is sent with: its own, or one made of the request's number and its place. */
export function idOf(part: Extract<ScriptedPart, { type: "tool" }>, n: number, place: number): string {
  return part.id ?? `call_${n + 1}_${place + 1}`;
}

export function argumentsOf(part: Extract<ScriptedPart, { type: "tool" }>): string {
  return part.raw ?? JSON.stringify(part.input ?? {});
}
