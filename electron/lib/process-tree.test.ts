import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createSystemClock } from "./clock.ts";
import { MARK_NAME } from "./child-environment.ts";
import { endProcesses } from "./process-end.ts";
import { createProcessTable, findKin, parsePs, parseStat, type ProcessInfo, type ProcessTable } from "./process-tree.ts";

const info = (pid: number, parent: number, more: Partial<ProcessInfo> = {}): ProcessInfo => ({
  pid,
  parent,
  group: pid,
  session: pid,
  start: `s${pid}`,
  name: `p${pid}`,
  ...more,
});
const tableOf = (all: readonly ProcessInfo[], marked: readonly number[] = []): ProcessTable => ({
  list: () => Promise.resolve(all),
  find: (pid) => Promise.resolve(all.find((one) => one.pid === pid)),
  hasMark: (pid) => Promise.resolve(marked.includes(pid)),
});

describe("reading the system's tables", () => {
  it("reads a stat line whose name has spaces and brackets", () => {
    const line = "4242 (tmux: (x) y) S 1 4240 4239 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2";
    expect(parseStat(line)).toEqual({ pid: 4242, parent: 1, group: 4240, session: 4239, start: "987654", name: "tmux: (x) y" });
  });

  it.each(["", "12", "4242 (dead) Z 1 2 3 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 1 2", "garbage) ("])("takes %j for no living process", (line) => {
    expect(parseStat(line)).toBeUndefined();
  });

  it("reads what ps prints", () => {
    const output = "  501     1   501 Ss   Mon Nov 30 23:13:01 2026 /usr/libexec/thing --a b\n  502   501   501 Z    Mon Nov 30 23:13:02 2026 (dead)\nnoise\n";
    expect(parsePs(output)).toEqual([{ pid: 501, parent: 1, group: 501, session: 0, start: "Mon Nov 30 23:13:01 2026", name: "/usr/libexec/thing --a b" }]);
  });
});

describe("the processes of one command", () => {
  const kin = { leader: 10, mark: "m", known: [{ pid: 40, start: "s40" }] };
  it.each<{ name: string; all: ProcessInfo[]; marked?: number[]; fresh?: boolean; found: number[] }>([
    { name: "are its root and all below it", all: [info(10, 1), info(11, 10), info(12, 11), info(13, 1)], found: [10, 11, 12] },
    { name: "are those of its group though the parent is gone", all: [info(20, 1, { group: 10, session: 10 }), info(21, 1)], found: [20] },
    { name: "are those that left the tree but carry the mark, and their children", all: [info(30, 1), info(31, 30)], marked: [30], found: [30, 31] },
    {
      name: "are not those of a reused number",
      all: [info(10, 1, { start: "later" }), info(11, 10), info(40, 1, { start: "later" })],
      fresh: false,
      found: [],
    },
    { name: "are those seen before, and then their group", all: [info(40, 1, { group: 10 }), info(41, 1, { group: 10 })], fresh: false, found: [40, 41] },
    { name: "never is this process itself", all: [info(process.pid, 10)], found: [] },
  ])("$name", async ({ all, marked = [], fresh = true, found }) => {
    const members = await findKin(tableOf(all, marked), { ...kin, fresh });
    expect(members.map((one) => one.pid).sort((a, b) => a - b)).toEqual(found);
  });
});

describe("ending processes", () => {
  const children: number[] = [];
  afterEach(() => {
    for (const pid of children.splice(0)) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // ended as it should
      }
    }
  });

  it.runIf(process.platform === "linux")("ends a root that ignores TERM, its children and one that left the tree", async () => {
    const mark = `test-${process.pid}-${performance.now()}`;
    const child = spawn("bash", ["-c", 'trap "" TERM; (setsid sleep 98 &); sleep 97 & while :; do sleep 1; done'], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, [MARK_NAME]: mark },
    });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    children.push(pid);
    const table = createProcessTable();
    const find = () => findKin(table, { leader: pid, mark, fresh: true });
    const clock = createSystemClock();
    while ((await find()).length < 4) await clock.sleep(10);
    expect(await endProcesses({ clock }, find, 200)).toEqual([]);
    expect(await find()).toEqual([]);
  });

  it("signals only groups whose leader is among the targets, and never itself", async () => {
    const sent: [number, string][] = [];
    const clock = createSystemClock();
    let asked = 0;
    const find = () =>
      Promise.resolve(asked++ === 0 ? [info(10, 1), info(11, 10, { group: 10 }), info(12, 1, { group: 4 }), info(process.pid, 1, { group: 1 })] : []);
    expect(await endProcesses({ clock, kill: (pid, signal) => void sent.push([pid, signal]) }, find, 50)).toEqual([]);
    expect(sent.filter(([, signal]) => signal === "SIGTERM").map(([pid]) => pid)).toEqual([-10, 10, 11, 12]);
  });

  it("names what could not be ended", async () => {
    const clock = createSystemClock();
    const stubborn = [info(10, 1)];
    const kill = () => {
      throw new Error("EPERM");
    };
    expect(await endProcesses({ clock, kill }, () => Promise.resolve(stubborn), 10)).toEqual(stubborn);
  });
});
