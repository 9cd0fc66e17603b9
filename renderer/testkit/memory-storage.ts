// Memory instead of a disk, for stores that are kept.
import type { KeptStorage } from "#renderer/stores/kept.ts";

export function memoryStorage(): KeptStorage {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
}
