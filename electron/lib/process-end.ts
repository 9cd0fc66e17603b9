// Ends processes for good: TERM, a grace, KILL, and says which ones are still there (T15, F01).
import { execFile } from "node:child_process";
import type { Clock } from "./clock.ts";
import type { ProcessInfo } from "./process-tree.ts";

export type EndDeps = {
  readonly clock: Clock;
  /** tests only; sends one signal, throws like `process.kill` */
  readonly kill?: (pid: number, signal: NodeJS.Signals) => void;
};

/** Between TERM and KILL. */
export const END_GRACE_MS = 2_000;
const KILL_WAIT_MS = 1_500;
const POLL_MS = 25;

/**
 * Ends what `find` finds, asking again until nothing is left, so that children made meanwhile are caught.
 * Never rejects; resolves with what could not be ended within grace + 1.5 s.
 */
export async function endProcesses(deps: EndDeps, find: () => Promise<readonly ProcessInfo[]>, graceMs = END_GRACE_MS): Promise<readonly ProcessInfo[]> {
  const found = await find();
  if (found.length === 0) return [];
  // A stopped process handles TERM only once it goes on.
  signalAll(deps, found, "SIGTERM");
  signalAll(deps, found, "SIGCONT");
  const left = await waitUntilGone(deps, find, graceMs);
  if (left.length === 0) return [];
  signalAll(deps, left, "SIGKILL");
  return waitUntilGone(deps, find, KILL_WAIT_MS, "SIGKILL");
}

async function waitUntilGone(
  deps: EndDeps,
  find: () => Promise<readonly ProcessInfo[]>,
  forMs: number,
  again?: NodeJS.Signals,
): Promise<readonly ProcessInfo[]> {
  const until = deps.clock.monotonic() + forMs;
  for (let pause = POLL_MS; ; pause = Math.min(pause * 2, POLL_MS * 8)) {
    await deps.clock.sleep(pause);
    const left = await find();
    if (left.length === 0 || deps.clock.monotonic() >= until) return left;
    if (again !== undefined) signalAll(deps, left, again);
  }
}

/** Whole groups first, so that a process which forks meanwhile does not get away; then each one. Never our own group. */
function signalAll(deps: EndDeps, targets: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  const kill = deps.kill ?? ((pid: number, name: NodeJS.Signals) => process.kill(pid, name));
  const pids = new Set(targets.map((one) => one.pid));
  // A group is signalled as a whole only when its leader is ours: then all of it is.
  const groups = new Set(targets.map((one) => one.group).filter((group) => group > 1 && pids.has(group)));
  for (const target of [...[...groups].map((group) => -group), ...pids]) {
    if (target === process.pid || target === 1) continue;
    try {
      kill(target, signal);
    } catch {
      // Gone already, or not ours to signal; the caller is told what is left.
    }
  }
}

/** Windows has no groups: the tree below `pid` is ended by the system's own tool. Never rejects. */
export function endWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile("taskkill", ["/PID", String(pid), "/T", "/F"], () => resolve());
  });
}
