// Gathers a session's news into one frame per tick, so that a fast stream costs one message per 16 ms (R2).
import type { Clock } from "#electron/lib/clock.ts";

const TICK_MS = 16;

/** The first item goes at once; later ones of the same tick together. `dispose` sends what is left. */
export function createCoalescer<T>(clock: Clock, send: (items: T[]) => void): { push(item: T): void } & Disposable {
  let waiting: T[] = [];
  let timer: Disposable | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    send(batch);
    timer = clock.schedule(TICK_MS, flush);
  };
  return {
    push(item) {
      waiting.push(item);
      if (timer === undefined) flush();
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      if (waiting.length > 0) send(waiting.splice(0));
    },
  };
}
