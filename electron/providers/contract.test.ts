// One behaviour matrix for all three wire protocols, against the local server.
import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderFailure } from "./contract.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { PROTOCOLS, TEST_KEY, TEST_MODELS, collect, gist, providerFor, providerIdOf, requestFor } from "#electron/testkit/provider-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { type Fault, type Script, callPart, fails, says } from "#electron/testkit/server/script.ts";
import type { Protocol } from "#electron/testkit/server/seen-request.ts";

const clock = createSystemClock();
const servers: ModelServer[] = [];

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  servers.push(server);
  return server;
}

afterEach(async () => {
  const done = servers.splice(0);
  await Promise.all(done.map((server) => server.close()));
  for (const server of done) server.assertClean();
});

const never = () => new AbortController().signal;

async function ask(
  protocol: Protocol,
  script: Script,
  request: ModelRequest = requestFor(protocol, "hello"),
): Promise<{ readonly events: readonly ModelEvent[]; readonly server: ModelServer; readonly provider: Provider }> {
  const server = await serve(script);
  const provider = await providerFor(protocol, server);
  return { events: await collect(provider.stream(request, never())), server, provider };
}

async function failureOf(protocol: Protocol, script: Script): Promise<ProviderFailure | undefined> {
  const { events } = await ask(protocol, script);
  const last = events.at(-1);
  return last?.type === "failed" ? last.failure : undefined;
}

const stopped = (kind: "end_turn" | "tool_use" | "max_tokens" | "refusal" | "none"): ModelEvent => ({ type: "stopped", reason: { kind } });
const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

