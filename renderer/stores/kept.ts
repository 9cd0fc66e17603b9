// Small things the window itself remembers between starts (layout, drafts): parsed when read, written after a pause.
import type { z } from "zod";
import { createStore, type StoreApi } from "zustand/vanilla";

const WRITE_AFTER_MS = 250;

/** Where a kept value lives; localStorage of the app's own origin, or memory in tests. */
export type KeptStorage = Pick<Storage, "getItem" | "setItem">;

export type KeptStore<T> = StoreApi<T> & { /** Writes at once what is still waiting. */ readonly flush: () => void };

/** A store that starts with what was kept under `key`; what does not parse counts as nothing. */
export function createKeptStore<S extends z.ZodType>(storage: KeptStorage, key: string, schema: S, empty: z.infer<S>): KeptStore<z.infer<S>> {
  const store = createStore<z.infer<S>>(() => readKept(storage, key, schema) ?? empty);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      storage.setItem(key, JSON.stringify(store.getState()));
    } catch {
      // A full or forbidden storage costs the memory of the layout, not the session.
    }
  };
  store.subscribe(() => {
    timer ??= setTimeout(write, WRITE_AFTER_MS);
  });
  return Object.assign(store, { flush: () => (timer === undefined ? undefined : write()) });
}

function readKept<S extends z.ZodType>(storage: KeptStorage, key: string, schema: S): z.infer<S> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(storage.getItem(key) ?? "null"));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
