// Structured lifetimes: app → session → turn → step → call. Closing one aborts its signal with a typed cause,
// closes its children, then runs its clean-ups in reverse order. Never throws out of close.
import { setMaxListeners } from "node:events";
import type { AbortCause } from "#shared/loop/turn-end.ts";

export interface Scope {
  readonly label: string;
  readonly signal: AbortSignal;
  /** why it was closed; undefined while open */
  readonly cause: AbortCause | undefined;
  child(label: string): Scope;
  /** Registers a clean-up; runs at once if the scope is already closed. */
  add(cleanup: () => void | Promise<void>): Disposable;
  /** Aborts the signal without waiting for clean-ups. */
  abort(cause: AbortCause): void;
  /** Idempotent; later calls wait for the same closing. */
  close(cause: AbortCause): Promise<void>;
  /** labels of everything still open below, for leak tests */
  openChildren(): readonly string[];
}

type Cleanup = () => void | Promise<void>;

export function createScope(label: string, onError: (error: unknown, label: string) => void = () => {}): Scope {
  return makeScope(label, onError, () => {});
}

function makeScope(label: string, onError: (error: unknown, label: string) => void, onClosed: () => void): Scope {
  const controller = new AbortController();
  // One listener for each call that waits is no leak, however many calls a reply has; Node would warn on standard error from the 11th on.
  setMaxListeners(0, controller.signal);
  const cleanups = new Set<Cleanup>();
  const children = new Set<Scope>();
  let cause: AbortCause | undefined;
  let closing: Promise<void> | undefined;

  const run = async (cleanup: Cleanup) => {
    try {
      await cleanup();
    } catch (error) {
      onError(error, label);
    }
  };
  const abort = (why: AbortCause) => {
    cause ??= why;
    if (!controller.signal.aborted) controller.abort(cause);
    for (const child of children) child.abort(why);
  };
  const closeNow = async (why: AbortCause) => {
    abort(why);
    await Promise.all([...children].map((child) => child.close(why)));
    for (const cleanup of [...cleanups].reverse()) {
      cleanups.delete(cleanup);
      await run(cleanup);
    }
    onClosed();
  };
  return {
    label,
    signal: controller.signal,
    get cause() {
      return cause;
    },
    child(childLabel) {
      const child: Scope = makeScope(`${label}/${childLabel}`, onError, () => children.delete(child));
      children.add(child);
      if (cause !== undefined) child.abort(cause);
      return child;
    },
    add(cleanup) {
      if (closing !== undefined) void run(cleanup);
      else cleanups.add(cleanup);
      return { [Symbol.dispose]: () => void cleanups.delete(cleanup) };
    },
    abort,
    close(why) {
      closing ??= closeNow(why);
      return closing;
    },
    openChildren: () => [...children].flatMap((child) => [child.label, ...child.openChildren()]),
  };
}
