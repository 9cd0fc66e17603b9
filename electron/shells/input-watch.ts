// Finds programs that wait for keys although none can come (F04). Commands cannot read their terminal, so one that has opened it for
// reading, or made it its stdin, has gone out of its way to get at the keyboard. Linux only; elsewhere the time-outs end it.
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import type { ProcessInfo } from "#electron/lib/process-tree.ts";

/** Polls the terminal it can only print to, without ever opening it. */
const POLLS_ITS_OUTPUT: ReadonlySet<string> = new Set(["more"]);
const ACCESS_MODE = 0o3;
const WRITE_ONLY = 0o1;

/** Those of `processes` that want keys from `device`. Never rejects. */
export async function findKeyReaders(device: string, processes: readonly ProcessInfo[]): Promise<readonly ProcessInfo[]> {
  const wants = await Promise.all(processes.map((one) => wantsKeys(device, one).catch(() => false)));
  return processes.filter((_, index) => wants[index] === true);
}

async function wantsKeys(device: string, { pid, name }: ProcessInfo): Promise<boolean> {
  const dir = `/proc/${pid}/fd`;
  for (const fd of await readdir(dir)) {
    if ((await readlink(`${dir}/${fd}`).catch(() => "")) !== device) continue;
    if (fd === "0" || POLLS_ITS_OUTPUT.has(path.basename(name.split(" ")[0] ?? ""))) return true;
    const flags = /^flags:\s*([0-7]+)/m.exec(await readFile(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1];
    if (flags !== undefined && (Number.parseInt(flags, 8) & ACCESS_MODE) !== WRITE_ONLY) return true;
  }
  return false;
}