describe.each(PROTOCOLS)("%s: good replies", (protocol) => {
  const counted = { type: "usage", usage: protocol === "anthropic" ? usage : { ...usage, reasoning: 0 } };

  it("ends plainly, with headers before bytes before content", async () => {
    const { events, server } = await ask(protocol, [says("Hello there")]);
    expect(gist(events)).toEqual([{ type: "text", delta: "Hello there" }, counted, stopped("end_turn")]);
    expect(events.slice(0, 2).map((event) => event.type)).toEqual(["headers", "bytes"]);
    expect(server.requests).toHaveLength(1);
  });

  it("brings a call with its input and its id", async () => {
    const { events } = await ask(protocol, [{ parts: [{ type: "text", text: "Let me look." }, callPart("read", { file_path: "a.txt" }, "c1")] }]);
    expect(gist(events)).toMatchObject([
      { type: "text", delta: "Let me look." },
      { type: "tool_call", index: 0, id: "c1", name: "read", input: { file_path: "a.txt" } },
      { type: "usage" },
      stopped("tool_use"),
    ]);
  });

  it("brings parallel calls in order, each once, with duplicate and empty ids passed on as they are", async () => {
    const parts = [callPart("read", { file_path: "a" }, "x"), callPart("read", { file_path: "b" }, "x"), callPart("read", { file_path: "c" }, "")];
    const { events } = await ask(protocol, [{ parts }]);
    const calls = gist(events).filter((event) => event.type === "tool_call");
    expect(calls.map((call) => [call.index, call.input])).toEqual([
      [0, { file_path: "a" }],
      [1, { file_path: "b" }],
      [2, { file_path: "c" }],
    ]);
    expect(calls.slice(0, 2).map((call) => call.id)).toEqual(["x", "x"]);
  });

  it("takes 50 parallel calls", async () => {
    const { events } = await ask(protocol, [{ parts: Array.from({ length: 50 }, (_, k) => callPart("read", { file_path: `f${k}` })) }]);
    expect(events.filter((event) => event.type === "tool_call").map((event) => event.input)).toEqual(
      Array.from({ length: 50 }, (_, k) => ({ file_path: `f${k}` })),
    );
  });

  it("reads empty arguments as {} and marks what is no JSON object, never repairing it", async () => {
    const raws = ["", "{}", '{"file_path":"a', "[1,2]", '"text"', "7"];
    const { events } = await ask(protocol, [{ parts: raws.map((raw) => ({ type: "tool", name: "read", raw })) }]);
    expect(events.filter((event) => event.type === "tool_call").map((event) => event.invalid ?? event.input)).toEqual([
      {},
      {},
      { raw: '{"file_path":"a', why: "not_json" },
      { raw: "[1,2]", why: "not_object" },
      { raw: '"text"', why: "not_object" },
      { raw: "7", why: "not_object" },
    ]);
  });

  it("shows an empty reply as what it is: an end without content", async () => {
    const { events } = await ask(protocol, [{ parts: [] }]);
    expect(gist(events)).toEqual([counted, stopped("end_turn")]);
  });

  it("ends with an announced call that never came as tool_use without a call", async () => {
    const { events } = await ask(protocol, [says("I will read it.", { stop: "tool_use" })]);
    expect(events.filter((event) => event.type === "tool_call")).toEqual([]);
    // Responses has no reason of its own: without a call in it, a reply is simply complete.
    expect(events.at(-1)).toEqual(stopped(protocol === "openai-responses" ? "end_turn" : "tool_use"));
  });

  it("tells max_tokens, refusal, an unknown reason and no reason apart", async () => {
    const endOf = async (stop: "max_tokens" | "refusal" | null | { raw: string }) => (await ask(protocol, [says("x", { stop })])).events.at(-1);
    expect(await endOf("max_tokens")).toEqual(stopped("max_tokens"));
    expect(await endOf("refusal")).toEqual(stopped("refusal"));
    expect(await endOf({ raw: "new_reason" })).toEqual({ type: "stopped", reason: { kind: "other", raw: "new_reason" } });
    expect(await endOf(null)).toEqual(stopped("none"));
  });

  it("keeps 20 000 deltas in order and whole", async () => {
    const text = Array.from({ length: 20_000 }, (_, k) => String(k % 10).repeat(100)).join("");
    const started = performance.now();
    const { events } = await ask(protocol, [{ parts: [{ type: "text", text, chunk: 100 }] }]);
    expect(gist(events)[0]).toEqual({ type: "text", delta: text });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("puts characters together that were cut between packets or between deltas", async () => {
    const text = "žluťoučký 😀 漢字 🧗‍♀️";
    const { events } = await ask(protocol, [{ parts: [{ type: "text", text, chunk: 1 }], pace: { splitBytes: 1 } }]);
    expect(gist(events)[0]).toEqual({ type: "text", delta: text });
  });

  it("reports keep-alives as bytes and nothing else", async () => {
    const { events } = await ask(protocol, [
      { parts: [{ type: "keep_alive" }, { type: "wait", ms: 20 }, { type: "keep_alive" }, { type: "wait", ms: 20 }, { type: "text", text: "x" }] },
    ]);
    expect(gist(events)[0]).toEqual({ type: "text", delta: "x" });
    expect(events.filter((event) => event.type === "bytes").length).toBeGreaterThanOrEqual(3);
  });

  it("sends the key, asks once, and never asks anything else", async () => {
    const { server } = await ask(protocol, [says("x")]);
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([`Bearer ${TEST_KEY}`]);
    expect(server.requests[0]?.seen).toMatchObject({ model: TEST_MODELS[protocol], system: "You are a test.", tools: ["read"], lastText: "hello" });
  });
});

const STATUS: readonly { readonly status: number; readonly code?: string; readonly message?: string; readonly want: Partial<ProviderFailure> }[] = [
  { status: 400, message: "tools.0: bad schema", want: { kind: "bad_request", retryable: false } },
  { status: 401, message: `invalid key ${TEST_KEY}`, want: { kind: "auth", retryable: false, message: "invalid key [hidden]" } },
  { status: 403, want: { kind: "forbidden", retryable: false } },
  { status: 404, want: { kind: "not_found", retryable: false } },
  { status: 404, message: "model: claude-none", want: { kind: "model_not_found", retryable: false } },
  { status: 408, want: { kind: "timeout", retryable: true } },
  { status: 413, want: { kind: "too_large", retryable: false } },
  { status: 429, want: { kind: "rate_limit", retryable: true } },
  { status: 429, code: "insufficient_quota", want: { kind: "quota", retryable: false } },
  { status: 500, want: { kind: "server", retryable: true } },
  { status: 503, want: { kind: "overloaded", retryable: true } },
  { status: 529, want: { kind: "overloaded", retryable: true } },
];

describe.each(PROTOCOLS)("%s: failures", (protocol) => {
  it.each(STATUS)("status $status $code is $want.kind", async ({ want, status, ...more }) => {
    const { events, server } = await ask(protocol, [fails(status, more)]);
    expect(events).toMatchObject([{ type: "failed", failure: { status, ...want } }]);
    expect(server.requests).toHaveLength(1);
  });

  it("knows an overflow by its code or its recorded words", async () => {
    const words =
      protocol === "anthropic"
        ? "prompt is too long: 213462 tokens > 200000 maximum"
        : "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens.";
    expect(await failureOf(protocol, [fails(400, { message: words })])).toMatchObject({ kind: "context_window", retryable: false });
    expect(await failureOf(protocol, [fails(400, { code: "context_length_exceeded", message: "too much" })])).toMatchObject({
      kind: "context_window",
      retryable: false,
    });
  });

  it("reads how long to wait: seconds, a date, ms, absurdly long", async () => {
    const waitOf = async (headers: Record<string, string>) => (await failureOf(protocol, [fails(429, { headers })]))?.retryAfterMs;
    expect(await waitOf({ "retry-after": "3" })).toBe(3_000);
    expect(await waitOf({ "retry-after": "86400" })).toBe(86_400_000);
    expect(await waitOf({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(1_500);
    expect(await waitOf({ "retry-after": "soon" })).toBeUndefined();
    const date = (await waitOf({ "retry-after": new Date(clock.now() + 60_000).toUTCString() })) ?? 0;
    expect(Math.abs(date - 60_000)).toBeLessThan(3_000);
  });

  const faults: readonly (readonly [string, Fault, Partial<ProviderFailure>])[] = [
    ["an error event", { kind: "error_event" }, { kind: "overloaded", retryable: true }],
    ["an error event after text", { kind: "error_event", when: "mid_stream" }, { kind: "overloaded", retryable: true }],
    ["a reset before headers", { kind: "reset", when: "before_headers" }, { kind: "network", retryable: true }],
    ["a reset after headers", { kind: "reset", when: "after_headers" }, { kind: "network", retryable: true }],
    ["a reset in the middle", { kind: "reset", when: "mid_stream" }, { kind: "network", retryable: true }],
    ["a clean end after headers", { kind: "eof", when: "after_headers" }, { kind: "network", retryable: true, code: "empty" }],
    ["a clean end in the middle", { kind: "eof", when: "mid_stream" }, { kind: "network", retryable: true, code: "eof" }],
    ["a clean end before the end marker", { kind: "eof", when: "before_end" }, { kind: "network", retryable: true, code: "eof" }],
    ["an empty body", { kind: "empty_body" }, { kind: "network", retryable: true, code: "empty" }],
    [
      "a web page",
      { kind: "html" },
      {
        kind: "protocol",
        retryable: false,
        message: "the server answered with a web page titled “Sign in” instead of a reply; check the base URL, or sign in to the network",
      },
    ],
    ["lines that are no events", { kind: "raw", lines: ["data: {not json", ""] }, { kind: "protocol", retryable: true }],
    [
      "a JSON answer with an error",
      { kind: "raw", lines: ['{"error":{"message":"no","type":"invalid_request_error"}}'] },
      { kind: "bad_request", retryable: false, message: "no" },
    ],
  ];
  it.each(faults)("%s", async (_name, fault, want) => {
    const { events } = await ask(protocol, [{ parts: [{ type: "text", text: "some text to be cut", chunk: 4 }], fault }]);
    expect(events.at(-1)).toMatchObject({ type: "failed", failure: want });
    expect(events.filter((event) => event.type === "failed" || event.type === "stopped")).toHaveLength(1);
  });

  it("never announces a call whose stream was cut inside it", async () => {
    const { events } = await ask(protocol, [
      { parts: [{ type: "tool", name: "read", input: { file_path: "a-long-file-name" }, chunk: 3 }], fault: { kind: "eof", when: "mid_stream" } },
    ]);
    expect(events.some((event) => event.type === "tool_call")).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: "failed", failure: { code: "eof" } });
  });

  it("says that nothing answers when the connection is refused", async () => {
    const server = await startModelServer({ script: [] });
    await server.close();
    const provider = await providerFor(protocol, server);
    const events = await collect(provider.stream(requestFor(protocol, "hello"), never()));
    expect(events).toMatchObject([
      {
        type: "failed",
        failure: {
          kind: "network",
          retryable: true,
          code: "ECONNREFUSED",
          message: `nothing answers at ${new URL(server.url).host}: the connection was refused (ECONNREFUSED)`,
        },
      },
    ]);
  });

  it("refuses to send a request that ends with the assistant", async () => {
    const wrong: readonly Message[] = [
      { role: "user", blocks: [{ type: "text", text: "hi" }] },
      { role: "assistant", blocks: [{ type: "text", text: "hello" }] },
    ];
    const { events, server } = await ask(protocol, [], requestFor(protocol, wrong));
    expect(events).toMatchObject([{ type: "failed", failure: { kind: "bad_request" } }]);
    expect(server.requests).toEqual([]);
  });

  it("works again after any failure", async () => {
    const { provider, server } = await ask(protocol, [{ ...says("cut"), fault: { kind: "reset", when: "mid_stream" } }, says("fine")]);
    expect(gist(await collect(provider.stream(requestFor(protocol, "hello"), never())))[0]).toEqual({ type: "text", delta: "fine" });
    expect(server.requests).toHaveLength(2);
  });
});

const HANGS: readonly Extract<Fault, { kind: "hang" }>[] = [
  { kind: "hang", when: "before_headers" },
  { kind: "hang", when: "after_headers" },
  { kind: "hang", when: "mid_stream" },
  { kind: "hang", when: "mid_stream", keepAliveMs: 10 },
  { kind: "hang", when: "before_end" },
];

async function expectSoon(what: () => boolean): Promise<void> {
  const end = performance.now() + 2_000;
  while (!what() && performance.now() < end) await clock.sleep(5);
  expect(what()).toBe(true);
}

describe.each(PROTOCOLS)("%s: abort", (protocol) => {
  it.each(HANGS)("ends at once and closes the socket while it hangs $when $keepAliveMs", async (fault) => {
    const server = await serve([{ parts: [{ type: "text", text: "begin" }], fault }]);
    const provider = await providerFor(protocol, server);
    const controller = new AbortController();
    const running = collect(provider.stream(requestFor(protocol, "hello"), controller.signal));
    await expectSoon(() => server.requests.length === 1);
    await clock.sleep(30);
    const at = performance.now();
    controller.abort();
    const events = await running;
    expect(performance.now() - at).toBeLessThan(100);
    expect(events.at(-1)).toEqual({ type: "failed", failure: { kind: "aborted", retryable: false, message: "the request was cancelled" } });
    await expectSoon(() => server.openSockets() === 0);
    expect(server.requests[0]?.abandoned).toBe(true);
  });

  it("sends nothing when it was aborted before", async () => {
    const server = await serve([says("x")]);
    const provider = await providerFor(protocol, server);
    expect(await collect(provider.stream(requestFor(protocol, "hello"), AbortSignal.abort()))).toMatchObject([
      { type: "failed", failure: { kind: "aborted" } },
    ]);
    expect(server.requests).toEqual([]);
  });

  it("stops between two events and says nothing more", async () => {
    const server = await serve([{ parts: [{ type: "text", text: "abcdefghij", chunk: 1 }] }]);
    const provider = await providerFor(protocol, server);
    const controller = new AbortController();
    const events = await collect(provider.stream(requestFor(protocol, "hello"), controller.signal), (event) => event.type === "text" && controller.abort());
    expect(events.map((event) => event.type)).toEqual(["headers", "bytes", "text", "failed"]);
  });

  it("closes the socket when its reader walks away", async () => {
    const server = await serve([{ ...says("begin"), fault: { kind: "hang", when: "before_end" } }]);
    const provider = await providerFor(protocol, server);
    for await (const event of provider.stream(requestFor(protocol, "hello"), never())) if (event.type === "text") break;
    await expectSoon(() => server.openSockets() === 0);
  });

  it("leaves no listener on the signal it was given", async () => {
    const server = await serve([says("x"), fails(500), { ...says("x"), fault: { kind: "reset", when: "mid_stream" } }]);
    const provider = await providerFor(protocol, server);
    const { signal } = new AbortController();
    for (let k = 0; k < 3; k += 1) await collect(provider.stream(requestFor(protocol, "hello"), signal));
    await expectSoon(() => getEventListeners(signal, "abort").length === 0);
  });

  it("leaves no timer behind", async () => {
    const manual = createManualClock();
    const server = await serve([says("x"), fails(500)]);
    const provider = await providerFor(protocol, server, manual);
    await collect(provider.stream(requestFor(protocol, "hello"), never()));
    await collect(provider.stream(requestFor(protocol, "hello"), never()));
    await expectSoon(() => manual.pending() === 0);
  });
});

describe.each(PROTOCOLS)("%s: hand-over", (protocol) => {
  const others = PROTOCOLS.filter((other) => other !== protocol);

  it.each(others)("takes over a history that %s made, without its thinking, and gives it back", async (other) => {
    const first = await ask(other, [
      { parts: [{ type: "thinking", text: "secret thoughts", signature: "SIG" }, callPart("read", { file_path: "a" }, "functions.read:0")] },
    ]);
    const history: readonly Message[] = [
      { role: "user", blocks: [{ type: "text", text: "go" }] },
      { role: "assistant", blocks: gist(first.events).flatMap(asBlock) },
      { role: "user", blocks: [{ type: "tool_result", id: callId("functions.read:0"), content: [], isError: false }] },
    ];
    const second = await ask(protocol, [says("taken over")], requestFor(protocol, history));
    expect(gist(second.events)[0]).toEqual({ type: "text", delta: "taken over" });
    expect(JSON.stringify(second.server.requests[0]?.body)).not.toContain("secret thoughts");
    const again = await collect(first.provider.stream(requestFor(other, history), never()));
    expect(again.at(-1)?.type).toBe("failed");
    const ownAgain = JSON.stringify(first.server.requests[1]?.body);
    expect(ownAgain.includes("SIG")).toBe(other !== "openai-chat");
  });

  it("drops thinking of another model of the same provider", async () => {
    const by = { provider: providerIdOf(protocol), model: "another-model" };
    const history: readonly Message[] = [
      { role: "user", blocks: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        blocks: [
          { type: "thinking", text: "old thoughts", signature: "S", by },
          { type: "opaque", by, data: "old-data" },
          { type: "text", text: "done" },
        ],
      },
      { role: "user", blocks: [{ type: "text", text: "more" }] },
    ];
    const { server } = await ask(protocol, [says("ok")], requestFor(protocol, history));
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/old thoughts|old-data/);
  });
});

function callId(text: string) {
  return CallId.parse(text);
}

function asBlock(event: ModelEvent): readonly Message["blocks"][number][] {
  if (event.type === "block") return [event.block];
  if (event.type === "text") return [{ type: "text", text: event.delta }];
  return event.type === "tool_call"
    ? [{ type: "tool_use", id: callId(event.id), name: event.name, input: event.input, ...(event.item === undefined ? {} : { item: event.item }) }]
    : [];
}
