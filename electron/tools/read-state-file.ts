// Keeps the read state in the session's folder, so that compare-and-swap still works after a resume (C09).
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { replaceFile } from "#electron/lib/replace-file.ts";
import { createReadState, SeenFile, type ReadState } from "./read-state.ts";

const Stored = z.object({ version: z.literal(1), files: z.array(SeenFile) });

export interface StoredReadState {
  readonly state: ReadState;
  /** Resolves when everything known so far is with the disk. Never rejects: without the file, files are read once more. */
  flush(): Promise<void>;
}

/** A missing or broken file means that nothing was seen yet, which only costs a read. */
export async function openReadState(file: string): Promise<StoredReadState> {
  const known = await readFile(file, "utf8")
    .then(
      (text) => Stored.parse(JSON.parse(text)).files,
      () => [],
    )
    .catch(() => []);
  let latest: readonly SeenFile[] | undefined;
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (latest !== undefined) {
      const text = JSON.stringify({ version: 1, files: latest });
      latest = undefined;
      await replaceFile(file, text).catch(() => undefined);
    }
    writing = undefined;
  };
  const state = createReadState({
    known,
    onChange: (snapshot) => {
      latest = snapshot;
      writing ??= drain();
    },
  });
  return { state, flush: () => writing ?? Promise.resolve() };
}
