// A server that refuses a part of the request: it is sent again without it, at once, and the session goes on (A13, L20).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, fails, says, type Script } from "#electron/testkit/server/script.ts";

let at: HeadlessFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await headlessFixture();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

async function serve(provider: "anthropic" | "openai-chat", script: Script): Promise<readonly string[]> {
  server = await startModelServer({ script });
  return ["--provider", provider, "--base-url", provider === "anthropic" ? server.url : `${server.url}/v1`, "--model", "test-model"];
}
const bodyOf = (request: { readonly body: unknown }) => JSON.stringify(request.body);
/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a picture that the server refuses (A13)", () => {
  it("is replaced by a note, the turn is answered, and so is every later one", async () => {
    await writeFile(join(at.cwd, "a.png"), Buffer.from(PNG, "base64"));
    const model = await serve("anthropic", (request, n) => {
      if (n === 0) return calls("read", { file_path: "a.png" });
      return bodyOf(request).includes('"type":"image"') ? fails(400, { message: "Could not process image" }) : says("A small picture, I think.");
    });
    const ran = await at.run(["-p", "look", ...model]);
    expect([ran.code, ran.out, server?.requests.length]).toEqual([0, "A small picture, I think.\n", 3]);
    expect(ran.err).toContain("Could not process image");
    expect(bodyOf(server?.requests[2] ?? { body: "" })).toContain("left out: the server refused it");
    // A new process learns it anew, with one request more.
    expect((await at.run(["-p", "hello", "--continue", ...model])).out).toBe("A small picture, I think.\n");
    server?.assertClean();
  });

  it("does not take with it one that was taken before", async () => {
    await writeFile(join(at.cwd, "a.png"), Buffer.from(PNG, "base64"));
    await writeFile(join(at.cwd, "b.png"), Buffer.concat([Buffer.from(PNG, "base64"), Buffer.from("tail")]));
    const pictures = (request: { readonly body: unknown }) => bodyOf(request).match(/"type":"image"/g)?.length ?? 0;
    const model = await serve("anthropic", (request, n) => {
      if (n < 2) return calls("read", { file_path: n === 0 ? "a.png" : "b.png" }, `c${n}`);
      return pictures(request) > 1 ? fails(400, { message: "messages.4: image exceeds the limit" }) : says("Done.");
    });
    expect((await at.run(["-p", "look", ...model])).out).toBe("Done.\n");
    expect(server?.requests.map(pictures)).toEqual([0, 1, 2, 1]);
  });
});

describe("an optional field that the server refuses", () => {
  it.each([
    ["openai-chat", "stream_options", "Unknown parameter: stream_options"],
    ["openai-chat", "prompt_cache_key", "Unrecognized request argument supplied: prompt_cache_key"],
  ] as const)("%s: %s is left out within the turn", async (provider, field, message) => {
    const model = await serve(provider, (request) => (bodyOf(request).includes(field) ? fails(400, { message }) : says("Here.")));
    const ran = await at.run(["-p", "hello", ...model]);
    if (server?.requests.every((request) => !bodyOf(request).includes(field)) === true) return; // this profile does not send it
    expect([ran.code, ran.out, server?.requests.length]).toEqual([0, "Here.\n", 2]);
  });

  it("a refusal that teaches nothing ends the turn after one request, as ever", async () => {
    const model = await serve("openai-chat", () => fails(400, { message: "no" }));
    expect([(await at.run(["-p", "hello", ...model])).code, server?.requests.length]).toEqual([1, 1]);
  });
});

describe("what a dropped attempt used", () => {
  it("counts in the session's cost and tokens", async () => {
    const usage = { input: 1_000_000, output: 1 };
    server = await startModelServer({
      script: (_request, n) =>
        n === 0 ? { parts: [{ type: "text", text: "half", chunk: 1 }], usage, fault: { kind: "eof", when: "mid_stream" } } : says("Whole.", { usage }),
    });
    const file = join(at.cwd, "..", "short.json");
    await writeFile(file, JSON.stringify({ timeouts: { backoffFirst: 5, backoffMax: 10 } }));
    const args = ["--provider", "anthropic", "--base-url", server.url, "--model", "claude-sonnet-4-5", "--settings", file, "--output-format", "json"];
    const ran = await at.run(["-p", "go", ...args]);
    const { total_cost_usd: cost } = z.object({ total_cost_usd: z.number() }).parse(JSON.parse(ran.out));
    expect([ran.code, Math.floor(cost)]).toEqual([0, 6]);
  });
});
