// How many sub-agents run at once (L23). The others wait in the order in which they came.
export interface SubagentLimit {
  /** A place, to be disposed; undefined when the signal aborted first. */
  enter(signal: AbortSignal): Promise<Disposable | undefined>;
}

/** `max` is asked whenever a place may be given, so that a changed setting counts at once. */
export function createSubagentLimit(max: () => number): SubagentLimit {
  let running = 0;
  let queue: readonly (() => void)[] = [];

  const admit = () => {
    while (running < max()) {
      const [next, ...rest] = queue;
      if (next === undefined) return;
      queue = rest;
      running += 1;
      next();
    }
  };
  const place = (): Disposable => {
    let held = true;
    return {
      [Symbol.dispose]() {
        if (!held) return;
        held = false;
        running -= 1;
        admit();
      },
    };
  };
  return {
    enter: (signal) =>
      new Promise((resolve) => {
        const begin = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(place());
        };
        const giveUp = () => {
          queue = queue.filter((waiter) => waiter !== begin);
          resolve(undefined);
        };
        if (signal.aborted) return resolve(undefined);
        signal.addEventListener("abort", giveUp, { once: true });
        queue = [...queue, begin];
        admit();
      }),
  };
}
