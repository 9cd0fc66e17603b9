// Finds links that a pattern or a listing may read through (B11): their targets count as read, and the path guard judges them.
// Bounded: a folder that is too large to look through is reported as such, which asks.
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#electron/lib/real-path.ts";

const MAX_ENTRIES = 5_000;
/** What listings leave out or nobody reads file by file. */
const SKIPPED = new Set([".git", "node_modules"]);

export type FoundLinks = { readonly links: readonly string[]; readonly complete: boolean };

export type LinkSearch = { readonly below: boolean; readonly matches: (name: string) => boolean };

/** Programs and libraries of the system hold no secrets; a Python environment is full of links to them. */
const SYSTEM_TARGET = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix\/store|Library|System)\/(?!.*\.\.)/;

/** Absolute paths of the links in `folder`, or anywhere below it, by their names. A folder that is not there holds none. */
export async function findLinks(folder: string, { below, matches }: LinkSearch): Promise<FoundLinks> {
  const links: string[] = [];
  const open = [folder];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await entriesOf(next);
    seen += entries.length;
    if (seen > MAX_ENTRIES) return { links, complete: false };
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isSymbolicLink() && matches(entry.name) && !SYSTEM_TARGET.test(await readlink(path))) links.push(path);
      if (below && entry.isDirectory() && !SKIPPED.has(entry.name)) open.push(path);
    }
  }
  return { links, complete: true };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
