// The settings file: JSON a person can read and edit. A damaged file is set aside, never overwritten; a bad value is
// ignored by itself and the rest kept (R4).
import { rename } from "node:fs/promises";
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
        const merged = { ...kept, ...next };
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

/** Replaces by its default every member that does not fit the schema. Pure. */
export function dropBadValues(raw: Readonly<Record<string, unknown>>): { readonly settings: Settings; readonly ignored: readonly string[] } {
  const ignored: string[] = [];
  let usable: Record<string, unknown> = { ...raw };
  for (;;) {
    const parsed = Settings.safeParse(usable);
    if (parsed.success) return { settings: parsed.data, ignored };
    const bad = firstBadKey(parsed.error);
    if (bad === undefined || !(bad in usable)) return { settings: Settings.parse({}), ignored: [...ignored, "*"] };
    ignored.push(bad);
    usable = Object.fromEntries(Object.entries(usable).filter(([key]) => key !== bad));
  }
}

function firstBadKey(error: z.ZodError): string | undefined {
  const key = error.issues[0]?.path[0];
  return typeof key === "string" ? key : undefined;
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
