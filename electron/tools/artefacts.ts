// Whole results that were too long for the model, as files in the session's own folder (T9).
import { mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import type { ArtefactStore } from "./result-limit.ts";

const MAX_NAME_CHARS = 80;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIR = 0o700;

/** `dir`: absolute; made on first use. Nothing is overwritten: a name that is taken gets a number. */
export function createArtefactStore(dir: string): ArtefactStore {
  return {
    dir,
    async put(name, text) {
      await mkdir(dir, { recursive: true, mode: OWNER_ONLY_DIR });
      const base = name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, MAX_NAME_CHARS) || "result";
      for (let count = 1; ; count++) {
        const file = path.join(dir, count === 1 ? `${base}.txt` : `${base}-${count}.txt`);
        if (await writeNew(file, text)) return file;
      }
    },
  };
}

/** False when the name is taken. */
async function writeNew(file: string, text: string): Promise<boolean> {
  const handle = await open(file, "wx", OWNER_ONLY_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  try {
    await handle.writeFile(text, "utf8");
    return true;
  } catch (error) {
    // Half a result that is called whole would mislead.
    await unlink(file).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
