// A picture that an answer names, from the session's folder and from nowhere else (U3, R1).
import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isInside } from "#electron/lib/real-path.ts";
import { imageSizeOf } from "#electron/tools/builtin/image-size.ts";
import { IMAGE_MAX_PIXELS } from "#electron/tools/builtin/read-picture.ts";

const MAX_BYTES = 12 * 1024 * 1024;

/** base64 of a PNG, JPEG, GIF or WebP; undefined for whatever else is there, for what leads out of the folder, and for what is not there. */
export async function folderPicture(folder: string, path: string): Promise<string | undefined> {
  // What another computer would answer is judged by its text alone: it is not touched.
  if (/^[\\/]{2}/.test(path) || path.includes("\0")) return undefined;
  try {
    const real = await realpath(resolve(folder, path));
    if (!isInside(real, await realpath(folder))) return undefined;
    const stats = await stat(real);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const bytes = await readFile(real);
    const size = imageSizeOf(bytes);
    return size === undefined || size.width * size.height > IMAGE_MAX_PIXELS ? undefined : bytes.toString("base64");
  } catch {
    return undefined;
  }
}
