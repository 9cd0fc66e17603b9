// How a command ends: by itself, by a limit or because it is stopped; what it left running; and what becomes of that (F01, F03, T15).
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { Environment } from "#electron/lib/child-environment.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { END_GRACE_MS, endProcesses, endWindowsTree } from "#electron/lib/process-end.ts";
import { findKin, type ProcessInfo, type ProcessTable } from "#electron/lib/process-tree.ts";
import type { ShellResult, ShellStart } from "./contract.ts";
import { findKeyReaders } from "./input-watch.ts";
import type { Limits } from "./limits.ts";
import type { Pty, PtyHost } from "./pty.ts";
import { type Ending, makeResult } from "./result.ts";
import type { ShellProgram } from "./shell-program.ts";
import type { Sink } from "./sink.ts";
import type { Spool } from "./spool.ts";

export type RunDeps = {
  readonly clock: Clock;
  readonly host: PtyHost;
  readonly table: ProcessTable;
  readonly shell: ShellProgram;
  readonly platform: NodeJS.Platform;
  /** what children get; asked for each command */
  readonly environment: () => Environment;
  /** takes secrets out of text */
  readonly redact: (text: string) => string;
  readonly spoolLimitBytes: number;
};
/** Within this time the counter of pids cannot have gone all the way round, so that children have greater ones than the shell. */
const NEAR_MS = 10_000;
/** A child that is just ending is no background child. */
const LATE_CHILD_MS = 50;
const EXIT_WAIT_MS = 500;
const LEFTOVER_POLL_MS = 5_000;
const READER_GRACE_MS = 300;

export type Early = { readonly kind: "timeout"; readonly which: "total" | "silence" } | { readonly kind: "stopped"; readonly cause: AbortCause };
export type RunParts = {
  readonly deps: RunDeps;
  /** the mark of all its processes */
  readonly id: string;
  readonly request: ShellStart;
  readonly pty: Pty;
  readonly sink: Sink;
  readonly spool: Spool;
  /** ms since the epoch */
  readonly startedAt: number;
  /** of the monotonic clock */
  readonly startedTick: number;
};
export type Ways = {
  /** resolves when the command must end before its time */
  readonly early: Promise<Early>;
  readonly limits: Limits;
  readonly waited: readonly ProcessInfo[];
  readonly background: () => boolean;
};

/** Waits for the end and tells about it. `left`: what is alive although the command has ended. Never rejects. */
export async function finish(parts: RunParts, ways: Ways): Promise<{ readonly result: ShellResult; readonly left: readonly ProcessInfo[] }> {
  const { deps, pty, sink, spool } = parts;
  const early = await Promise.race([pty.exited.then(() => undefined), ways.early]);
  ways.limits.stop();
  const unended = early === undefined ? [] : await endKin(parts, true);
  const exit = early === undefined ? await pty.exited : await within(deps.clock, EXIT_WAIT_MS, pty.exited);
  const ms = deps.clock.monotonic() - parts.startedTick;
  const left = early === undefined ? await leftAlive(parts, ms) : unended;
  await pty.drain();
  sink.close();
  const ending: Ending = {
    exit: exit ?? { exitCode: null, signal: null },
    timeout: early?.kind === "timeout" ? early.which : undefined,
    stopped: early?.kind === "stopped" ? early.cause : undefined,
    ms,
    stillRunning: early === undefined ? left : [],
    unended,
    waitedForKeys: ways.waited,
  };
  return { result: await makeResult(ending, sink.captured(), spool, { keep: ways.background(), redact: deps.redact }), left };
}

/** Its living processes. `fresh`: the shell has not ended yet, or this moment. */
export async function kinOf({ deps, id, pty }: RunParts, fresh: boolean, above?: number): Promise<readonly ProcessInfo[]> {
  return findKin(deps.table, { leader: pty.pid, mark: id, fresh }, above);
}

function nearPids({ pty }: RunParts, ms: number): number | undefined {
  return ms < NEAR_MS ? pty.pid - 1 : undefined;
}

async function leftAlive(parts: RunParts, ms: number): Promise<readonly ProcessInfo[]> {
  const above = nearPids(parts, ms);
  if ((await kinOf(parts, true, above)).length === 0) return [];
  await parts.deps.clock.sleep(LATE_CHILD_MS);
  return kinOf(parts, true, above);
}

/** Ends all of them; resolves with what could not be ended. */
export async function endKin(parts: RunParts, fresh: boolean): Promise<readonly ProcessInfo[]> {
  const { deps, pty } = parts;
  if (deps.platform === "win32") return endWindowsTree(pty.pid).then(() => []);
  return endProcesses({ clock: deps.clock }, () => kinOf(parts, fresh), END_GRACE_MS);
}

/** Ends programs that wait for keys nobody can press, and adds them to `waited` (F04). */
export async function endKeyReaders(parts: RunParts, waited: ProcessInfo[]): Promise<void> {
  const { deps, pty } = parts;
  if (pty.device === undefined) return;
  const above = nearPids(parts, deps.clock.monotonic() - parts.startedTick);
  const readers = await findKeyReaders(pty.device, await kinOf(parts, true, above));
  if (readers.length === 0) return;
  waited.push(...readers);
  // Only these, not their groups: the rest of the command goes on.
  const alive = async () =>
    (await kinOf(parts, true))
      .filter((one) => readers.some((reader) => reader.pid === one.pid && reader.start === one.start))
      .map((one) => ({ ...one, group: 0 }));
  await endProcesses({ clock: deps.clock }, alive, READER_GRACE_MS);
}

/** Resolves when nothing of it is alive any more. Reading goes on meanwhile, so that no background child is blocked. */
export async function watchLeftovers({ deps, id, pty }: RunParts, first: readonly ProcessInfo[], nothingLeft: AbortSignal): Promise<void> {
  let left = first;
  let closed = false;
  void pty.closed.then(() => (closed = true));
  while (left.length > 0 && !nothingLeft.aborted) {
    const pause = deps.clock.sleep(LEFTOVER_POLL_MS, nothingLeft);
    await (closed ? pause : Promise.race([pause, pty.closed]));
    left = await findKin(deps.table, { leader: pty.pid, mark: id, fresh: false, known: left });
  }
}

async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const result = await Promise.race([promise, clock.sleep(ms, over.signal).then(() => undefined)]);
  over.abort();
  return result;
}
