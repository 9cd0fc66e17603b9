// Counts the time a person was waited for; overlapping waits count once (L21).
import type { Clock } from "#electron/lib/clock.ts";
import type { Waits } from "./contract.ts";

export function createWaits(clock: Clock): Waits {
  let open = 0;
  let since = 0;
  let total = 0;
  return {
    open() {
      if (open === 0) since = clock.monotonic();
      open += 1;
      let closed = false;
      return {
        [Symbol.dispose]: () => {
          if (closed) return;
          closed = true;
          open -= 1;
          if (open === 0) total += clock.monotonic() - since;
        },
      };
    },
    totalMs: () => total + (open > 0 ? clock.monotonic() - since : 0),
  };
}
