import { describe, expect, it } from "vitest";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { createResponsesReader } from "./from-wire.ts";

const maker = { provider: "openai", model: "m" };

function read(...events: readonly object[]): readonly ModelEvent[] {
  const reader = createResponsesReader({ maker, secrets: [], dropNulls: (_tool, input) => input });
  const out = events.flatMap((event) => reader.push({ name: "", data: JSON.stringify(event) }));
  return out.some((event) => event.type === "stopped" || event.type === "failed") ? out : [...out, ...reader.finish()];
}

const added = (output_index: number, item: object) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item });
const completed = (response: object = {}) => ({ type: "response.completed", response: { status: "completed", ...response } });
const incomplete = (reason: string | null) => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: reason === null ? null : { reason } },
});
const call = (status: string, args: string) => ({ type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: args, status });

describe("events of OpenAI Responses", () => {
  it("brings a call with its item id when its item is done", () => {
    expect(
      read(
        added(0, call("in_progress", "")),
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":' },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: "1}" },
        done(0, call("completed", '{"a":1}')),
        completed(),
      ),
    ).toEqual([
      { type: "tool_input", index: 0, name: "read", delta: '{"a":' },
      { type: "tool_input", index: 0, name: "read", delta: "1}" },
      { type: "tool_call", index: 0, id: "c1", name: "read", item: "fc_1", input: { a: 1 } },
      { type: "stopped", reason: { kind: "tool_use" } },
    ]);
  });

  it("keeps encrypted reasoning as it came, and its summary for the person", () => {
    const item = {
      id: "rs_1",
      type: "reasoning",
      summary: [
        { type: "summary_text", text: "first" },
        { type: "summary_text", text: "second" },
      ],
      encrypted_content: "ENC==",
      status: "completed",
    };
    const { status: _, ...kept } = item;
    expect(
      read(
        { type: "response.reasoning_summary_part.added", output_index: 0 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "first" },
        { type: "response.reasoning_summary_part.added", output_index: 0 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "second" },
        done(0, item),
        completed(),
      ),
    ).toEqual([
      { type: "thinking", delta: "first" },
      { type: "thinking", delta: "\n\n" },
      { type: "thinking", delta: "second" },
      { type: "block", block: { type: "thinking", text: "first\n\nsecond", by: maker } },
      { type: "block", block: { type: "opaque", by: maker, data: kept } },
      { type: "stopped", reason: { kind: "end_turn" } },
    ]);
  });

  it("is a refusal when the model refuses in its content", () => {
    expect(read({ type: "response.refusal.delta", output_index: 0, delta: "I can't." }, completed())).toEqual([
      { type: "text", delta: "I can't." },
      { type: "stopped", reason: { kind: "refusal" } },
    ]);
  });

  it.each([
    ["max_output_tokens", { kind: "max_tokens" }],
    ["content_filter", { kind: "refusal" }],
    ["something_new", { kind: "other", raw: "something_new" }],
    [null, { kind: "none" }],
  ])("is incomplete for %s as %j", (reason, wanted) => {
    expect(read(incomplete(reason)).at(-1)).toEqual({ type: "stopped", reason: wanted });
  });

  it("marks a call that the limit cut, finished by the server or not (A05)", () => {
    const invalid = (raw: string) => ({ type: "tool_call", index: 0, id: "c1", name: "read", item: "fc_1", input: {}, invalid: { raw, why: "cut" } });
    expect(
      read(
        added(0, call("in_progress", "")),
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":1}' },
        incomplete("max_output_tokens"),
      ),
    ).toContainEqual(invalid('{"a":1}'));
    expect(read(done(0, call("incomplete", '{"a":1}')), incomplete("max_output_tokens"))).toContainEqual(invalid('{"a":1}'));
  });

  it("reads items that only the last event brings", () => {
    const output = [{ id: "m", type: "message", content: [{ type: "output_text", text: "hello" }] }, call("completed", "{}")];
    expect(read(completed({ output }))).toEqual([
      { type: "text", delta: "hello" },
      { type: "tool_call", index: 0, id: "c1", name: "read", item: "fc_1", input: {} },
      { type: "stopped", reason: { kind: "tool_use" } },
    ]);
  });

  it("says nothing twice when events and the last event bring the same items", () => {
    const message = { id: "m", type: "message", content: [{ type: "output_text", text: "hello" }] };
    expect(
      read(
        { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "hello" },
        done(0, message),
        done(1, call("completed", "{}")),
        completed({ output: [message, call("completed", "{}")] }),
      ),
    ).toEqual([
      { type: "text", delta: "hello" },
      { type: "tool_call", index: 0, id: "c1", name: "read", item: "fc_1", input: {} },
      { type: "stopped", reason: { kind: "tool_use" } },
    ]);
  });

  it("counts cached tokens apart from the input (E10)", () => {
    const usage = {
      input_tokens: 24_400,
      input_tokens_details: { cached_tokens: 22_800, cache_write_tokens: 600 },
      output_tokens: 100,
      output_tokens_details: { reasoning_tokens: 40 },
    };
    expect(read(completed({ usage }))[0]).toEqual({ type: "usage", usage: { input: 1_000, output: 100, reasoning: 40, cacheRead: 22_800, cacheWrite: 600 } });
  });

  it("fails by the code of a failed response or an error event", () => {
    expect(read({ type: "response.failed", response: { error: { code: "context_length_exceeded", message: "too long" } } })).toMatchObject([
      { failure: { kind: "context_window", retryable: false } },
    ]);
    expect(read({ type: "response.failed", response: { error: { code: "server_error", message: "oops" } } })).toMatchObject([
      { failure: { kind: "server", retryable: true } },
    ]);
    expect(read({ type: "error", code: "server_is_overloaded", message: "busy" })).toEqual([
      { type: "failed", failure: { kind: "overloaded", retryable: true, code: "server_is_overloaded", message: "busy" } },
    ]);
    expect(read({ type: "error", error: { type: "insufficient_quota", message: "pay" } })).toMatchObject([{ failure: { kind: "quota", retryable: false } }]);
  });

  it("keeps the phase of a message for later requests", () => {
    expect(
      read(
        { type: "response.output_text.delta", output_index: 0, delta: "x" },
        done(0, { type: "message", phase: "commentary", content: [{ type: "output_text", text: "x" }] }),
        completed(),
      )[1],
    ).toEqual({
      type: "block",
      block: { type: "opaque", by: maker, data: { type: "phase", phase: "commentary" } },
    });
  });

  it("is cut without its last event", () => {
    expect(read({ type: "response.output_text.delta", output_index: 0, delta: "x" }).at(-1)).toMatchObject({ type: "failed", failure: { code: "eof" } });
  });
});
