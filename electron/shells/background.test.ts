import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CallId, SessionId } from "#shared/lib/ids.ts";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createBackgroundShells } from "./background.ts";
import type { BackgroundShell, BackgroundShells, ShellRunner } from "./contract.ts";
import { createShellRunner } from "./create-runner.ts";
import { programOf } from "./shell-program.ts";

const clock = createSystemClock();
const session = SessionId.parse("s");
const call = CallId.parse("c");
let dir = "";
let runner: ShellRunner;
let shells: BackgroundShells;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "background-"));
  runner = createShellRunner({ clock, shell: programOf("/bin/bash"), environment: () => childEnvironment(process.env) });
  shells = createBackgroundShells(runner);
});
afterEach(async () => {
  await runner.close();
  await rm(dir, { recursive: true, force: true });
});
const place = (name: string) => ({ cwd: dir, spoolFile: path.join(dir, `${name}.txt`) });
async function start(command: string): Promise<BackgroundShell> {
  const started = await shells.start(session, { command, ...place("bg") });
  if (started.kind === "failed") throw new Error(started.message);
  return started.shell;
}
const until = async (holds: () => boolean) => {
  while (!holds()) await clock.sleep(10);
};

describe.runIf(process.platform === "linux")("background shells", () => {
  it("have ids of their session, are found by them, and told when they end", async () => {
    const heard: string[] = [];
    const listening = shells.follow((whose) => void heard.push(whose));
    const one = await start("exit 3");
    await start("sleep 60");
    await until(() => heard.length > 2);
    listening[Symbol.dispose]();
    expect([
      heard,
      shells.list(session).map((shell) => shell.id),
      shells.find(session, "shell_1") === one,
      shells.find(SessionId.parse("t"), "shell_1"),
    ]).toEqual([["s", "s", "s"], ["shell_1", "shell_2"], true, undefined]);
    expect(one.run.result).toMatchObject({ exitCode: 3 });
  });

  it("tell once of those that ended unread", async () => {
    const [one, two] = [await start("exit 3"), await start("echo two")];
    await start("sleep 60");
    await Promise.all([one.run.done, two.run.done]);
    await shells.readNew(two);
    expect([shells.takeEnded(session), shells.takeEnded(session), shells.takeEnded(SessionId.parse("t"))]).toEqual([[one], [], []]);
  });

  it("give each part of their output once, also to two readers at once", async () => {
    const shell = await start('stty -echo; echo one; read -r x; echo "two $x"');
    let seen = "";
    while (!seen.includes("one")) {
      seen += await shells.readNew(shell);
      await clock.sleep(5);
    }
    shell.run.write("y\n");
    await shell.run.done;
    const parts = await Promise.all([shells.readNew(shell), shells.readNew(shell)]);
    expect([seen, parts.join("")]).toEqual(["one\n", "two y\n"]);
  });

  it("take over a foreground call when the person sends it there, once", async () => {
    const started = await runner.start({ command: "echo begun; sleep 0.4; echo over", session, ...place("fg"), timeoutMs: 200 });
    if (started.kind === "failed") throw new Error(started.message);
    const offer = shells.offer(call, started.run);
    expect([shells.moveToBackground(call), shells.moveToBackground(call)]).toEqual([true, false]);
    const shell = await offer.moved;
    expect(await shell.run.done).toMatchObject({ timedOut: false, exitCode: 0 });
    expect(await shells.readNew(shell)).toBe("begun\nover\n");
  });

  it("do not take over what has ended or was not offered", async () => {
    const started = await runner.start({ command: "true", session, ...place("fg") });
    if (started.kind === "failed") throw new Error(started.message);
    await started.run.done;
    const offer = shells.offer(call, started.run);
    expect([shells.moveToBackground(call), shells.moveToBackground(CallId.parse("other"))]).toEqual([false, false]);
    offer[Symbol.dispose]();
    expect(shells.list(session)).toEqual([]);
  });
});
