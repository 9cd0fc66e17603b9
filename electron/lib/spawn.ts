// Runs one program to its end with bounded output. Waits for the program's EXIT, not for its pipes, which a background child
// may hold open for ever (F03). On time-out or abort everything it started is ended. Never rejects.
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import spawnAcrossSystems from "cross-spawn";
import { type Environment, withMark } from "./child-environment.ts";
import type { Clock } from "./clock.ts";
import { END_GRACE_MS, endProcesses, endWindowsTree } from "./process-end.ts";
import { findKin, type ProcessInfo, type ProcessTable } from "./process-tree.ts";

export type SpawnRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Environment;
  /** written to stdin, which is then closed; undefined: stdin is empty */
  readonly input?: string;
  readonly timeoutMs: number;
  /** of each of stdout and stderr; what comes later is read and dropped */
  readonly maxOutputBytes: number;
  /** unique text that everything started here carries in its environment */
  readonly mark: string;
  readonly graceMs?: number;
  /** also ends what is still running after a normal end */
  readonly endLeftovers?: boolean;
};

export type SpawnResult =
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly stdout: string;
      readonly stderr: string;
      /** some output was dropped */
      readonly cut: boolean;
      /** why it was ended before its time */
      readonly endedBy: "timeout" | "abort" | undefined;
      /** still alive although all was tried */
      readonly survivors: readonly ProcessInfo[];
    }
  | { readonly kind: "failed"; readonly message: string };

export interface ProcessRunner {
  run(request: SpawnRequest, signal?: AbortSignal): Promise<SpawnResult>;
}

/** After the exit, what is already in the pipes is still read; a child that keeps them open is not waited for. */
const DRAIN_MS = 100;

export function createProcessRunner(deps: { readonly clock: Clock; readonly table: ProcessTable; readonly platform?: NodeJS.Platform }): ProcessRunner {
  return {
    async run(request, signal) {
      if (signal?.aborted) return { kind: "failed", message: "It was stopped before it began." };
      const started = start(request);
      if (started.kind === "failed") return started;
      return follow({ ...deps, platform: deps.platform ?? process.platform }, request, started.child, signal);
    },
  };
}

type Started = { readonly kind: "started"; readonly child: ChildProcess } | { readonly kind: "failed"; readonly message: string };

function start(request: SpawnRequest): Started {
  try {
    const child = spawnAcrossSystems(request.file, [...request.args], {
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
      env: { ...withMark(request.env, request.mark) },
      stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    return { kind: "started", child };
  } catch (error) {
    return { kind: "failed", message: messageOf(error) };
  }
}

async function follow(
  deps: { clock: Clock; table: ProcessTable; platform: NodeJS.Platform },
  request: SpawnRequest,
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<SpawnResult> {
  const stdout = collect(child.stdout, request.maxOutputBytes);
  const stderr = collect(child.stderr, request.maxOutputBytes);
  feed(child, request.input);
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const early = await firstOf(deps.clock, request.timeoutMs, exited, signal);
  const survivors = early === undefined && request.endLeftovers !== true ? [] : await endAll(deps, child, request);
  const exit = early === undefined ? await exited : await within(deps.clock, DRAIN_MS, exited);
  if (exit?.kind !== "failed") await within(deps.clock, DRAIN_MS, closed);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  child.unref();
  if (exit?.kind === "failed") return exit;
  const { exitCode, signal: endedWith } = exit ?? { exitCode: null, signal: null };
  return {
    kind: "ended",
    exitCode,
    signal: endedWith,
    stdout: stdout.text(),
    stderr: stderr.text(),
    cut: stdout.cut() || stderr.cut(),
    endedBy: early,
    survivors,
  };
}

/** What the promise gives within `ms`, else undefined; leaves no timer behind. */
async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const result = await Promise.race([promise, clock.sleep(ms, over.signal).then(() => undefined)]);
  over.abort();
  return result;
}

type Exit =
  | { readonly kind: "exit"; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: "failed"; readonly message: string };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ kind: "failed", message: messageOf(error) }));
    child.once("exit", (exitCode, signal) => resolve({ kind: "exit", exitCode, signal }));
  });
}

/** undefined when the program ended by itself. Leaves neither a timer nor a listener behind. */
async function firstOf(clock: Clock, timeoutMs: number, exited: Promise<unknown>, signal: AbortSignal | undefined): Promise<"timeout" | "abort" | undefined> {
  const over = new AbortController();
  const abort = () => over.abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timeout = clock.sleep(timeoutMs, over.signal).then((): "timeout" | "abort" => (signal?.aborted ? "abort" : "timeout"));
  const early = await Promise.race([exited.then(() => undefined), timeout]);
  signal?.removeEventListener("abort", abort);
  over.abort();
  return early;
}

async function endAll(
  deps: { clock: Clock; table: ProcessTable; platform: NodeJS.Platform },
  child: ChildProcess,
  request: SpawnRequest,
): Promise<readonly ProcessInfo[]> {
  const pid = child.pid;
  if (pid === undefined) return [];
  if (deps.platform === "win32") return endWindowsTree(pid).then(() => []);
  const find = () => findKin(deps.table, { leader: pid, mark: request.mark, fresh: true });
  return endProcesses({ clock: deps.clock }, find, request.graceMs ?? END_GRACE_MS);
}

function feed(child: ChildProcess, input: string | undefined): void {
  if (child.stdin === null) return;
  // A program that does not read its input closes the pipe early; that is its right.
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
}

function collect(stream: Readable | null, max: number): { text(): string; cut(): boolean } {
  const chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  stream?.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, max - size);
    if (kept.length < chunk.length) cut = true;
    if (kept.length > 0) chunks.push(kept);
    size += kept.length;
  });
  stream?.on("error", () => {});
  return { text: () => Buffer.concat(chunks).toString("utf8"), cut: () => cut };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
