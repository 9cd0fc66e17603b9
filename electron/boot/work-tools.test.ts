// The agent's tools over its own work through the whole engine: they run without a question and end up in the session's log.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoredEvent, type EventOf, type SessionEvent } from "#shared/events/durable.ts";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type Script } from "#electron/testkit/server/script.ts";

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

async function serve(script: Script): Promise<readonly string[]> {
  server = await startModelServer({ script });
  return ["--provider", "anthropic", "--base-url", server.url, "--model", "test-model"];
}
async function log(): Promise<readonly SessionEvent[]> {
  const root = join(at.dataDir, "sessions");
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith("events.jsonl") || name.endsWith("log.jsonl"));
  const lines = (await Promise.all(files.map((name) => readFile(join(root, name), "utf8")))).flatMap((text) => text.trim().split("\n"));
  return lines.map((line) => StoredEvent.parse(JSON.parse(line)).event);
}
async function logged<T extends SessionEvent["type"]>(type: T): Promise<readonly EventOf<T>[]> {
  return (await log()).filter((event): event is EventOf<T> => event.type === type);
}

describe("tools over the agent's own work", () => {
  it("a hypothesis is registered, held open at the end of the turn, decided, and the ledger is in the log (L13)", async () => {
    const model = await serve([
      calls("hypothesis", { action: "register", claim: "the cache is stale", falsifier: "it fails with an empty cache" }),
      says("It is the cache."),
      calls("hypothesis", { action: "confirm", id: "h1", evidence: "the log says so" }),
      says("It is the cache; the log shows it."),
    ]);
    const ran = await at.run(["-p", "why?", ...model]);
    expect([ran.code, ran.out]).toEqual([0, "It is the cache; the log shows it.\n"]);
    expect((await logged("hypotheses_changed")).map((event) => event.items.map((one) => one.state))).toEqual([["open"], ["confirmed"]]);
    expect(await logged("permission_refused")).toEqual([]);
    server?.assertClean();
  });

  it("a goal from the prompt keeps the agent at work until it is reported met (L12)", async () => {
    const model = await serve([says("I am done, I think."), calls("goal", { state: "met", evidence: "3 passed" }), says("All tests pass.")]);
    const ran = await at.run(["-p", "/goal all tests pass steps=8", ...model]);
    expect([ran.code, ran.out]).toEqual([0, "All tests pass.\n"]);
    expect((await logged("goal_changed")).map((event) => [event.goal?.state, event.goal?.used])).toEqual([
      ["open", 0],
      ["met", 0],
      ["met", 3],
    ]);
    server?.assertClean();
  });

  it("a goal whose budget is spent is let go, and the run says so", async () => {
    const model = await serve(() => says("I give up."));
    await at.run(["-p", "/goal the impossible steps=2", ...model]);
    expect(server?.requests.length).toBe(2);
    expect((await logged("goal_changed")).at(-1)?.goal).toEqual({ text: "the impossible", budget: { unit: "steps", limit: 2 }, used: 2, state: "let_go" });
    server?.assertClean();
  });

  it("prompt and tools together stay under 24 KB (T20)", async () => {
    const model = await serve([says("hello")]);
    await at.run(["-p", "hello", ...model]);
    const { tools, system } = z.looseObject({ tools: z.array(z.unknown()), system: z.unknown() }).parse(server?.requests[0]?.body);
    expect(Buffer.byteLength(JSON.stringify([tools, system]))).toBeLessThan(24_000);
  });
});
