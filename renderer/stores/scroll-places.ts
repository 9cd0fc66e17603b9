// Where one was reading in each conversation, for coming back to it (G02). Lives as long as the window.
import type { CacheSnapshot } from "virtua";

export type ScrollPlace = { readonly offset: number; readonly count: number; readonly cache: CacheSnapshot };
export type ScrollPlaces = Pick<Map<string, ScrollPlace>, "get" | "set" | "delete">;
