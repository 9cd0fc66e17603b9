// Bytes that belong to a session but not into its log: images, documents. Named by their hash, so the same picture is kept once.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Blobs {
  /** Stores bytes; answers the name to put into a block. */
  put(bytes: Uint8Array): Promise<string>;
  /** Base64 of the bytes; undefined when the name is not known or the file is gone. */
  base64(ref: string): Promise<string | undefined>;
}

const NAME = /^[0-9a-f]{64}$/;

export function createBlobs(folder: string): Blobs {
  return {
    async put(bytes) {
      const ref = createHash("sha256").update(bytes).digest("hex");
      await mkdir(folder, { recursive: true });
      const draft = join(folder, `${ref}.draft`);
      await writeFile(draft, bytes);
      await rename(draft, join(folder, ref));
      return ref;
    },
    async base64(ref) {
      if (!NAME.test(ref)) return undefined;
      return readFile(join(folder, ref)).then(
        (bytes) => bytes.toString("base64"),
        () => undefined,
      );
    },
  };
}
