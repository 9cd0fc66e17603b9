// Writes to a descriptor that may be full or gone: in order, without blocking, silent when nobody reads any longer (F15).
import { write } from "node:fs";
import type { Clock } from "#electron/lib/clock.ts";

export interface InputQueue {
  /** Ignored after `stop`. */
  push(bytes: Buffer): void;
  /** Drops what is queued; resolves when no write is under way, so that the descriptor can be closed. */
  stop(): Promise<void>;
}

const FULL_RETRY_MS = 5;
/** A program that never reads must not make the queue grow. */
const MAX_QUEUED_BYTES = 4_000_000;

export function createInputQueue(fd: number, clock: Clock): InputQueue {
  let queued: Buffer[] = [];
  let size = 0;
  let stopped = false;
  let working: Promise<void> | undefined;
  const work = async () => {
    for (let next = queued[0]; next !== undefined && !stopped; next = queued[0]) {
      const rest = await writeSome(fd, next, clock);
      if (rest === undefined) queued = [];
      else if (rest.length === 0) queued.shift();
      else queued[0] = rest;
    }
    size = queued.reduce((sum, one) => sum + one.length, 0);
    working = undefined;
  };
  return {
    push(bytes) {
      if (stopped || bytes.length === 0 || size + bytes.length > MAX_QUEUED_BYTES) return;
      size += bytes.length;
      queued.push(bytes);
      working ??= work();
    },
    async stop() {
      stopped = true;
      queued = [];
      await working;
    },
  };
}

/** What is left of the bytes; undefined when the descriptor takes no more for good. */
function writeSome(fd: number, bytes: Buffer, clock: Clock): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    write(fd, bytes, (error, written) => {
      if (error === null) return resolve(bytes.subarray(written));
      if (error.code !== "EAGAIN") return resolve(undefined);
      void clock.sleep(FULL_RETRY_MS).then(() => resolve(bytes));
    });
  });
}
