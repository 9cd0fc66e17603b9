import { describe, expect, it } from "vitest";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { createChatReader } from "./from-wire.ts";

const maker = { provider: "openai-chat", model: "m" };

function read(...chunks: readonly (object | string)[]): readonly ModelEvent[] {
  const reader = createChatReader({ maker, secrets: [], dropNulls: (_tool, input) => input });
  const out = chunks.flatMap((chunk) => reader.push({ name: "", data: typeof chunk === "string" ? chunk : JSON.stringify(chunk) }));
  return out.some((event) => event.type === "stopped" || event.type === "failed") ? out : [...out, ...reader.finish()];
}

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({ choices: [{ index: 0, delta, finish_reason }], ...more });
const piece = (args: string, head: object = {}, name?: string) => ({ ...head, function: { arguments: args, ...(name === undefined ? {} : { name }) } });
const calls = (...pieces: readonly object[]) => chunk({ tool_calls: pieces });
const end = (reason: string) => chunk({}, reason);
const DONE = "[DONE]";

const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "tool_call" ? [[event.id, event.name, event.invalid ?? event.input]] : []));

describe("tool calls in chunks", () => {
  const TWO = [
    ["c1", "read", { path: "a" }],
    ["c2", "read", { path: "b" }],
  ];
  it.each<[string, readonly object[]]>([
    ["without any index (A07)", [calls(piece('{"path":', { id: "c1" }, "read")), calls(piece('"a"}')), calls(piece('{"path":"b"}', { id: "c2" }, "read"))]],
    [
      "with index 0 everywhere (A07)",
      [
        calls(piece('{"path":', { id: "c1", index: 0 }, "read")),
        calls(piece('"a"}', { index: 0 })),
        calls(piece('{"path":"b"}', { id: "c2", index: 0 }, "read")),
      ],
    ],
    [
      "with proper indexes, interleaved (A07)",
      [
        calls(piece("", { id: "c1", index: 0 }, "read"), piece('{"path":', { id: "c2", index: 1 }, "read")),
        calls(piece('{"path":"a"}', { index: 0 })),
        calls(piece('"b"}', { index: 1 })),
      ],
    ],
    [
      "with id and name repeated on every piece",
      [
        calls(piece('{"path":', { id: "c1", index: 0 }, "read")),
        calls(piece('"a"}', { id: "c1", index: 0 }, "read")),
        calls(piece('{"path":"b"}', { id: "c2", index: 1 }, "read")),
      ],
    ],
    ["all in one chunk", [calls(piece('{"path":"a"}', { id: "c1" }, "read"), piece('{"path":"b"}', { id: "c2" }, "read"))]],
  ])("come together %s", (_name, chunks) => {
    expect(callsOf(read(...chunks, end("tool_calls"), DONE))).toEqual(TWO);
  });

  it("come together when a server gives no ids at all", () => {
    expect(callsOf(read(calls(piece('{"path":"a"}', {}, "read")), calls(piece('{"path":"b"}', {}, "read")), end("tool_calls")))).toEqual([
      ["", "read", { path: "a" }],
      ["", "read", { path: "b" }],
    ]);
  });

  it("stay two when two of them share an id", () => {
    expect(callsOf(read(calls(piece('{"path":"a"}', { id: "x" }, "read")), calls(piece('{"path":"b"}', { id: "x" }, "read")), end("tool_calls")))).toEqual([
      ["x", "read", { path: "a" }],
      ["x", "read", { path: "b" }],
    ]);
  });

  it("take arguments that come as an object, and the old function_call", () => {
    expect(callsOf(read(chunk({ tool_calls: [{ id: "c", function: { name: "read", arguments: { path: "a" } } }] }), end("stop")))).toEqual([
      ["c", "read", { path: "a" }],
    ]);
    expect(
      callsOf(read(chunk({ function_call: { name: "read", arguments: '{"path"' } }), chunk({ function_call: { arguments: ':"a"}' } }), end("function_call"))),
    ).toEqual([["", "read", { path: "a" }]]);
  });

  it("have {} for no arguments", () => {
    expect(callsOf(read(calls(piece("", { id: "c", index: 0 }, "ls")), end("tool_calls")))).toEqual([["c", "ls", {}]]);
  });

  it("are announced only when the reply has ended", () => {
    expect(read(calls(piece("{}", { id: "c", index: 0 }, "ls"))).some((event) => event.type === "tool_call")).toBe(false);
  });

  it("are cut where the length limit struck: the one that grew last, even if it parses (A05)", () => {
    expect(
      callsOf(read(calls(piece('{"a":1}', { id: "c1", index: 0 }, "read")), calls(piece('{"a":2}', { id: "c2", index: 1 }, "read")), end("length"))),
    ).toEqual([
      ["c1", "read", { a: 1 }],
      ["c2", "read", { raw: '{"a":2}', why: "cut" }],
    ]);
  });

  it("are never made out of text (A20)", () => {
    const words = '{ "name": "write", "arguments": {"path":"t.sh","content":"ls"}}';
    expect(read(chunk({ content: words }), end("stop"))).toEqual([
      { type: "text", delta: words },
      { type: "stopped", reason: { kind: "end_turn" } },
    ]);
  });
});

