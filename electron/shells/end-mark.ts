// Finds a mark in a byte stream and takes it out, also when it comes in pieces. Used to know when all output of a program that has
// ended was read: we print the mark behind it.

export interface EndMark {
  /** Hands on all bytes but the mark's. Once it was found, everything passes through. */
  pass(chunk: Uint8Array): void;
  /** Hands on what was held back because it could have been the beginning of the mark. */
  giveUp(): void;
  readonly found: boolean;
}

/** `onFound` is called once. */
export function createEndMark(mark: Buffer, forward: (chunk: Uint8Array) => void, onFound: () => void): EndMark {
  let held: Buffer = Buffer.alloc(0);
  let found = false;
  const send = (bytes: Buffer) => {
    if (bytes.length > 0) forward(bytes);
  };
  return {
    get found() {
      return found;
    },
    pass(chunk) {
      if (found) return forward(chunk);
      const bytes = Buffer.concat([held, chunk]);
      const at = bytes.indexOf(mark);
      if (at < 0) {
        const safe = Math.max(0, bytes.length - mark.length + 1);
        held = bytes.subarray(safe);
        return send(bytes.subarray(0, safe));
      }
      found = true;
      held = Buffer.alloc(0);
      send(bytes.subarray(0, at));
      onFound();
      send(bytes.subarray(at + mark.length));
    },
    giveUp() {
      send(held);
      held = Buffer.alloc(0);
      found = true;
    },
  };
}
