import { closeSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import * as nodePty from "node-pty";
import { afterEach, describe, expect, it } from "vitest";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createPtyHost } from "./create-pty-host.ts";
import type { Pty, PtySpec } from "./pty.ts";

const clock = createSystemClock();
const host = createPtyHost(clock);
const opened: Pty[] = [];
afterEach(async () => {
  for (const pty of opened.splice(0)) {
    try {
      process.kill(-pty.pid, "SIGKILL");
    } catch {
      // ended by itself
    }
    await pty.dispose();
  }
});

async function open(command: string, more: Partial<PtySpec> = {}): Promise<{ pty: Pty; text: () => string; size: () => number }> {
  const chunks: Buffer[] = [];
  const outcome = await host.open(
    { file: "bash", args: ["-c", command], cwd: "/", env: childEnvironment(process.env), input: "none", ...more },
    (chunk) => void chunks.push(Buffer.from(chunk)),
  );
  if (outcome.kind === "failed") throw new Error(outcome.message);
  opened.push(outcome.pty);
  return {
    pty: outcome.pty,
    text: () => Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n"),
    size: () => chunks.reduce((sum, one) => sum + one.length, 0),
  };
}
const terminalFds = async () => {
  const fds = await readdir("/proc/self/fd");
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return links.filter((link) => /ptmx|\/pts\//.test(link)).length;
};

describe.runIf(process.platform === "linux")("a terminal nobody can type in", () => {
  it("looks like a terminal to what is printed, has an empty stdin and no /dev/tty (F04)", async () => {
    const { pty, text } = await open("test -t 1 && test -t 2 && echo tty; test -t 0 || echo no-stdin; read x || echo eof; : </dev/tty");
    await pty.exited;
    await pty.drain();
    expect(text()).toMatch(/^tty\nno-stdin\neof\nbash: .*\/dev\/tty: No such device or address\n$/);
  });

  it("hands on every byte printed before the exit, also when a child keeps the terminal", async () => {
    for (const command of ["seq 1 60000", "sleep 5 & seq 1 60000"]) {
      const { pty, text } = await open(command);
      const exit = await pty.exited;
      await pty.drain();
      expect([exit, text().split("\n").length, text().endsWith("60000\n")]).toEqual([{ exitCode: 0, signal: null }, 60_001, true]);
    }
  });

  it("tells exit codes and signals", async () => {
    const code = await open("exit 7");
    const signal = await open("kill -TERM $$");
    expect([await code.pty.exited, await signal.pty.exited]).toEqual([
      { exitCode: 7, signal: null },
      { exitCode: null, signal: "SIGTERM" },
    ]);
  });

  it("is closed once the last background child has let go", async () => {
    const { pty, text } = await open("(sleep 0.3; echo late) & echo early");
    await pty.exited;
    await pty.drain();
    const before = text();
    await pty.closed;
    expect([before, text()]).toEqual(["early\n", "early\nlate\n"]);
  });

  it("gives a child no descriptor but its own three", async () => {
    await open("sleep 5");
    const { pty, text } = await open('for f in /proc/$$/fd/*; do l=$(readlink "$f"); case "$l" in *ptmx*|*/pts/*) echo "${f##*/}";; esac; done');
    await pty.exited;
    await pty.drain();
    expect(text()).toBe("1\n2\n");
  });

  it.runIf(process.platform === "linux")("hands on no descriptor of this process, whoever opened it", async () => {
    const foreign = nodePty.native.open(80, 24);
    try {
      const { pty, text } = await open('for f in /proc/$$/fd/*; do l=$(readlink "$f"); case "$l" in *ptmx*) echo "${f##*/}";; esac; done');
      await pty.exited;
      await pty.drain();
      expect(text()).toBe("");
    } finally {
      closeSync(foreign.master);
      closeSync(foreign.slave);
    }
  });
});

describe.runIf(process.platform === "linux")("a terminal with input", () => {
  it("is the controlling one: answers reach the program, Ctrl-C interrupts it, its size can change", async () => {
    const { pty, text } = await open(
      'stty -echo; trap "echo int; over=1" INT; echo ready; read -r a </dev/tty; echo "got $a"; stty size; until [ "$over" ]; do sleep 0.05; done; read -r b; stty size; echo "b $b"',
      { input: "terminal", size: { columns: 90, rows: 30 } },
    );
    const shows = async (part: string) => {
      while (!text().includes(part)) await clock.sleep(10);
    };
    await shows("ready");
    pty.write("üx\n");
    await shows("30 90");
    pty.resize({ columns: 100, rows: 20 });
    pty.write("\u0003");
    await shows("int");
    pty.write("two\n");
    await pty.exited;
    await pty.drain();
    expect(text()).toBe("ready\ngot üx\n30 90\nint\n20 100\nb two\n");
  });

  it("loses nothing when its program ends", async () => {
    const { pty, text } = await open("seq 1 30000", { input: "terminal" });
    await pty.exited;
    await pty.drain();
    expect(text().endsWith("29999\n30000\n")).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("misuse of a terminal", () => {
  it("is harmless: late and senseless calls (F15)", async () => {
    for (let k = 0; k < 30; k += 1) {
      const { pty } = await open("exit 0", { input: "terminal" });
      await clock.sleep(k % 7);
      pty.resize({ columns: 80 + k, rows: 24 });
      pty.write("x");
      for (const size of [
        { columns: 0, rows: 0 },
        { columns: Number.NaN, rows: 24 },
        { columns: 80, rows: -1 },
        { columns: 100_000, rows: 100_000 },
      ])
        pty.resize(size);
      await Promise.all([pty.dispose(), pty.dispose()]);
      pty.write("late");
      pty.resize({ columns: 80, rows: 24 });
      pty.pause();
      pty.resume();
    }
    expect(await terminalFds()).toBe(0);
  });

  it("says why a program or folder cannot be had", async () => {
    const at = (more: Partial<PtySpec>) => host.open({ file: "bash", args: [], cwd: "/", env: {}, input: "none", ...more }, () => {});
    expect(await at({ file: "/nonexistent" })).toEqual({ kind: "failed", message: "spawn /nonexistent ENOENT" });
    expect(await at({ args: ["a\0b"] })).toMatchObject({ kind: "failed" });
    expect(await at({ args: ["-c", "x".repeat(200_000)] })).toMatchObject({ kind: "failed", message: "spawn E2BIG" });
  });

  it("leaks no descriptor over many terminals (F11)", async () => {
    const before = await terminalFds();
    for (let k = 0; k < 60; k += 1) {
      const { pty } = await open(k % 3 === 0 ? "sleep 30" : k % 3 === 1 ? "echo x" : "setsid sleep 3 & exit", { input: k % 2 === 0 ? "none" : "terminal" });
      if (k % 3 === 0) process.kill(-pty.pid, "SIGKILL");
      await pty.exited;
      if (k % 2 === 0) await pty.drain();
      await pty.dispose();
    }
    for (let k = 0; k < 20; k += 1) await host.open({ file: "/nonexistent", args: [], cwd: "/", env: {}, input: "none" }, () => {});
    await clock.sleep(50);
    expect(await terminalFds()).toBe(before);
  });
});
