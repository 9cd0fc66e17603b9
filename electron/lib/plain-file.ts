// Reading a file that others may have planted: a folder's own, or one where a file of ours should be. A FIFO would hold us for ever, a
// device has no end, and a link may lead to a secret (B11, F03). Only a regular file is read, up to a limit, and where it has to lie
// within a folder its real place counts.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, isInside, realPathOf } from "./real-path.ts";

export type PlainFileLimits = {
  /** what is longer is cut here */
  readonly maxBytes: number;
  /** the folder in which it must really lie; absent: anywhere */
  readonly within?: string;
};

/** `elsewhere`: a link out of `within`; `not_a_file`: a folder, FIFO, device or socket. */
export type PlainFile =
  | { readonly kind: "read"; readonly text: string; readonly cut: boolean }
  | { readonly kind: "missing" | "elsewhere" | "not_a_file" }
  | { readonly kind: "unreadable"; readonly message: string };

/** Windows has neither flag; there is nothing to wait for at an ordinary open. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Never rejects and never waits for a writer. */
export async function readPlainFile(path: string, { maxBytes, within }: PlainFileLimits): Promise<PlainFile> {
  let handle: FileHandle | undefined;
  try {
    const real = await realPathOf(path);
    if (within !== undefined && !isInside(real, await realPathOf(within))) return { kind: "elsewhere" };
    handle = await open(real, FLAGS);
    const facts = await handle.stat();
    if (!facts.isFile()) return { kind: "not_a_file" };
    const bytes = Buffer.alloc(Math.min(maxBytes, facts.size) + 1);
    let size = 0;
    while (size < bytes.length) {
      const { bytesRead } = await handle.read(bytes, size, bytes.length - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return { kind: "read", text: bytes.toString("utf8", 0, Math.min(size, maxBytes)), cut: size > maxBytes };
  } catch (error) {
    return failureOf(error);
  } finally {
    await handle?.close();
  }
}

function failureOf(error: unknown): PlainFile {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  // A FIFO or socket that cannot be opened is none either.
  if (code === "ENXIO" || code === "EISDIR" || code === "EOPNOTSUPP") return { kind: "not_a_file" };
  return { kind: "unreadable", message: error instanceof Error ? error.message : String(error) };
}

/** The text alone; undefined whatever the reason. */
export async function plainText(path: string, limits: PlainFileLimits): Promise<string | undefined> {
  const read = await readPlainFile(path, limits);
  return read.kind === "read" ? read.text : undefined;
}
