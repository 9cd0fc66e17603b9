// One text of a catalogue with its parameters filled in; for places without the window's i18n (headless command, tests).
import type { Notice } from "#shared/loop/turn-end.ts";

/** Nested texts by key part, as in the JSON files of this folder. */
export type Catalogue = { readonly [part: string]: string | Catalogue };

/** The text under `key` (parts divided by dots); the key itself when there is none, so that a gap shows. */
export function say(catalogue: Catalogue, { key, params }: Notice): string {
  let at: string | Catalogue | undefined = catalogue;
  for (const part of key.split(".")) at = typeof at === "object" && Object.hasOwn(at, part) ? at[part] : undefined;
  if (typeof at !== "string") return key;
  return at.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = params?.[name];
    return value === undefined ? whole : String(value);
  });
}
