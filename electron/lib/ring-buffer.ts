// The last bytes of a stream in fixed memory. Writing costs one copy of what is kept, whatever the stream's length.

export interface TailBuffer {
  push(chunk: Uint8Array): void;
  /** a copy of what is kept, oldest first */
  bytes(): Buffer;
  /** everything ever pushed */
  readonly total: number;
}

/** `capacity` in bytes, allocated at once when the first bytes come. */
export function createTailBuffer(capacity: number): TailBuffer {
  let store: Buffer | undefined;
  let next = 0;
  let total = 0;
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
    bytes() {
      if (store === undefined) return Buffer.alloc(0);
      if (total < capacity) return Buffer.from(store.subarray(0, total));
      return Buffer.concat([store.subarray(next), store.subarray(0, next)]);
    },
  };
}
