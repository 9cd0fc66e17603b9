// A key is nowhere but where it is kept (R3): not in requests, logs, exports, results on the disk, or what is printed.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { createReporter } from "./report.ts";

const KEY = "sk-ant-a1b2c3d4e5f6g7h8i9j0";
/** Not the app's own: known by its shape. */
const OTHER = "ghp_a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8";
let at: HeadlessFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await headlessFixture();
});
afterEach(async () => {
  await server?.close();
  await at.end();
});

async function filesWithKeys(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, "latin1") })));
  return texts.filter(({ text }) => text.includes(KEY) || text.includes(OTHER)).map(({ file }) => file);
}
const hold = (texts: readonly string[]) => [texts.some((text) => text.includes(KEY)), texts.some((text) => text.includes(OTHER))];

it("a key in a prompt, a reply, a result, a hook's words or an instruction file reaches neither model nor disk nor export", async () => {
  const settings = join(at.cwd, "..", "hooks.json");
  const hooks = {
    UserPromptSubmit: [{ hooks: [{ command: `echo 'hook ${OTHER}'` }] }],
    Stop: [{ hooks: [{ command: `echo '{"systemMessage":"${OTHER}"}'` }] }],
  };
  await writeFile(settings, JSON.stringify({ hooks }));
  await writeFile(join(at.cwd, "AGENTS.md"), `token ${OTHER}`);
  await writeFile(join(at.cwd, "long.txt"), `${OTHER} ${KEY}\n${"words and words\n".repeat(4_000)}`);
  server = await startModelServer({
    script: [calls("bash", { command: `printf '%s%s' ${KEY.slice(0, 12)} ${KEY.slice(12)}; cat long.txt` }), says(`It is ${KEY} and ${OTHER}.`), says("two")],
  });
  const model = ["--provider", "anthropic", "--base-url", server.url, "--model", "test-model", "--settings", settings];
  const run = { env: { ANTHROPIC_API_KEY: KEY } };
  const ran = await at.run(["-p", `use ${KEY} and ${OTHER}`, ...model, "--output-format", "stream-json", "--permission-mode", "bypass"], run);
  expect(ran.code).toBe(0);
  await at.run(["-p", "more", "--continue", ...model], run);
  expect(hold(server.requests.map((request) => JSON.stringify(request.body)))).toEqual([false, false]);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("use [secret] and [secret]");
  // The whole output of a command is the person's own, for them alone; what is read of it is masked.
  expect((await filesWithKeys(at.dataDir)).filter((file) => !/results.bash-/.test(file))).toEqual([]);
  expect(hold([ran.out, ran.err])).toEqual([false, false]);
  expect(ran.err).toContain("A key in your message was masked");
  server.assertClean();
});

it("an export masks what an older session still holds", async () => {
  server = await startModelServer({ script: [says("one")] });
  const model = ["--provider", "anthropic", "--base-url", server.url, "--model", "test-model"];
  await at.run(["-p", "first", ...model]);
  const [id = ""] = await readdir(join(at.dataDir, "sessions"));
  const log = join(at.dataDir, "sessions", id, "log.jsonl");
  await writeFile(log, (await readFile(log, "utf8")).replaceAll("first", `first ${KEY} ${OTHER}`));
  const texts = [await at.run(["sessions", "export", id]), await at.run(["sessions", "export", id, "--output-format", "json"])].map((ran) => ran.out);
  expect([hold(texts), texts.map((text) => text.includes("first [secret] [secret]"))]).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(() => void JSON.parse(texts[1] ?? "")).not.toThrow();
});

it("the app's own log has no key, and not the name of the person's home (O3)", async () => {
  const folder = join(at.cwd, "logs");
  await mkdir(folder);
  const report = createReporter(join(folder, "x.log"), "/home/somebody");
  report(`it broke at /home/somebody/work/a.ts with ${OTHER}`);
  await expect.poll(() => readFile(join(folder, "x.log"), "utf8").catch(() => "")).toMatch(/ it broke at ~\/work\/a\.ts with \[secret\]\n$/);
});