describe("the end of a reply in chunks", () => {
  it.each([
    ["stop", { kind: "end_turn" }],
    ["tool_calls", { kind: "tool_use" }],
    ["function_call", { kind: "tool_use" }],
    ["length", { kind: "max_tokens" }],
    ["content_filter", { kind: "refusal" }],
    ["eos", { kind: "other", raw: "eos" }],
  ])("%s is %j, with or without [DONE]", (reason, wanted) => {
    expect(read(chunk({ content: "x" }), end(reason)).at(-1)).toEqual({ type: "stopped", reason: wanted });
    expect(read(chunk({ content: "x" }), end(reason), DONE).at(-1)).toEqual({ type: "stopped", reason: wanted });
  });

  it("is no reason at all with [DONE] alone, and a cut with neither", () => {
    expect(read(chunk({ content: "x" }), DONE).at(-1)).toEqual({ type: "stopped", reason: { kind: "none" } });
    expect(read(chunk({ content: "x" })).at(-1)).toMatchObject({ type: "failed", failure: { code: "eof" } });
  });

  it("is a refusal when the refusal has its own field", () => {
    expect(read(chunk({ refusal: "No." }), end("stop"))).toEqual([
      { type: "text", delta: "No." },
      { type: "stopped", reason: { kind: "refusal" } },
    ]);
  });

  it("fails for an error in the stream, whatever its shape", () => {
    expect(read({ error: { message: "busy", code: 503 } })).toEqual([
      { type: "failed", failure: { kind: "overloaded", retryable: true, status: 503, message: "busy" } },
    ]);
    expect(read({ error: "out of memory" })).toMatchObject([{ failure: { kind: "server", retryable: true, message: "out of memory" } }]);
    expect(read({ error: null, ...chunk({ content: "x" }, "stop") }).at(-1)).toMatchObject({ type: "stopped" });
  });
});

describe("other parts of chunks", () => {
  it("reads reasoning under both names, ends it before words, and keeps it as a block (A12)", () => {
    for (const name of ["reasoning_content", "reasoning"]) {
      expect(read(chunk({ [name]: "let me " }), chunk({ [name]: "see" }), chunk({ content: "ok" }), end("stop"))).toEqual([
        { type: "thinking", delta: "let me " },
        { type: "thinking", delta: "see" },
        { type: "block", block: { type: "thinking", text: "let me see", by: maker } },
        { type: "text", delta: "ok" },
        { type: "stopped", reason: { kind: "end_turn" } },
      ]);
    }
  });

  it("keeps signed pieces of reasoning together", () => {
    const detail = (text: string, more: object = {}) => ({ type: "reasoning.text", index: 0, text, ...more });
    expect(
      read(
        chunk({ reasoning_details: [detail("a")] }),
        chunk({ reasoning_details: [detail("b", { signature: "S" })] }),
        chunk({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "E" }] }),
        end("stop"),
      )[0],
    ).toEqual({
      type: "block",
      block: {
        type: "opaque",
        by: maker,
        data: { reasoning_details: [detail("ab", { signature: "S" }), { type: "reasoning.encrypted", index: 1, data: "E" }] },
      },
    });
  });

  it("takes the last count, without cached tokens in the input (E10)", () => {
    const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 24_400, prompt_tokens_details: { cached_tokens: 22_800 }, completion_tokens } });
    expect(read(chunk({ content: "x" }, null, usage(50)), chunk({}, "stop", usage(100)), DONE)).toContainEqual({
      type: "usage",
      usage: { input: 1_600, output: 100, cacheRead: 22_800, cacheWrite: 0 },
    });
    expect(read(end("stop"), { choices: [], usage: { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4 } }, DONE)).toContainEqual({
      type: "usage",
      usage: { input: 6, output: 1, cacheRead: 4, cacheWrite: 0 },
    });
  });

  it("takes content in parts, and whole messages where deltas were meant", () => {
    expect(
      read(
        chunk({
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        }),
        end("stop"),
      )[0],
    ).toEqual({ type: "text", delta: "ab" });
    expect(read({ choices: [{ message: { content: "whole" }, finish_reason: "stop" }] })[0]).toEqual({ type: "text", delta: "whole" });
  });

  it("passes over chunks without anything", () => {
    expect(read({}, { choices: [] }, chunk({}), { choices: [{ delta: null }] }, end("stop"))).toEqual([{ type: "stopped", reason: { kind: "end_turn" } }]);
  });
});
