// The whole output of a command on disk, written behind the reader in bounded memory. A full disk or the size limit ends the copy,
// never the command (T15, F05).
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";

export interface Spool {
  readonly file: string;
  /** the file exists */
  readonly made: boolean;
  /** false: bytes are missing at its end */
  readonly whole: boolean;
  /** too much is waiting: stop reading until `onCaughtUp` */
  readonly behind: boolean;
  /** Copies the bytes. */
  write(chunk: Uint8Array): void;
  /** Resolves when all bytes so far can be read from the file. Never rejects. */
  sync(): Promise<void>;
  /** `keep: false` makes no file where there is none yet. Never rejects. */
  close(options: { readonly keep: boolean }): Promise<void>;
}
export type SpoolOptions = { readonly file: string; readonly limitBytes: number; readonly onCaughtUp: () => void };

const BLOCK_BYTES = 262_144;
const MAX_WAITING = 16;
const RESUME_AT = 4;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIR = 0o700;

export function createSpool({ file, limitBytes, onCaughtUp }: SpoolOptions): Spool {
  const writer = createWriter(file, onCaughtUp);
  let block: Block | undefined;
  let taken = 0;
  let dropped = false;
  const hand = () => {
    if (block !== undefined) writer.push(block);
    block = undefined;
  };
  const sync = () => {
    hand();
    return writer.idle();
  };
  return {
    file,
    get made() {
      return writer.state.made;
    },
    get whole() {
      return !dropped && !writer.state.failed;
    },
    get behind() {
      return writer.state.behind;
    },
    write(chunk) {
      const room = Math.min(chunk.length, limitBytes - taken);
      if (room < chunk.length) dropped = true;
      if (writer.state.failed) return;
      for (let at = 0; at < room; ) {
        block ??= { bytes: writer.freeBytes(), used: 0 };
        const part = chunk.subarray(at, Math.min(room, at + BLOCK_BYTES - block.used));
        block.bytes.set(part, block.used);
        block.used += part.length;
        at += part.length;
        if (block.used === BLOCK_BYTES) hand();
      }
      taken += room;
    },
    sync,
    async close({ keep }) {
      if (keep || writer.state.made) await sync();
      block = undefined;
      await writer.close();
    },
  };
}

type Block = { readonly bytes: Buffer; used: number };

interface Writer {
  readonly state: { readonly made: boolean; readonly failed: boolean; readonly behind: boolean };
  push(block: Block): void;
  freeBytes(): Buffer;
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Writes blocks in order, one at a time, and uses their memory again. */
function createWriter(file: string, onCaughtUp: () => void): Writer {
  const waiting: Block[] = [];
  const free: Buffer[] = [];
  const state = { made: false, failed: false, behind: false };
  let handle: FileHandle | undefined;
  let working: Promise<void> | undefined;
  const settle = () => {
    if (!state.behind || waiting.length > RESUME_AT) return;
    state.behind = false;
    onCaughtUp();
  };
  const work = async () => {
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        handle ??= await make(file);
        await writeAll(handle, next.bytes.subarray(0, next.used));
        waiting.shift();
        if (free.length < RESUME_AT) free.push(next.bytes);
        settle();
      }
    } catch {
      // Disk full or folder gone: the command goes on, the result says that the copy is not whole.
      state.failed = true;
      waiting.length = 0;
      settle();
    } finally {
      working = undefined;
    }
  };
  return {
    state,
    push(block) {
      if (state.failed) return;
      waiting.push(block);
      // From here on there will be a file, unless writing fails.
      state.made = true;
      if (waiting.length >= MAX_WAITING) state.behind = true;
      working ??= work();
    },
    freeBytes: () => free.pop() ?? Buffer.allocUnsafe(BLOCK_BYTES),
    async idle() {
      await working;
      state.made = handle !== undefined;
    },
    async close() {
      free.length = 0;
      await handle?.close().catch(() => {});
    },
  };
}

async function make(file: string): Promise<FileHandle> {
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_ONLY_DIR });
  return open(file, "w", OWNER_ONLY_FILE);
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
}
