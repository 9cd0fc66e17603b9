// The settings file: JSON a person can read and edit. A damaged file is set aside, never overwritten; a bad value is
// ignored by itself and the rest kept (R4).
import { copyFile, rename } from "node:fs/promises";
import type { z } from "zod";
import { Settings } from "#shared/settings/settings.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import { type PlainFile, readPlainFile } from "#electron/lib/plain-file.ts";
import type { SettingsProblem, SettingsStore } from "./contract.ts";

export async function openSettings(path: string): Promise<SettingsStore> {
  const { raw, problems, locked } = await readRaw(path);
  const usable = dropBadValues(raw);
  let kept = raw;
  let current = usable.settings;
  // What could not be used stays in the file as the person wrote it, until they set that member anew.
  const unused = new Set(usable.ignored.map((at) => at.split(".")[0] ?? at));
  let writing: Promise<unknown> = Promise.resolve();
  const listeners = new Set<(settings: Settings) => void>();
  return {
    current: () => current,
    problems: [...problems, ...usable.ignored.map((key): SettingsProblem => ({ key: "settings_value_ignored", path: `${path} (${key})` }))],
    set(patch) {
      const write = writing.then(async () => {
        if (locked) throw new Error(`the settings cannot be changed while ${path} cannot be read`);
        const next = Settings.parse({ ...current, ...patch });
        // Unknown and ignored members stay in the file: a newer version of the app may know them.
        const replaced = [...unused].filter((name) => name in patch);
        if (replaced.length > 0) await copyFile(path, `${path}.before-change`).catch(() => {});
        for (const name of replaced) unused.delete(name);
        const merged = { ...kept, ...next, ...Object.fromEntries([...unused].filter((name) => name in kept).map((name) => [name, kept[name]])) };
        await replaceFile(path, `${JSON.stringify(merged, null, 2)}\n`);
        kept = merged;
        current = next;
        for (const listener of listeners) listener(current);
        return current;
      });
      writing = write.catch(() => {});
      return write;
    },
    follow(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

/** Settings from a file given on the command line: read only, errors are the caller's to tell. */
export async function readSettingsFile(
  path: string,
): Promise<{ readonly ok: true; readonly raw: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly message: string }> {
  const read = await readPlainFile(path, { maxBytes: MOST_BYTES });
  if (read.kind !== "read") return { ok: false, message: whyNot(read) };
  const raw = parseObject(read.text);
  return raw === undefined ? { ok: false, message: "it is not a JSON object" } : { ok: true, raw };
}

/**
 * Leaves out every value that does not fit the schema, and no more than it: one bad rule does not take the others along (B16).
 * `ignored` says where they stood (`rules.deny.2`); of a list the places are those of the file. Pure.
 */
export function dropBadValues(raw: Readonly<Record<string, unknown>>): { readonly settings: Settings; readonly ignored: readonly string[] } {
  const ignored: string[] = [];
  let usable: unknown = raw;
  for (;;) {
    const parsed = Settings.safeParse(usable);
    if (parsed.success) return { settings: parsed.data, ignored };
    const cut = badPlaces(parsed.error, usable);
    if (cut.length === 0) return { settings: Settings.parse({}), ignored: [...ignored, "*"] };
    ignored.push(...cut.map((place) => place.join(".")));
    for (const place of cut) usable = without(usable, place);
  }
}

type Place = readonly (string | number)[];

// Each once, and the last of a list first, so that the places before it stay true.
function badPlaces(error: z.ZodError, value: unknown): readonly Place[] {
  const places = error.issues.map((issue) =>
    longestHeld(
      value,
      issue.path.filter((key) => typeof key !== "symbol"),
    ),
  );
  const named = new Map(places.filter((place) => place.length > 0).map((place) => [place.join("."), place]));
  return [...named.values()].sort(lastFirst);
}

function lastFirst(a: Place, b: Place): number {
  for (const [depth, one] of a.entries()) {
    const other = b[depth];
    if (other === undefined) return -1;
    if (one === other) continue;
    if (typeof one === "number" && typeof other === "number") return other - one;
    return String(one) < String(other) ? -1 : 1;
  }
  return 1;
}

// What is missing cannot be left out: then what holds it is.
function longestHeld(value: unknown, place: Place): Place {
  let at: unknown = value;
  for (const [depth, key] of place.entries()) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return place.slice(0, depth);
    at = Object.entries(at).find(([name]) => name === String(key))?.[1];
  }
  return place;
}

function without(value: unknown, [key, ...rest]: Place): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return value;
  const leave = (held: unknown) => without(held, rest);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return rest.length === 0 ? items.filter((_item, at) => at !== key) : items.map((item, at) => (at === key ? leave(item) : item));
  }
  const members = Object.entries(value);
  return Object.fromEntries(
    rest.length === 0 ? members.filter(([name]) => name !== key) : members.map(([name, held]) => [name, name === key ? leave(held) : held]),
  );
}

async function readRaw(
  path: string,
): Promise<{ readonly raw: Readonly<Record<string, unknown>>; readonly problems: readonly SettingsProblem[]; readonly locked: boolean }> {
  const read = await readPlainFile(path, { maxBytes: MOST_BYTES });
  if (read.kind === "missing") return { raw: {}, problems: [], locked: false };
  // Rules may stand in it: it is neither passed over in silence nor written over.
  if (read.kind !== "read" || read.cut) return { raw: {}, problems: [{ key: "settings_unreadable", path: `${path} (${whyNot(read)})` }], locked: true };
  const raw = parseObject(read.text);
  if (raw !== undefined) return { raw, problems: [], locked: false };
  const aside = `${path}.damaged`;
  await rename(path, aside).catch(() => {});
  return { raw: {}, problems: [{ key: "settings_damaged", path: aside }], locked: false };
}

const MOST_BYTES = 64 * 1024 * 1024;

function whyNot(read: PlainFile): string {
  switch (read.kind) {
    case "unreadable":
      return read.message;
    case "not_a_file":
      return "it is not a plain file";
    case "missing":
      return "it is not there";
    default:
      return "it is far too large";
  }
}

function parseObject(content: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
