import { afterEach, describe, expect, it, vi } from "vitest";
import type { Message } from "#shared/chat/blocks.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { TEST_KEY, collect, configFor, gist, providerFor, requestFor } from "#electron/testkit/provider-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { type Script, fails, says } from "#electron/testkit/server/script.ts";
import type { ProviderConfig } from "./contract.ts";
import { createProvider } from "./create-provider.ts";

const servers: ModelServer[] = [];

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const clock = createSystemClock();
const signal = () => new AbortController().signal;

async function firstFailure(config: Partial<ProviderConfig>) {
  const provider = await createProvider({ id: "anthropic", apiKey: undefined, baseUrl: undefined, fetch: undefined, contextWindows: {}, ...config }, { clock });
  const events = await collect(provider.stream(requestFor("anthropic", "x"), signal()));
  expect(events).toHaveLength(1);
  return events[0]?.type === "failed" ? events[0].failure : undefined;
}

describe("a provider that cannot work", () => {
  it("says so on the first request, with what to do, and asks no server", async () => {
    expect(await firstFailure({})).toEqual({ kind: "auth", retryable: false, code: "no_key", message: "no API key for api.anthropic.com is set" });
    expect(await firstFailure({ id: "openai" })).toMatchObject({ kind: "auth", code: "no_key" });
    expect(await firstFailure({ apiKey: "two words" })).toMatchObject({ kind: "auth", code: "bad_key" });
    expect(await firstFailure({ apiKey: "k", baseUrl: "not an address" })).toMatchObject({ kind: "bad_request", code: "base_url" });
  });
});

describe("what is sent", () => {
  it("needs no key for a server of one's own", async () => {
    const server = await serve([says("x")]);
    const provider = await createProvider({ ...configFor("openai-chat", server.url), apiKey: undefined }, { clock });
    expect(gist(await collect(provider.stream(requestFor("openai-chat", "x"), signal())))[0]).toEqual({ type: "text", delta: "x" });
  });

  it("takes nothing from the environment", async () => {
    for (const [name, value] of Object.entries({
      ANTHROPIC_API_KEY: "env-key",
      ANTHROPIC_AUTH_TOKEN: "env-token",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_CUSTOM_HEADERS: "X-Env: leaked\nAuthorization: Bearer env-key",
      OPENAI_API_KEY: "env-key",
      OPENAI_BASE_URL: "http://127.0.0.1:9",
      OPENAI_ORG_ID: "env-org",
      OPENAI_PROJECT_ID: "env-project",
      OPENAI_CUSTOM_HEADERS: "X-Env: leaked\nAuthorization: Bearer env-key",
    })) {
      vi.stubEnv(name, value);
    }
    for (const protocol of ["anthropic", "openai-responses"] as const) {
      const server = await serve([says("x")]);
      const provider = await providerFor(protocol, server);
      await collect(provider.stream(requestFor(protocol, "x"), signal()));
      const headers = server.requests[0]?.headers ?? {};
      expect(headers.authorization).toBe(`Bearer ${TEST_KEY}`);
      expect(JSON.stringify(headers)).not.toMatch(/leaked|env-/);
    }
  });

  it("goes through the fetch it was given, aborts included", async () => {
    const server = await serve([says("x")]);
    const urls: string[] = [];
    const config: ProviderConfig = {
      ...configFor("anthropic", server.url),
      fetch: (input, init) => {
        urls.push(input instanceof Request ? input.url : String(input));
        expect(init?.signal).toBeInstanceOf(AbortSignal);
        return fetch(input, init);
      },
    };
    const provider = await createProvider(config, { clock });
    await collect(provider.stream(requestFor("anthropic", "x"), signal()));
    expect(urls).toEqual([`${server.url}/v1/messages`]);
  });

  it("asks the vendor's own server, with the beta that lets it drop thinking it cannot check", async () => {
    const seen: { url: string; beta: string | null; drops: boolean }[] = [];
    const provider = await createProvider(
      {
        id: "anthropic",
        apiKey: "k",
        baseUrl: undefined,
        contextWindows: {},
        fetch: async (input, init) => {
          const url = input instanceof Request ? input.url : input.toString();
          seen.push({ url, beta: new Headers(init?.headers).get("anthropic-beta"), drops: (await new Response(init?.body).text()).includes("drop_block") });
          return new Response("", { status: 500 });
        },
      },
      { clock },
    );
    await collect(provider.stream(requestFor("anthropic", "x"), signal()));
    expect(seen).toMatchObject([{ url: "https://api.anthropic.com/v1/messages", beta: "thinking-binding-controls-2026-08-01", drops: true }]);
  });
});

describe("learning from a refusal", () => {
  it("sends no thinking any more to a server that refused its own, so the session lives on", async () => {
    const server = await serve([
      fails(400, { message: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation." }),
      says("back again"),
    ]);
    const provider = await providerFor("anthropic", server);
    const by = { provider: "anthropic", model: "claude-sonnet-5-5" };
    const history: readonly Message[] = [
      { role: "user", blocks: [{ type: "text", text: "a" }] },
      {
        role: "assistant",
        blocks: [
          { type: "thinking", text: "t", signature: "SIG", by },
          { type: "text", text: "b" },
        ],
      },
      { role: "user", blocks: [{ type: "text", text: "c" }] },
    ];
    const first = await collect(provider.stream(requestFor("anthropic", history), signal()));
    expect(first.at(-1)).toMatchObject({ type: "failed", failure: { kind: "bad_request", status: 400, learned: true } });
    const second = await collect(provider.stream(requestFor("anthropic", history), signal()));
    expect(gist(second)[0]).toEqual({ type: "text", delta: "back again" });
    expect(server.requests.map((request) => JSON.stringify(request.body).includes("SIG"))).toEqual([true, false]);
  });

  it("does without the usage chunk where it is not known", async () => {
    const server = await serve([fails(400, { message: "Unrecognized request argument supplied: stream_options" }), says("ok")]);
    const provider = await providerFor("openai-chat", server);
    await collect(provider.stream(requestFor("openai-chat", "x"), signal()));
    await collect(provider.stream(requestFor("openai-chat", "x"), signal()));
    expect(server.requests.map((request) => JSON.stringify(request.body).includes("stream_options"))).toEqual([true, false]);
  });
});

describe("a server that does not close after its last word", () => {
  it("is not waited for long once the reply is complete", async () => {
    const manual = createManualClock();
    const lines = ['data: {"choices":[{"delta":{"content":"done"},"finish_reason":"stop"}]}', ""];
    const server = await serve([{ fault: { kind: "raw", lines, end: "hang" } }]);
    const provider = await providerFor("openai-chat", server, manual);
    const running = collect(provider.stream(requestFor("openai-chat", "x"), signal()));
    await vi.waitFor(() => expect(manual.pending()).toBeGreaterThan(0));
    await manual.advance(5_000);
    expect(gist(await running)).toEqual([
      { type: "text", delta: "done" },
      { type: "stopped", reason: { kind: "end_turn" } },
    ]);
    await manual.advance(2_000);
    expect(manual.pending()).toBe(0);
  });
});
