// A wake-up for one waiting consumer: state is looked at again after every change, never polled.

export interface Wakeup {
  announce(): void;
  /** Resolves at the next announcement. */
  next(): Promise<void>;
}

export function createWakeup(): Wakeup {
  let wake: () => void = () => {};
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return {
    announce() {
      wake();
      changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    next: () => changed,
  };
}
