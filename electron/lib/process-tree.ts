// Which processes exist, and which of them belong to one command (F01, G09). A process is named by pid and start time, never by
// its name: pids are reused. On Linux a mark in the environment also finds those that left the tree (setsid, daemons).
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { oneLine } from "#shared/lib/text.ts";

export type ProcessInfo = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** opaque; equal only for the same process */
  readonly start: string;
  /** the command line in short, for people */
  readonly name: string;
};

export interface ProcessTable {
  /** Living processes, without zombies. `above`: those with smaller pids may be left out. Never rejects. */
  list(above?: number): Promise<readonly ProcessInfo[]>;
  /** undefined when it has ended. Never rejects. */
  find(pid: number): Promise<ProcessInfo | undefined>;
  /** True when the process was started with this mark; false also where the system does not tell. */
  hasMark(pid: number, mark: string): Promise<boolean>;
}

/** What belongs to one command. */
export type Kin = {
  /** pid of its first process, which leads a group and a session of its own */
  readonly leader: number;
  readonly mark: string;
  /** the leader is alive or has ended this moment, so its number cannot be another's yet */
  readonly fresh: boolean;
  /** seen earlier; matched by pid and start */
  readonly known?: readonly Pick<ProcessInfo, "pid" | "start">[];
};

const NAME_CHARS = 80;
const READS_AT_ONCE = 32;

export function createProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === "linux") return { list: listLinux, find: readLinux, hasMark: hasLinuxMark };
  const hasMark = () => Promise.resolve(false);
  if (platform === "win32") return { list: () => Promise.resolve([]), find: () => Promise.resolve(undefined), hasMark };
  return { list: listWithPs, find: async (pid) => (await listWithPs()).find((one) => one.pid === pid), hasMark };
}

/** The processes of `kin` that are alive: by mark, by group and session, and by descent. */
export async function findKin(table: ProcessTable, kin: Kin, above?: number): Promise<readonly ProcessInfo[]> {
  const all = (await table.list(above)).filter((one) => one.pid !== process.pid);
  const marked = await Promise.all(all.map((one) => table.hasMark(one.pid, kin.mark)));
  const known = new Map((kin.known ?? []).map((one) => [one.pid, one.start]));
  const sure = new Set(all.filter((one, index) => marked[index] === true || known.get(one.pid) === one.start));
  const isOfLeader = (one: ProcessInfo) => one.group === kin.leader || one.session === kin.leader;
  if (kin.fresh || [...sure].some(isOfLeader)) for (const one of all) if (isOfLeader(one)) sure.add(one);
  addDescendants(all, sure);
  return [...sure];
}

function addDescendants(all: readonly ProcessInfo[], kin: Set<ProcessInfo>): void {
  const pids = new Set([...kin].map((one) => one.pid));
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of all) {
      if (kin.has(one) || !pids.has(one.parent)) continue;
      kin.add(one);
      pids.add(one.pid);
      grown = true;
    }
  }
}

async function listLinux(above = 0): Promise<readonly ProcessInfo[]> {
  const entries = await readdir("/proc").catch((): string[] => []);
  const pids = entries.flatMap((entry) => (/^\d+$/.test(entry) && Number(entry) > above ? [Number(entry)] : []));
  const found: ProcessInfo[] = [];
  for (let at = 0; at < pids.length; at += READS_AT_ONCE) {
    const some = await Promise.all(pids.slice(at, at + READS_AT_ONCE).map(readLinux));
    for (const one of some) if (one !== undefined) found.push(one);
  }
  return found;
}

async function readLinux(pid: number): Promise<ProcessInfo | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  const parsed = parseStat(stat);
  if (parsed === undefined) return undefined;
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const words = line.replaceAll("\0", " ").trim();
  return words === "" ? parsed : { ...parsed, name: oneLine(words, NAME_CHARS) };
}

/** One line of /proc/PID/stat; undefined for zombies and for what is no such line. The name may hold spaces and brackets. */
export function parseStat(stat: string): ProcessInfo | undefined {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (open < 0 || close < open || start === undefined || state === "Z" || state === "X") return undefined;
  return { pid: Number(stat.slice(0, open)), parent: Number(parent), group: Number(group), session: Number(session), start, name: stat.slice(open + 1, close) };
}

async function hasLinuxMark(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
  return environment?.includes(mark) ?? false;
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

function listWithPs(): Promise<readonly ProcessInfo[]> {
  return new Promise((resolve) => {
    execFile(
      "ps",
      ["-axo", "pid=,ppid=,pgid=,stat=,lstart=,command="],
      { env: { PATH: "/bin:/usr/bin", LC_ALL: "C" }, maxBuffer: 16_000_000 },
      (_error, stdout) => resolve(parsePs(stdout)),
    );
  });
}

/** What `ps` printed; zombies and lines that are none are left out. */
export function parsePs(output: string): readonly ProcessInfo[] {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start, command] = PS_LINE.exec(line) ?? [];
    if (start === undefined || command === undefined || state === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, start, name: oneLine(command, NAME_CHARS) }];
  });
}
