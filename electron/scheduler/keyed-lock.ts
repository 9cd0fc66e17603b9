// Readers-writer locks over sets of keys, granted in order of arrival: a later call never overtakes one it conflicts with.
import type { KeySet } from "./contract.ts";

export interface KeyedLock {
  /** Resolves with the release; undefined when the signal aborted first. */
  acquire(keys: KeySet, signal: AbortSignal): Promise<Disposable | undefined>;
}

type Waiter = { readonly keys: KeySet; grant(): void };

export function createKeyedLock(): KeyedLock {
  const held = new Set<KeySet>();
  let waiting: readonly Waiter[] = [];

  const settle = () => {
    const still: Waiter[] = [];
    for (const waiter of waiting) {
      const blocked = [...held].some((keys) => conflict(keys, waiter.keys)) || still.some((earlier) => conflict(earlier.keys, waiter.keys));
      if (blocked) still.push(waiter);
      else {
        held.add(waiter.keys);
        waiter.grant();
      }
    }
    waiting = still;
  };
  return {
    acquire: (asked, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const keys: KeySet = { ...asked };
        const onAbort = () => {
          waiting = waiting.filter((waiter) => waiter.keys !== keys);
          resolve(undefined);
          settle();
        };
        const grant = () => {
          signal.removeEventListener("abort", onAbort);
          resolve({
            [Symbol.dispose]: () => {
              if (held.delete(keys)) settle();
            },
          });
        };
        signal.addEventListener("abort", onAbort, { once: true });
        waiting = [...waiting, { keys, grant }];
        settle();
      }),
  };
}

function conflict(a: KeySet, b: KeySet): boolean {
  const touches = (alone: readonly string[], other: KeySet) => alone.some((key) => other.alone.includes(key) || other.shared.includes(key));
  return touches(a.alone, b) || touches(b.alone, a);
}
