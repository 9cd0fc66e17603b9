// Opens a regular file and nothing else: pipes and devices are refused before anything touches them (T12).
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import type { Result } from "#shared/lib/result.ts";
import { err } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Place } from "#electron/tools/contract.ts";
import { diskFailure, missingFile } from "./disk-failure.ts";
import { specialKind } from "./file-kind.ts";
import { isMissing, shownPath } from "./path-facts.ts";

export type OpenedFile = { readonly handle: FileHandle; readonly stats: Stats };
export type NamedFile = { readonly real: string; readonly shown: string; readonly show: (file: string) => string };

/** Runs `use` with the open file and closes it. `real` has no links left; one that appears there is not followed. */
export async function withRegularFile<T>(file: NamedFile, use: (opened: OpenedFile) => Promise<Result<T, ToolFailure>>): Promise<Result<T, ToolFailure>> {
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(file.real);
    const refused = refusal(before, file.shown);
    if (refused !== undefined) return err(refused);
    // Without waiting: a pipe that takes the file's place would otherwise hold the call for ever.
    handle = await open(file.real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile() || stats.ino !== before.ino)
      return err({ kind: "tool_error", retryable: true, message: `${file.shown} was replaced while it was opened. Call again.` });
    return await use({ handle, stats });
  } catch (error) {
    if (isMissing(error)) return err(await missingFile(file.real, file.shown, file.show));
    return err(diskFailure(error, `read ${file.shown}`));
  } finally {
    await handle?.close();
  }
}

function refusal(stats: Stats, shown: string): ToolFailure | undefined {
  if (stats.isDirectory())
    return { kind: "tool_error", retryable: false, message: `${shown} is a folder. List it with ls {"path": ${JSON.stringify(shown)}}.` };
  const special = specialKind(stats);
  return special === undefined
    ? undefined
    : {
        kind: "tool_error",
        retryable: false,
        message: `${shown} is ${special}, not a file with content; it is never opened. Find the file you mean with ls or glob.`,
      };
}

const CHUNK_BYTES = 256 * 1024;

/** The bytes from the beginning, at most `max`; undefined when there are more, whatever the size says (`/proc`). */
export async function readAtMost(handle: FileHandle, max: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(handle)) {
    size += chunk.length;
    if (size > max) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The whole file in pieces of bounded size; each piece is a buffer of its own. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer, void, void> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The first bytes, enough to tell what the file is. */
export async function headOfFile(handle: FileHandle, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/** sha256 in hex, as compare-and-swap knows files. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function namedFile(real: string, place: Place): NamedFile {
  const show = (file: string) => shownPath(file, place);
  return { real, shown: show(real), show };
}
