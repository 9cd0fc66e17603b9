// A terminal on Linux and macOS whose master side we read. Differs from a plain forkpty on purpose:
// - `input: "none"`: the child may print to the terminal but not read from it, has an empty stdin and no controlling terminal, so
//   it cannot wait for keys (F04), and background children are not hung up when the shell ends (F03);
// - we hold the slave side open until everything is read: libuv drops buffered output once the last holder has closed it.
import { type ChildProcess, spawn } from "node:child_process";
import { close, constants } from "node:fs";
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import * as nodePty from "node-pty";
import type { Clock } from "#electron/lib/clock.ts";
import { type PtyEnds, readTerminal } from "./pty-reader.ts";
import type { OpenedPty, PtyExit, PtyHost, PtySpec } from "./pty.ts";
import { clampSize } from "./terminal-size.ts";

declare module "node-pty" {
  /** Missing in the package's types; absent on Windows. */
  export const native: {
    open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
    resize(fd: number, columns: number, rows: number): void;
  };
}

/** As the first opener of a new session, makes the terminal its controlling one, then becomes the program. */
const TAKE_TERMINAL = 'exec 0<>"$0" 1>&0 2>&0; exec "$@"';

export function createPosixPtyHost(clock: Clock): PtyHost {
  // Descriptors of terminals are not closed on exec: each child would get those of all others. It gets /dev/null in their place.
  const held = new Set<number>();
  return {
    async open(spec, onData) {
      try {
        const nothing = await open("/dev/null", constants.O_RDWR);
        try {
          return await openTerminal({ clock, held, nothing }, spec, onData);
        } finally {
          await nothing.close();
        }
      } catch (error) {
        return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

type Setting = { readonly clock: Clock; readonly held: Set<number>; readonly nothing: FileHandle };

async function openTerminal(setting: Setting, spec: PtySpec, onData: (chunk: Uint8Array) => void): Promise<OpenedPty> {
  const { columns, rows } = clampSize(spec.size);
  const opened = nodePty.native.open(columns, rows);
  setting.held.add(opened.master).add(opened.slave);
  const ends: PtyEnds = {
    master: opened.master,
    slave: opened.slave,
    device: opened.pty,
    resize: (size) => nodePty.native.resize(opened.master, size.columns, size.rows),
    closeSlave: () => closeHeld(setting.held, opened.slave),
    masterClosed: () => void setting.held.delete(opened.master),
  };
  let started: Started | undefined;
  try {
    started = await startChild(setting, spec, opened.pty);
    const { child, exited } = started;
    if (child.pid === undefined) throw await started.problem;
    return { kind: "open", pty: readTerminal({ clock: setting.clock, ends, pid: child.pid, exited }, onData) };
  } catch (error) {
    started?.child.kill("SIGKILL");
    closeHeld(setting.held, opened.slave);
    closeHeld(setting.held, opened.master);
    throw error;
  }
}

/** Both are listened for from the first moment: a short command has ended before anything else is done. */
type Started = { readonly child: ChildProcess; readonly exited: Promise<PtyExit>; readonly problem: Promise<Error> };

async function startChild(setting: Setting, spec: PtySpec, device: string): Promise<Started> {
  const output = spec.input === "terminal" ? undefined : await open(device, constants.O_WRONLY | constants.O_NOCTTY);
  try {
    const stdio: (number | "ignore")[] = ["ignore", output?.fd ?? "ignore", output?.fd ?? "ignore"];
    for (const fd of [...setting.held, ...(await inherited())]) {
      while (stdio.length < fd) stdio.push("ignore");
      stdio[fd] = setting.nothing.fd;
    }
    const program = [spec.file, ...spec.args];
    const [file, args] = spec.input === "terminal" ? ["/bin/sh", ["-c", TAKE_TERMINAL, device, ...program]] : [spec.file, [...spec.args]];
    const child = spawn(file, args, { cwd: spec.cwd, env: { ...spec.env }, detached: true, stdio });
    const exited = new Promise<PtyExit>((resolve) => child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })));
    return { child, exited, problem: new Promise((resolve) => child.once("error", resolve)) };
  } finally {
    await output?.close();
  }
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors of this process that a child would get. The window's own are not closed on exec: a command could read what is
 * open there, and after a crash it would keep the helpers of the dead window alive. macOS closes them by itself.
 */
async function inherited(): Promise<readonly number[]> {
  const names = await readdir("/proc/self/fd").catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const info = await readFile(`/proc/self/fdinfo/${name}`, "utf8").catch(() => "");
      const flags = /^flags:\s*(\d+)$/m.exec(info)?.[1];
      return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0 ? undefined : Number(name);
    }),
  );
  return found.filter((fd) => fd !== undefined).filter((fd) => fd > 2);
}

function closeHeld(held: Set<number>, fd: number): void {
  if (held.delete(fd)) close(fd, () => {});
}
