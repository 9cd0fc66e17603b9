// sha256 of a file's content, as compare-and-swap knows files: read in pieces, never through a link, never a pipe or device.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { errorCode } from "./real-path.ts";

/** Hex; null when there is no such file. Rejects for what is no regular file or cannot be read. */
export async function hashOfFile(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isFile()) throw new Error(`${path} is not a regular file`);
    const hash = createHash("sha256");
    const chunks: AsyncIterable<Buffer> = createReadStream(path);
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest("hex");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}
