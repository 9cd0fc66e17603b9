import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { createSystemClock } from "./clock.ts";
import { createProcessTable } from "./process-tree.ts";
import { createProcessRunner, type SpawnRequest, type SpawnResult } from "./spawn.ts";

const table = createProcessTable();
const runner = createProcessRunner({ clock: createSystemClock(), table });
const bash = (command: string, more: Partial<SpawnRequest> = {}): SpawnRequest => ({
  file: "bash",
  args: ["-c", command],
  env: childEnvironment(process.env),
  timeoutMs: 5_000,
  maxOutputBytes: 1_000,
  mark: randomUUID(),
  graceMs: 300,
  ...more,
});
const ended = (more: Partial<SpawnResult> = {}) => ({
  kind: "ended",
  exitCode: 0,
  signal: null,
  stdout: "",
  stderr: "",
  cut: false,
  endedBy: undefined,
  survivors: [],
  ...more,
});

describe.runIf(process.platform !== "win32")("running a program", () => {
  it.each<[string, SpawnRequest, Partial<SpawnResult>]>([
    [
      "hands it its input and both outputs back",
      bash("cat; echo err >&2; exit 3", { input: '{"a":"ü"}' }),
      { exitCode: 3, stdout: '{"a":"ü"}', stderr: "err\n" },
    ],
    ["gives it an empty stdin otherwise", bash("cat; echo end"), { stdout: "end\n" }],
    ["keeps the beginning of long output and says that it was cut", bash("head -c 500000 /dev/zero | tr '\\0' a"), { stdout: "a".repeat(1_000), cut: true }],
    ["is not hurt by a program that does not read its input", bash("exec <&-; exit 0", { input: "x".repeat(1_000_000) }), {}],
    ["names the signal that ended it", bash("kill -9 $$"), { exitCode: null, signal: "SIGKILL" }],
    ["does not wait for a child that keeps the pipes open (F03)", bash("sleep 1.5 & echo done"), { stdout: "done\n" }],
  ])("%s", async (_name, request, result) => {
    expect(await runner.run(request)).toEqual(ended(result));
  });

  it("says why a program could not be started", async () => {
    expect(await runner.run(bash("", { file: "/nonexistent/tool" }))).toEqual({ kind: "failed", message: "spawn /nonexistent/tool ENOENT" });
    expect(await runner.run(bash("", { args: ["a\0b"] }))).toMatchObject({ kind: "failed" });
  });

  it("ends everything on time-out, also what ignores TERM or left the group (F01)", async () => {
    const request = bash('trap "" TERM; (setsid sleep 96 &); echo begun; sleep 95', { timeoutMs: 200 });
    const result = await runner.run(request);
    expect(result).toMatchObject({ kind: "ended", stdout: "begun\n", endedBy: "timeout", survivors: [] });
    const left = await Promise.all((await table.list()).map((one) => table.hasMark(one.pid, request.mark)));
    expect(left.includes(true)).toBe(false);
  });

  it("ends at once when it is stopped, and does not begin when it already was", async () => {
    const controller = new AbortController();
    const running = runner.run(bash("echo begun; sleep 94"), controller.signal);
    await createSystemClock().sleep(100);
    controller.abort();
    expect(await running).toMatchObject({ kind: "ended", stdout: "begun\n", endedBy: "abort" });
    expect(await runner.run(bash("echo x"), controller.signal)).toMatchObject({ kind: "failed" });
  });

  it.runIf(process.platform === "linux")("leaves no descriptor open", async () => {
    await runner.run(bash("true"));
    const before = (await readdir("/proc/self/fd")).length;
    for (let k = 0; k < 10; k += 1) await runner.run(bash("sleep 0.2 & echo x", { input: "y" }));
    await runner.run(bash("", { file: "/nonexistent/tool" }));
    // Closing is asynchronous.
    await createSystemClock().sleep(50);
    expect((await readdir("/proc/self/fd")).length).toBeLessThanOrEqual(before);
  });
});
