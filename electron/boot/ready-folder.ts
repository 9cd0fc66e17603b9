// Makes the data folder and proves that it can be written, before anything depends on it.
import { constants } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result } from "#shared/lib/result.ts";

/** The error says what is wrong and what to do. */
export async function readyDataFolder(folder: string): Promise<Result<undefined, string>> {
  try {
    await make(folder);
    await access(folder, constants.W_OK);
    return ok(undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err(`The data folder ${folder} cannot be used: ${why}. Choose another with --data-dir.`);
  }
}

// Step by step: Node's own recursive mkdir never ends where a file system refuses new folders with ENOENT.
async function make(folder: string): Promise<void> {
  try {
    return await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if ((await isFolder(folder)) && code !== "ENOENT") return;
    if (code !== "ENOENT" || dirname(folder) === folder) throw error;
  }
  await make(dirname(folder));
  await mkdir(folder);
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
