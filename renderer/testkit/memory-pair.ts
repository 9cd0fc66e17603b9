// Two ends of a wire in memory. Frames are cloned like on a real port and arrive in order, a little later.
import type { Transport } from "#shared/ipc/transport.ts";

type End = { onFrame: ((frame: unknown) => void) | undefined; onClose: () => void; waiting: unknown[] };

export function memoryPair(): readonly [Transport, Transport] {
  const left: End = { onFrame: undefined, onClose: () => undefined, waiting: [] };
  const right: End = { onFrame: undefined, onClose: () => undefined, waiting: [] };
  return [transportOf(left, right), transportOf(right, left)];
}

function transportOf(own: End, other: End): Transport {
  return {
    send: (frame) => {
      const copy: unknown = structuredClone(frame);
      queueMicrotask(() => (other.onFrame === undefined ? other.waiting.push(copy) : other.onFrame(copy)));
    },
    listen: (onFrame, onClose) => {
      own.onFrame = onFrame;
      own.onClose = onClose;
      const waiting = own.waiting;
      own.waiting = [];
      for (const frame of waiting) onFrame(frame);
    },
    close: () => {
      own.onClose();
      other.onClose();
    },
  };
}
