// Where the bytes of a command go: head and tail for the model, the file for all of it, one text per frame for the eye.
import type { Clock } from "#electron/lib/clock.ts";
import { createBatcher } from "./batcher.ts";
import { type Captured, createCapture } from "./capture.ts";
import type { Spool } from "./spool.ts";

export interface Sink {
  push(chunk: Uint8Array): void;
  /** grows with every chunk */
  readonly chunks: number;
  captured(): Captured;
  listen(listener: (raw: string) => void): Disposable;
  /** Listeners get what is waiting, and nothing more afterwards. */
  close(): void;
}

const HEAD_BYTES = 98_304;
const TAIL_BYTES = 98_304;

/** `spool` is written to first; a spool that is behind makes `onBehind` stop the reading. */
export function createSink(clock: Clock, spool: Spool, onBehind: () => void): Sink {
  const capture = createCapture(HEAD_BYTES, TAIL_BYTES);
  const listeners = new Set<(raw: string) => void>();
  const batcher = createBatcher(clock, (raw) => {
    for (const listener of listeners) listener(raw);
  });
  let chunks = 0;
  return {
    get chunks() {
      return chunks;
    },
    push(chunk) {
      chunks++;
      capture.push(chunk);
      spool.write(chunk);
      if (listeners.size > 0) batcher.push(chunk);
      if (spool.behind) onBehind();
    },
    captured: () => capture.read(),
    listen(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    close() {
      batcher.flush();
      listeners.clear();
    },
  };
}
