import { describe, expect, it } from "vitest";
import type { ModelEvent, ModelRequest } from "#electron/providers/contract.ts";
import { createManualClock } from "./manual-clock.ts";
import { createScriptedProvider } from "./scripted-provider.ts";
import { callPart, calls, fails, says } from "#electron/testkit/server/script.ts";

const request: ModelRequest = {
  model: "m",
  system: [],
  tools: [],
  messages: [{ role: "user", blocks: [{ type: "text", text: "hi" }] }],
  maxTokens: 100,
  cacheKey: "s",
  blob: async () => undefined,
};

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("the scripted provider", () => {
  it("plays text, thinking and calls as a provider would", async () => {
    const provider = createScriptedProvider({
      script: [
        {
          parts: [{ type: "thinking", text: "hm", signature: "S" }, { type: "text", text: "abcd", chunk: 2 }, callPart("read", { file_path: "a" })],
          usage: { input: 7 },
        },
      ],
    });
    expect(await collect(provider.stream(request, new AbortController().signal))).toEqual([
      { type: "headers" },
      { type: "bytes" },
      { type: "thinking", delta: "hm" },
      { type: "block", block: { type: "thinking", text: "hm", signature: "S", by: { provider: "anthropic", model: "m" } } },
      { type: "text", delta: "ab" },
      { type: "text", delta: "cd" },
      { type: "tool_input", index: 0, name: "read", delta: '{"file_path":"a"}' },
      { type: "tool_call", index: 0, id: "call_1_1", name: "read", input: { file_path: "a" } },
      { type: "usage", usage: { input: 7, output: 10, cacheRead: 0, cacheWrite: 0 } },
      { type: "stopped", reason: { kind: "tool_use" } },
    ]);
    expect(provider.openStreams()).toBe(0);
  });

  it("marks broken arguments and never repairs them", async () => {
    const provider = createScriptedProvider({
      script: [
        {
          parts: [
            { type: "tool", name: "write", raw: '{"a":' },
            { type: "tool", name: "write", raw: "[1]" },
          ],
        },
      ],
    });
    const events = await collect(provider.stream(request, new AbortController().signal));
    expect(events.filter((event) => event.type === "tool_call").map((event) => event.invalid)).toEqual([
      { raw: '{"a":', why: "not_json" },
      { raw: "[1]", why: "not_object" },
    ]);
  });

  it("cuts a call in the middle without announcing it", async () => {
    const provider = createScriptedProvider({ script: [{ ...calls("read", { file_path: "abcdef" }), fault: { kind: "eof", when: "mid_stream" } }] });
    const events = await collect(provider.stream(request, new AbortController().signal));
    expect(events.map((event) => event.type)).toEqual(["headers", "bytes", "tool_input", "failed"]);
  });

  it("fails with status, code and the wait that was asked for", async () => {
    const provider = createScriptedProvider({ script: [fails(429, { headers: { "retry-after": "3" }, message: "slow down" })] });
    expect(await collect(provider.stream(request, new AbortController().signal))).toEqual([
      { type: "failed", failure: { kind: "rate_limit", retryable: true, status: 429, message: "slow down", retryAfterMs: 3000 } },
    ]);
  });

  it("hangs with keep-alives until it is aborted", async () => {
    const clock = createManualClock();
    const provider = createScriptedProvider({ clock, script: [{ ...says("x"), fault: { kind: "hang", when: "mid_stream", keepAliveMs: 1_000 } }] });
    const controller = new AbortController();
    const collecting = collect(provider.stream(request, controller.signal));
    await clock.advance(3_500);
    controller.abort();
    const events = await collecting;
    expect(events.map((event) => event.type)).toEqual(["headers", "bytes", "text", "bytes", "bytes", "bytes", "failed"]);
    expect(events.at(-1)).toMatchObject({ failure: { kind: "aborted" } });
    expect(clock.pending()).toBe(0);
  });

  it("says so when the script has run out", async () => {
    const provider = createScriptedProvider({ script: [] });
    expect(await collect(provider.stream(request, new AbortController().signal))).toMatchObject([
      { failure: { message: "the script has no reply for request 1" } },
    ]);
  });

  it("refuses a request that ends with the assistant", async () => {
    const provider = createScriptedProvider({ script: [says("x")] });
    const wrong: ModelRequest = { ...request, messages: [...request.messages, { role: "assistant", blocks: [{ type: "text", text: "a" }] }] };
    expect(await collect(provider.stream(wrong, new AbortController().signal))).toMatchObject([{ failure: { kind: "bad_request" } }]);
  });
});
