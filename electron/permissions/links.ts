// Looks at the names of files that a pattern or a listing may meet (B11): links count as read by where they lead, and the path
// guard judges that; a name that text would be cut at is told. Bounded: a folder that is too large asks.
import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#electron/lib/real-path.ts";

const MAX_ENTRIES = 20_000;
/** What listings leave out or nobody reads file by file. */
const SKIPPED = new Set([".git", "node_modules"]);

export type FoundLinks = {
  readonly links: readonly string[];
  /** a name that would be cut into an option or another path */
  readonly trap: string | undefined;
  readonly complete: boolean;
};
/** `links`: by name, undefined when none matters. `listed`: names are read as text. */
export type LinkSearch = { readonly below: boolean; readonly links: ((name: string) => boolean) | undefined; readonly listed: boolean };

/** Programs and libraries of the system hold no secrets; a Python environment is full of links to them. */
const SYSTEM_TARGET = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix\/store|Library|System)\/(?!.*\.\.)/;
/** Cut at the white space, `x -o` brings an option, `x ..` a path out of here, and `x ` lets what follows begin at the root; quotes join. */
const TRAP = /\s(?:-|\.\.)|\s$|["'\\]/;

/** Absolute paths of the links in `folder`, or anywhere below it, by their names. A folder that is not there holds none. */
export async function findLinks(folder: string, search: LinkSearch, maxEntries = MAX_ENTRIES): Promise<FoundLinks> {
  const links: string[] = [];
  const open = [folder];
  let seen = 0;
  let trap: string | undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await entriesOf(next);
    seen += entries.length;
    if (seen > maxEntries) return { links, trap, complete: false };
    const found = await lookThrough(next, entries, search);
    links.push(...found.links);
    trap ??= found.trap;
    if (search.below) open.push(...found.folders);
  }
  return { links, trap, complete: true };
}

async function lookThrough(folder: string, entries: readonly Dirent[], { links: matches, listed }: LinkSearch) {
  const links: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && matches?.(entry.name) === true && !SYSTEM_TARGET.test(await readlink(path))) links.push(path);
  }
  const odd = listed ? entries.find((entry) => TRAP.test(entry.name)) : undefined;
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map((entry) => join(folder, entry.name));
  return { links, trap: odd === undefined ? undefined : join(folder, odd.name), folders };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
