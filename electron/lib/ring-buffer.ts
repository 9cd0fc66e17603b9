// The last bytes of a stream in fixed memory. Writing costs one copy of what is kept, whatever the stream's length.

export interface TailBuffer {
  push(chunk: Uint8Array): void;
  /** a copy of what is kept, oldest first */
  bytes(): Buffer;
  /** what is kept, oldest first, without copying; only valid until the next call */
  views(): readonly [Uint8Array, Uint8Array];
  /** Forgets all, keeps the memory. */
  clear(): void;
  /** everything ever pushed */
  readonly total: number;
}

const NOTHING = new Uint8Array(0);

/** `capacity` in bytes, allocated at once when the first bytes come. */
export function createTailBuffer(capacity: number): TailBuffer {
  let store: Buffer | undefined;
  let next = 0;
  let total = 0;
  const views = (): readonly [Uint8Array, Uint8Array] => {
    if (store === undefined) return [NOTHING, NOTHING];
    return total < capacity ? [store.subarray(0, total), NOTHING] : [store.subarray(next), store.subarray(0, next)];
  };
  return {
    get total() {
      return total;
    },
    push(chunk) {
      store ??= Buffer.allocUnsafe(capacity);
      total += chunk.length;
      const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
      const first = Math.min(kept.length, capacity - next);
      store.set(kept.subarray(0, first), next);
      if (first < kept.length) store.set(kept.subarray(first), 0);
      next = (next + kept.length) % capacity;
    },
    bytes: () => Buffer.concat(views()),
    views,
    clear() {
      next = 0;
      total = 0;
    },
  };
}
