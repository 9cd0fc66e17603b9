// The built command as a process of its own: signals, slow readers and readers that go away (L17, L25).
import { type ChildProcess, spawn } from "node:child_process";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUILT, type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, says, type Script } from "#electron/testkit/server/script.ts";

const POLL_MS = 20;
const LONG = { text: "y".repeat(2_000_000), chunk: 100 };

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

async function start(script: Script, stdout: "pipe" | number = "pipe"): Promise<ChildProcess> {
  server = await startModelServer({ script });
  const model = ["--provider", "anthropic", "--base-url", server.url, "--model", "m", "--permission-mode", "bypass"];
  const argv = [join(BUILT, "headless/index.cjs"), "-p", "go", ...model, "--cwd", at.cwd, "--data-dir", at.dataDir];
  const env = { PATH: process.env["PATH"], HOME: join(at.cwd, ".."), ANTHROPIC_API_KEY: "sk-ant-test-0123456789" };
  return spawn(process.execPath, argv, { env, stdio: ["ignore", stdout, "pipe"] });
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));

async function pidIn(file: string): Promise<number> {
  for (let tries = 0; tries < 400; tries++) {
    const found = Number((await readFile(file, "utf8").catch(() => "")).trim());
    if (found > 0) return found;
    await sleep(POLL_MS);
  }
  throw new Error("the command never began");
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && lives(pid); tries++) await sleep(POLL_MS);
  return !lives(pid);
}

describe("the built command", () => {
  it("hands over every byte of a long reply to a reader that begins late", async () => {
    const child = await start([{ parts: [{ type: "text", ...LONG }] }]);
    const code = ended(child);
    await sleep(3_000);
    let bytes = 0;
    child.stdout?.on("data", (chunk: Buffer) => (bytes += chunk.length));
    expect([await code, bytes]).toEqual([0, LONG.text.length + 1]);
  });

  it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)("%s during a command ends with 130 and leaves no child", async (signal) => {
    const child = await start((_request, n) => (n === 0 ? calls("bash", { command: "echo $$ > pid.txt; sleep 60; true" }) : says("done")));
    const code = ended(child);
    const pid = await pidIn(join(at.cwd, "pid.txt"));
    child.kill(signal);
    expect([await code, await gone(pid)]).toEqual([130, true]);
    server?.assertClean();
  });

  it("a reader that goes away neither hangs nor crashes it", async () => {
    const child = await start([{ parts: [{ type: "text", ...LONG }] }]);
    const code = ended(child);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.destroy();
    expect([await code, said]).toEqual([0, ""]);
  });

  it.skipIf(process.platform !== "linux")("holds no more open files after forty commands and reads than after twenty", async () => {
    await writeFile(join(at.cwd, "a.txt"), "alpha\n".repeat(50));
    const open = async (pid: number | undefined) => (await readdir(`/proc/${pid}/fd`)).length;
    const counts: Promise<number>[] = [];
    const made: { child?: ChildProcess } = {};
    made.child = await start((_request, n) => {
      counts.push(open(made.child?.pid));
      if (n >= 20) return says("done");
      return { parts: [callPart("bash", { command: `echo ${n}` }), callPart("read", { file_path: "a.txt", offset: n + 1, limit: 1 })] };
    });
    expect(await ended(made.child)).toBe(0);
    const seen = await Promise.all(counts);
    expect(seen.length).toBe(21);
    // What is opened when first needed (stores, workers) is open by then.
    expect(Math.max(...seen.slice(14)) - Math.max(...seen.slice(4, 14))).toBeLessThanOrEqual(2);
  });

  it.skipIf(process.platform !== "linux")("a result that a full disk swallowed is not a success", async () => {
    const full = await open("/dev/full", "w");
    const child = await start([says("the answer")], full.fd);
    const code = ended(child);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    expect([await code, said]).toEqual([1, expect.stringMatching(/could not be written: .*ENOSPC/)]);
    await full.close();
  });
});
