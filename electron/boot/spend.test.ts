// Limits of money and tokens through the whole engine (L11).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { EXIT } from "./cli-output.ts";

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

/** Every reply uses 1,000 fresh tokens; the model has no known price. */
async function model(): Promise<readonly string[]> {
  const usage = { input: 900, output: 100 };
  server = await startModelServer({
    script: (request) => (request.results.length < 3 ? { ...calls("ls", {}, `c${request.results.length}`), usage } : { ...says("That is all."), usage }),
  });
  return ["--provider", "anthropic", "--base-url", server.url, "--model", "test-model", "--output-format", "json"];
}

describe("spend limits of a run", () => {
  it("a limit in tokens ends it with a summary and the limit's own code", async () => {
    const ran = await at.run(["-p", "go", "--max-spend", "2k", ...(await model())]);
    expect([ran.code, ran.err.includes("token limit")]).toEqual([EXIT.spendLimit, true]);
    expect(server?.requests.length).toBe(3);
  });

  it("a limit in money cannot count a model without a known price, and says so", async () => {
    const ran = await at.run(["-p", "go", "--max-spend", "0.01", ...(await model())]);
    expect([ran.code, ran.err.includes("test-model") && ran.err.includes("price")]).toEqual([0, true]);
  });

  it("the day's limit counts every session of the day", async () => {
    const file = join(at.cwd, "..", "given.json");
    await writeFile(file, JSON.stringify({ tokenLimit: { day: 5_000 } }));
    const args = [...(await model()), "--settings", file];
    expect((await at.run(["-p", "first", ...args])).code).toBe(0);
    const second = await at.run(["-p", "second", ...args]);
    expect([second.code, server?.requests.length]).toEqual([EXIT.spendLimit, 4 + 2]);
    const third = await at.run(["-p", "third", ...args]);
    expect([third.code, server?.requests.length]).toEqual([EXIT.spendLimit, 4 + 2 + 1]);
  });
});
