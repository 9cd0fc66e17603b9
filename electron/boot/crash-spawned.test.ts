// The built command killed in the middle of a call, then gone on with: what the model is told of the call, and what is on the disk (S2).
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUILT, type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

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

/** Hangs with a mark on the disk, so that the kill comes at a known place. */
const HANG = "echo $$ > mark.txt; sleep 8";
const hangAfter = (matcher: string) => ({ PostToolUse: [{ matcher, hooks: [{ command: HANG, timeout: 100 }] }] });

async function start(words: readonly string[], hooks: object): Promise<ChildProcess> {
  const settings = join(at.cwd, "../settings.json");
  await writeFile(settings, JSON.stringify({ hooks }));
  const model = ["--provider", "anthropic", "--base-url", server?.url ?? "", "--model", "m", "--permission-mode", "bypass"];
  const argv = [join(BUILT, "headless/index.cjs"), ...words, ...model, "--settings", settings, "--cwd", at.cwd, "--data-dir", at.dataDir];
  const env = { PATH: process.env["PATH"], HOME: join(at.cwd, ".."), ANTHROPIC_API_KEY: "sk-ant-test-0123456789" };
  return spawn(process.execPath, argv, { env, stdio: ["ignore", "ignore", "pipe"] });
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));

async function killAtMark(child: ChildProcess): Promise<void> {
  const end = ended(child);
  for (let tries = 0; tries < 600; tries++) {
    const pid = Number((await readFile(join(at.cwd, "mark.txt"), "utf8").catch(() => "")).trim());
    if (pid > 0) {
      child.kill("SIGKILL");
      await end;
      return;
    }
    await sleep(20);
  }
  throw new Error("the call never came to its mark");
}

describe.skipIf(process.platform === "win32")("killed in the middle of a call", () => {
  it.each([
    [
      "a command: its outcome is unknown",
      { name: "bash", input: { command: HANG } },
      {},
      /outcome is unknown: part of it may have happened\. Check before you repeat it/,
      "one\n",
    ],
    [
      "a file that was written: it was done",
      { name: "write", input: { file_path: "a.txt", content: "two\n" } },
      hangAfter("write"),
      /it was done: the file holds exactly what it was to write\. Do not repeat it/,
      "two\n",
    ],
    ["a look: it may be done again", { name: "ls", input: {} }, hangAfter("ls"), /It only reads, so it changed nothing/, "one\n"],
  ])("%s", async (_, { name, input }, hooks, told, content) => {
    await writeFile(join(at.cwd, "a.txt"), "one\n");
    server = await startModelServer({
      script: (_request, n) => (n === 0 ? calls("read", { file_path: "a.txt" }) : n === 1 ? calls(name, input) : says("done")),
    });
    await killAtMark(await start(["-p", "go"], hooks));
    expect(await ended(await start(["-p", "and now?", "--continue"], {}))).toBe(0);
    expect(server.requests.length).toBe(3);
    expect(JSON.stringify(server.requests[2])).toMatch(told);
    expect(await readFile(join(at.cwd, "a.txt"), "utf8")).toBe(content);
    server.assertClean();
  });
});
