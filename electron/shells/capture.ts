// The beginning and the end of a stream of any length, in fixed memory.
import { createTailBuffer } from "#electron/lib/ring-buffer.ts";

export type Captured = {
  readonly head: Buffer;
  /** follows `head` directly when `skipped` is 0 */
  readonly tail: Buffer;
  readonly skipped: number;
  readonly total: number;
};
export interface Capture {
  push(chunk: Uint8Array): void;
  read(): Captured;
}

/** Keeps `headBytes` from the beginning and `tailBytes` from the end. */
export function createCapture(headBytes: number, tailBytes: number): Capture {
  const head: Buffer[] = [];
  let headSize = 0;
  const tail = createTailBuffer(tailBytes);
  return {
    push(chunk) {
      const room = headBytes - headSize;
      if (room > 0) {
        const first = Buffer.from(chunk.subarray(0, room));
        head.push(first);
        headSize += first.length;
      }
      if (chunk.length > room) tail.push(room > 0 ? chunk.subarray(room) : chunk);
    },
    read() {
      const kept = tail.bytes();
      return { head: Buffer.concat(head), tail: kept, skipped: tail.total - kept.length, total: headSize + tail.total };
    },
  };
}
