// What a turn did to the tests, and calls that lead nowhere, through the whole engine (L16).
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
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

async function run(script: (n: number) => ScriptedReply, more: readonly string[] = []) {
  server = await startModelServer({ script: (_request, n) => script(n) });
  return at.run(["-p", "go", "--permission-mode", "bypass", "--provider", "anthropic", "--base-url", server.url, "--model", "m", ...more]);
}
const json = ["--output-format", "json"];
const Facts = z.object({ facts: z.array(z.object({ key: z.string() })).optional() });
const factsOf = (out: string) => (Facts.parse(JSON.parse(out)).facts ?? []).map((fact) => fact.key.replace("notices.", ""));
const bash = (command: string) => calls("bash", { command, description: "x" });
const TEST = "test/a.test.ts";
const CASES = `it("a", () => {\n  expect(a).toBe(1);\n});\nit("b", () => {\n  expect(b).toBe(2);\n});\n`;

describe("what a turn did to the tests", () => {
  beforeEach(async () => {
    await mkdir(join(at.cwd, "test"));
    await writeFile(join(at.cwd, TEST), CASES);
    await writeFile(join(at.cwd, "a.ts"), "export const a = 1;\n");
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["a command that deletes assertions", [`sed -i '/expect/d' ${TEST}`], ["fact_touched_tests", "fact_fewer_assertions"]],
    ["a command that skips", [`sed -i 's/^it(/it.skip(/' ${TEST}`], ["fact_touched_tests", "fact_skips_added"]],
    ["a command that deletes the file", [`rm ${TEST}`], ["fact_touched_tests", "fact_fewer_assertions", "fact_fewer_tests"]],
    ["a weakening that was taken back", [`cp ${TEST} keep && sed -i '/expect/d' ${TEST}`, `mv keep ${TEST}`], []],
    ["a command that touches other files", ["echo 'export const b = 2;' >> a.ts"], []],
    ["no change at all", ["true"], []],
  ])("%s", async (_name, commands, facts) => {
    const ran = await run((n) => (commands[n] === undefined ? says("Done.") : bash(commands[n])), json);
    expect([ran.code, factsOf(ran.out)]).toEqual([0, facts]);
  });

  it("an edit is counted once, also when a command ran beside it", async () => {
    const edit = calls("edit", { file_path: TEST, old_string: "  expect(a).toBe(1);\n", new_string: "" });
    const ran = await run((n) => [calls("read", { file_path: TEST }), edit, bash("true")][n] ?? says("Done."), json);
    expect(factsOf(ran.out)).toEqual(["fact_touched_tests", "fact_fewer_assertions"]);
  });
});

describe("calls that lead nowhere", () => {
  it("the same edit that matches nothing ends the run with the brake's code", async () => {
    await writeFile(join(at.cwd, "a.txt"), "alpha\n");
    const edit = calls("edit", { file_path: "a.txt", old_string: "beta", new_string: "gamma" });
    const ran = await run((n) => (n === 0 ? calls("read", { file_path: "a.txt" }) : edit));
    expect([ran.code, server?.requests.length]).toEqual([EXIT.brake, 6]);
    expect(ran.err).toMatch(/edit, 5 times/);
  });

  it("broad detection speaks only when it is wanted", async () => {
    const file = join(at.cwd, "..", "broad.json");
    await writeFile(file, JSON.stringify({ broadLoopDetection: true }));
    const greps = (n: number) => (n < 8 ? bash(`grep -c word${n} nothing-${n} || true`) : says("Done."));
    const told = () => server?.requests.some((request) => JSON.stringify(request.body).includes("calls of the same kind"));
    await run(greps);
    expect(told()).toBe(false);
    await server?.close();
    await run(greps, ["--settings", file]);
    expect(told()).toBe(true);
  });
});
