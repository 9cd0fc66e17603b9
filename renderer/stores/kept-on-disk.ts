// The browser keeps what is written to its storage in memory for some seconds; a crash of the app in between would take the draft
// along (UX 2). So the engine is asked to have it written, a moment after the last change.
import type { KeptStorage } from "./kept.ts";

const AFTER_MS = 200;

/** `toDisk`: asks for everything written so far to be put on the disk. */
export function keptOnDisk(storage: KeptStorage, toDisk: () => void): KeptStorage {
  let timer = 0;
  return {
    getItem: (key) => storage.getItem(key),
    setItem(key, value) {
      storage.setItem(key, value);
      window.clearTimeout(timer);
      timer = window.setTimeout(toDisk, AFTER_MS);
    },
  };
}
