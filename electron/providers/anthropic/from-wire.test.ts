import { describe, expect, it } from "vitest";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { createAnthropicReader } from "./from-wire.ts";

const maker = { provider: "anthropic", model: "m" };

/** Feeds events (or raw data) to a reader, then the end of the stream if nothing ended it. */
function read(...events: readonly (object | string)[]): readonly ModelEvent[] {
  const reader = createAnthropicReader({ maker, secrets: [] });
  const out = events.flatMap((event) => reader.push({ name: "", data: typeof event === "string" ? event : JSON.stringify(event) }));
  return out.some((event) => event.type === "stopped" || event.type === "failed") ? out : [...out, ...reader.finish()];
}

const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, body: object) => ({ type: "content_block_delta", index, delta: body });
const stop = (index: number) => ({ type: "content_block_stop", index });
const ending = (stop_reason: string | null, usage?: object) => ({ type: "message_delta", delta: { stop_reason }, ...(usage === undefined ? {} : { usage }) });
const END = { type: "message_stop" };

describe("Anthropic's events", () => {
  it("keeps thinking, its signature and redacted thinking byte for byte, in order (A09)", () => {
    const events = read(
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "plan " }),
      delta(0, { type: "thinking_delta", thinking: "…" }),
      delta(0, { type: "signature_delta", signature: "SIG+/" }),
      delta(0, { type: "signature_delta", signature: "1==" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "ENC==" }),
      stop(1),
      start(2, { type: "thinking", thinking: "", signature: "ONLY" }),
      stop(2),
      ending("end_turn"),
      END,
    );
    expect(events.filter((event) => event.type === "block").map((event) => event.block)).toEqual([
      { type: "thinking", text: "plan …", signature: "SIG+/1==", by: maker },
      { type: "opaque", data: "ENC==", by: maker },
      { type: "thinking", text: "", signature: "ONLY", by: maker },
    ]);
  });

  it("announces a call when its own block ends, not before and not later (L25)", () => {
    const reader = createAnthropicReader({ maker, secrets: [] });
    const push = (event: object) => reader.push({ name: "", data: JSON.stringify(event) });
    expect(push(start(0, { type: "tool_use", id: "t1", name: "read", input: {} }))).toEqual([]);
    expect(push(start(1, { type: "tool_use", id: "t2", name: "grep", input: {} }))).toEqual([]);
    expect(push(delta(0, { type: "input_json_delta", partial_json: '{"file_path":' }))).toEqual([
      { type: "tool_input", index: 0, name: "read", delta: '{"file_path":' },
    ]);
    expect(push(delta(1, { type: "input_json_delta", partial_json: '{"pattern":"x"}' }))).toHaveLength(1);
    expect(push(delta(0, { type: "input_json_delta", partial_json: '"a"}' }))).toHaveLength(1);
    expect(push(stop(1))).toEqual([{ type: "tool_call", index: 1, id: "t2", name: "grep", input: { pattern: "x" } }]);
    expect(push(stop(0))).toEqual([{ type: "tool_call", index: 0, id: "t1", name: "read", input: { file_path: "a" } }]);
  });

  it("takes input that came whole with the start of its block", () => {
    expect(read(start(0, { type: "tool_use", id: "t", name: "read", input: { a: 1 } }), stop(0), ending("tool_use"), END)[0]).toEqual({
      type: "tool_call",
      index: 0,
      id: "t",
      name: "read",
      input: { a: 1 },
    });
  });

  it("marks a call as cut when the reply ends inside its block, even if its JSON parses (A05)", () => {
    const events = read(
      start(0, { type: "tool_use", id: "t", name: "write", input: {} }),
      delta(0, { type: "input_json_delta", partial_json: '{"a":1}' }),
      ending("max_tokens"),
      END,
    );
    expect(events).toContainEqual({ type: "tool_call", index: 0, id: "t", name: "write", input: {}, invalid: { raw: '{"a":1}', why: "cut" } });
    expect(events.at(-1)).toEqual({ type: "stopped", reason: { kind: "max_tokens" } });
  });

  it("counts what the last event said, never the sum (E10)", () => {
    const events = read(
      {
        type: "message_start",
        message: { usage: { input_tokens: 10, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 1_000, output_tokens: 1 } },
      },
      ending(null, { output_tokens: 50 }),
      ending("end_turn", { output_tokens: 120, input_tokens: null }),
      END,
    );
    expect(events[0]).toEqual({ type: "usage", usage: { input: 10, output: 120, cacheRead: 20_000, cacheWrite: 1_000 } });
  });

  it.each([
    ["end_turn", { kind: "end_turn" }],
    ["tool_use", { kind: "tool_use" }],
    ["max_tokens", { kind: "max_tokens" }],
    ["stop_sequence", { kind: "stop_sequence" }],
    ["refusal", { kind: "refusal" }],
    ["pause_turn", { kind: "pause" }],
    ["model_context_window_exceeded", { kind: "context_window" }],
    [null, { kind: "none" }],
    ["brand_new", { kind: "other", raw: "brand_new" }],
  ])("ends with %s as %j", (raw, reason) => {
    expect(read(ending(raw), END).at(-1)).toEqual({ type: "stopped", reason });
  });

  it("is cut without message_stop, even when a reason was given", () => {
    expect(read(start(0, { type: "text", text: "" }), delta(0, { type: "text_delta", text: "x" }), stop(0), ending("end_turn")).at(-1)).toMatchObject({
      type: "failed",
      failure: { kind: "network", code: "eof", retryable: true },
    });
  });

  it("fails with the kind of an error event", () => {
    expect(read({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })).toEqual([
      { type: "failed", failure: { kind: "overloaded", retryable: true, code: "overloaded_error", message: "Overloaded" } },
    ]);
    expect(read({ type: "error", error: { type: "invalid_request_error", message: "bad" } })).toMatchObject([
      { failure: { kind: "bad_request", retryable: false } },
    ]);
  });

  it("passes over pings, unknown events, unknown blocks and deltas of blocks it does not know", () => {
    expect(
      read(
        { type: "ping" },
        { type: "brand_new" },
        start(0, { type: "server_tool_use", id: "s" }),
        delta(0, { type: "input_json_delta", partial_json: "{}" }),
        stop(0),
        delta(9, { type: "citations_delta" }),
        ending("end_turn"),
        END,
      ),
    ).toEqual([{ type: "stopped", reason: { kind: "end_turn" } }]);
  });

  it("throws at what is no event at all; the caller makes a failure of it", () => {
    expect(() => read("{half")).toThrow(SyntaxError);
  });
});
