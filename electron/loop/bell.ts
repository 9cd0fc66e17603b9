// One waiter, many reasons to wake up: provider events, the watchdog, an abort, "try again now".

export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or at once if it rang since the last wait. */
  rung(): Promise<void>;
}

export function createBell(): Bell {
  let rang = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      if (wake === undefined) {
        rang = true;
        return;
      }
      const resume = wake;
      wake = undefined;
      resume();
    },
    rung() {
      if (rang) {
        rang = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
