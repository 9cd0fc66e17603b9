// Joins terminal chunks to one text per frame, so that a flood costs the window no more than a trickle (R2). What is too much for
// one frame is left out from its beginning.
import type { Clock } from "#electron/lib/clock.ts";
import { createTailBuffer } from "#electron/lib/ring-buffer.ts";

export interface Batcher {
  push(chunk: Uint8Array): void;
  /** Sends what is waiting now. */
  flush(): void;
  /** Drops what is waiting. */
  stop(): void;
}

const FRAME_MS = 16;
const FRAME_BYTES = 65_536;

export function createBatcher(clock: Clock, send: (text: string) => void): Batcher {
  const decoder = new TextDecoder("utf-8");
  const waiting = createTailBuffer(FRAME_BYTES);
  let timer: Disposable | undefined;
  const flush = () => {
    timer?.[Symbol.dispose]();
    timer = undefined;
    if (waiting.total === 0) return;
    const text = waiting.views().reduce((before, part) => before + decoder.decode(part, { stream: true }), "");
    waiting.clear();
    if (text !== "") send(text);
  };
  return {
    push(chunk) {
      waiting.push(chunk);
      timer ??= clock.schedule(FRAME_MS, flush);
    },
    flush,
    stop() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      waiting.clear();
    },
  };
}
