// Entry to the run itself: conflict keys of the folder first, then a slot of the turn's pool (T6). A call that waits for
// a permission is not here, so it holds neither; one whose whole work is to ask the person holds no slot.
import type { Admission } from "./contract.ts";
import type { KeyedLock } from "./keyed-lock.ts";

/** `locks` is shared by all sessions of a folder; the pool belongs to one turn, so that sub-agents cannot starve their parent. */
export function createAdmission(locks: KeyedLock, poolSize: number): Admission {
  const free = new Set(Array.from({ length: poolSize }, (_, index) => index));
  let queue: readonly (() => void)[] = [];

  const takeSlot = (signal: AbortSignal) =>
    new Promise<number | undefined>((resolve) => {
      const attempt = () => {
        signal.removeEventListener("abort", giveUp);
        const [slot] = free;
        if (slot !== undefined) free.delete(slot);
        resolve(slot);
      };
      const giveUp = () => {
        queue = queue.filter((waiter) => waiter !== attempt);
        resolve(undefined);
      };
      if (signal.aborted) return resolve(undefined);
      if (free.size > 0) return attempt();
      signal.addEventListener("abort", giveUp, { once: true });
      queue = [...queue, attempt];
    });
  const returnSlot = (slot: number) => {
    free.add(slot);
    const [next, ...rest] = queue;
    queue = rest;
    next?.();
  };
  return {
    async enter(keys, signal) {
      const lock = await locks.acquire(keys, signal);
      if (lock === undefined || keys.withoutSlot === true) return lock;
      const slot = await takeSlot(signal);
      if (slot === undefined) {
        lock[Symbol.dispose]();
        return undefined;
      }
      let held = true;
      return {
        [Symbol.dispose]: () => {
          if (!held) return;
          held = false;
          lock[Symbol.dispose]();
          returnSlot(slot);
        },
      };
    },
  };
}
