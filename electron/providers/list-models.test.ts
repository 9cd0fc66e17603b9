import { afterEach, describe, expect, it } from "vitest";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { PROTOCOLS, TEST_KEY, configFor } from "#electron/testkit/provider-run.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "#electron/testkit/server/model-server.ts";
import { testConnection } from "./list-models.ts";

const clock = createSystemClock();
const servers: ModelServer[] = [];

async function serve(options: Omit<ModelServerOptions, "script">): Promise<ModelServer> {
  const server = await startModelServer({ script: [], ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe.each(PROTOCOLS)("testing a connection: %s", (protocol) => {
  it("brings the names of models", async () => {
    const server = await serve({ models: ["b-model", "a-model"] });
    expect(await testConnection(configFor(protocol, server.url), { clock })).toEqual({ ok: true, value: { models: ["b-model", "a-model"] } });
  });

  it("says what is wrong with the key, without repeating it", async () => {
    const server = await serve({ modelsStatus: 401 });
    const tested = await testConnection(configFor(protocol, server.url), { clock });
    expect(tested).toEqual({ ok: false, error: { kind: "auth", message: "invalid key" } });
    expect(JSON.stringify(tested)).not.toContain(TEST_KEY);
  });

  it("says that nothing answers", async () => {
    const server = await serve({});
    await server.close();
    expect(await testConnection(configFor(protocol, server.url), { clock })).toMatchObject({ ok: false, error: { kind: "network" } });
  });

  it("takes a server without a list for a working one", async () => {
    const server = await serve({ modelsStatus: 405 });
    expect(await testConnection(configFor(protocol, server.url), { clock })).toEqual({ ok: true, value: { models: [] } });
  });
});

describe("testing a connection", () => {
  const answering = (body: string) => testConnection({ ...configFor("openai-chat", "http://server.test"), fetch: async () => new Response(body) }, { clock });

  it("reads lists in the shapes in use", async () => {
    expect(await answering('{"models":[{"name":"llama"}]}')).toEqual({ ok: true, value: { models: ["llama"] } });
  });

  it("is not taken in by pages and other answers", async () => {
    expect(await answering("<html><title>Router</title></html>")).toEqual({
      ok: false,
      error: { kind: "protocol", message: "the server answered with a web page titled “Router” instead of a list of models; check the base URL" },
    });
    expect(await answering('{"hello":1}')).toEqual({
      ok: false,
      error: { kind: "protocol", message: "server.test answered, but not with a list of models; check the base URL" },
    });
  });

  it("gives up after a while", async () => {
    const manual = createManualClock();
    const silent = testConnection(
      {
        ...configFor("openai-chat", "http://server.test"),
        fetch: (_input, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))),
      },
      { clock: manual },
    );
    await manual.advance(20_000);
    expect(await silent).toEqual({ ok: false, error: { kind: "timeout", message: "server.test did not answer within 20 s" } });
    expect(manual.pending()).toBe(0);
  });

  it("needs no server for the demo, and no request for a missing key", async () => {
    expect(await testConnection({ ...configFor("anthropic", ""), id: "demo" }, { clock })).toEqual({ ok: true, value: { models: ["demo"] } });
    expect(await testConnection({ id: "openai", apiKey: "", baseUrl: undefined, fetch: undefined, contextWindows: {} }, { clock })).toMatchObject({
      ok: false,
      error: { kind: "auth" },
    });
  });
});
