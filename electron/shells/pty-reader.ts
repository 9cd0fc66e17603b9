// Reads the master side of an open terminal, with one buffer for all reads: the path 100 MB a second go through.
import { randomUUID } from "node:crypto";
import { write } from "node:fs";
import type { ConnectOpts, SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import type { Clock } from "#electron/lib/clock.ts";
import { createEndMark, type EndMark } from "./end-mark.ts";
import { createInputQueue } from "./input-queue.ts";
import type { Pty, PtyExit, TerminalSize } from "./pty.ts";
import { clampSize } from "./terminal-size.ts";

export type PtyEnds = {
  readonly master: number;
  readonly slave: number;
  readonly device: string;
  /** throws when the terminal is gone */
  readonly resize: (size: TerminalSize) => void;
  readonly closeSlave: () => void;
  /** the descriptor's number is free again */
  readonly masterClosed: () => void;
};
export type PtyParts = { readonly clock: Clock; readonly ends: PtyEnds; readonly pid: number; readonly exited: Promise<PtyExit> };

const READ_BYTES = 65_536;
const DRAIN_MAX_MS = 2_000;
const QUIET_MS = 100;
const FULL_RETRY_MS = 5;

export function readTerminal({ clock, ends, pid, exited }: PtyParts, onData: (chunk: Uint8Array) => void): Pty {
  let mark: EndMark | undefined;
  let chunks = 0;
  let disposed = false;
  const receive = (size: number, buffer: Uint8Array) => {
    chunks++;
    const chunk = buffer.subarray(0, size);
    if (mark === undefined) onData(chunk);
    else mark.pass(chunk);
    return true;
  };
  const reading: SocketConstructorOpts & ConnectOpts = { onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: receive } };
  const stream = new ReadStream(ends.master, reading);
  // EIO is how Linux says that nobody holds the other side; "close" follows in every case.
  stream.on("error", () => {});
  const closed = new Promise<void>((resolve) => stream.once("close", resolve));
  void closed.then(ends.masterClosed);
  stream.resume();
  const input = createInputQueue(ends.master, clock);
  const drain = async () => {
    const text = Buffer.from(`\u001b]7781;${randomUUID()}\u0007`);
    const over = new AbortController();
    const found = new Promise<void>((resolve) => (mark = createEndMark(text, onData, resolve)));
    const behind = printBehind(ends.slave, text, clock, over.signal).then((printed) => (printed ? found : untilQuiet(() => chunks, clock, over.signal)));
    await Promise.race([behind, closed, clock.sleep(DRAIN_MAX_MS, over.signal)]);
    over.abort();
    mark?.giveUp();
    ends.closeSlave();
  };
  let drained: Promise<void> | undefined;
  return {
    pid,
    device: ends.device,
    exited,
    closed,
    write: (text) => input.push(Buffer.from(text)),
    resize(size) {
      if (disposed || stream.destroyed) return;
      try {
        ends.resize(clampSize(size));
      } catch {
        // It ended a moment ago.
      }
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    drain: () => (drained ??= drain()),
    async dispose() {
      if (!disposed) {
        disposed = true;
        await input.stop();
        ends.closeSlave();
        stream.destroy();
      }
      await closed;
    },
  };
}

/** Prints behind all output that is already in the terminal. False when the terminal was hung up or stays full. */
async function printBehind(slave: number, text: Buffer, clock: Clock, over: AbortSignal): Promise<boolean> {
  let rest = text;
  while (rest.length > 0 && !over.aborted) {
    const sent = await new Promise<number>((resolve) => {
      write(slave, rest, (error, written) => resolve(error === null ? written : error.code === "EAGAIN" ? 0 : -1));
    });
    if (sent < 0) return false;
    if (sent === 0) await clock.sleep(FULL_RETRY_MS, over);
    rest = rest.subarray(sent);
  }
  return rest.length === 0;
}

/** Where nothing can be printed behind the output: until no chunk came for a while. */
async function untilQuiet(chunks: () => number, clock: Clock, over: AbortSignal): Promise<void> {
  for (let seen = -1; seen !== chunks() && !over.aborted; ) {
    seen = chunks();
    await clock.sleep(QUIET_MS, over);
  }
}
