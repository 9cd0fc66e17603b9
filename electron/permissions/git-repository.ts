// Does a repository's own configuration make harmless git commands run programs (B06)? An untrusted repository may bring its
// settings and hooks along in an archive. The person's global settings are trusted; only what lies in the repository is read.
import { constants } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { homeFolder } from "#electron/lib/home-folder.ts";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import { gitlinksIn } from "./git-index.ts";
import { readSettings } from "./git-settings.ts";

const MAX_CONFIG_BYTES = 256 * 1024;
const MAX_INCLUDES = 8;
const MAX_SUBMODULES = 50;
const MAX_NESTED = 4;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** Settings whose value is a program, and those that bring in other settings. `fsmonitor = true` is git's own daemon. */
const PROGRAM_KEYS =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|gitproxy|askpass|alternaterefscommand|hookspath|attributesfile|worktree)|diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|pager\..+|gpg\.(?:program|.+\.program)|credential\..*helper|credential\.helper|alias\..+|interactive\.difffilter|sequence\.editor|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|trailer\..+\.command|trailer\..+\.cmd|man\..+\.cmd|browser\..+\.cmd|difftool\..+\.cmd|mergetool\..+\.cmd|submodule\..+\.update|protocol\.(?:.+\.)?allow|extensions\.worktreeconfig)$/;
const HARMLESS_VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.fsmonitor$/, /^(?:true|false|1|0|yes|no|on|off)?$/i],
  [/^pager\.|^core\.pager$/, /^(?:true|false|cat|less|more|delta)?$/i],
  [/^filter\.lfs\.(?:clean|smudge|process)$/, /^git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/],
  [/^alias\./, /^(?!!)[\w\s.=:/@%^~"',-]*$/],
  [/^submodule\..+\.update$/, /^(?:checkout|rebase|merge|none)$/],
  [/^core\.hookspath$/, /^$/],
  [/^protocol\./, /^never$/],
  [/^extensions\.worktreeconfig$/, /^(?:true|false)$/i],
];
/** Hooks that git runs although the command only reads: it writes its index along the way. */
const READ_HOOKS = ["post-index-change", "fsmonitor-watchman", "reference-transaction"];

/** Why git may run a program in this folder; undefined when nothing in the repository says so. Never rejects. */
export function programsOfRepository(folder: string): Promise<string | undefined> {
  return programsBelow(folder, 0);
}

async function programsBelow(folder: string, depth: number): Promise<string | undefined> {
  try {
    const gitDir = await findGitDir(folder);
    if (gitDir === undefined) return undefined;
    const common = await commonDirOf(gitDir);
    for (const dir of new Set([gitDir, common])) {
      const found = (await programIn(join(dir, "config"))) ?? (await programIn(join(dir, "config.worktree"))) ?? (await hookIn(join(dir, "hooks")));
      if (found !== undefined) return found;
    }
    return (await submodulePrograms(join(common, "modules"))) ?? (await nestedPrograms(gitDir, depth));
  } catch (error) {
    return `the settings of the repository could not be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function findGitDir(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const dotGit = join(at, ".git");
    const kind = await kindOf(dotGit);
    if (kind === "folder") return dotGit;
    if (kind === "file") {
      const target = /^gitdir:\s*(.+?)\s*$/m.exec(await readSmall(dotGit))?.[1];
      return target === undefined ? undefined : isAbsolute(target) ? target : join(at, target);
    }
    // A folder may itself be laid out as a repository, without `.git`.
    if ((await kindOf(join(at, "HEAD"))) === "file" && (await kindOf(join(at, "objects"))) === "folder" && (await kindOf(join(at, "refs"))) === "folder")
      return at;
    if (dirname(at) === at) return undefined;
  }
}

async function commonDirOf(gitDir: string): Promise<string> {
  const file = join(gitDir, "commondir");
  if ((await kindOf(file)) !== "file") return gitDir;
  const target = (await readSmall(file)).trim();
  return isAbsolute(target) ? target : join(gitDir, target);
}

async function submodulePrograms(modules: string): Promise<string | undefined> {
  const names = await readdir(modules).catch(() => []);
  if (names.length > MAX_SUBMODULES) return "the repository has more submodules than can be looked at";
  for (const name of names) {
    const dir = join(modules, name);
    const found =
      (await programIn(join(dir, "config"))) ??
      (await hookIn(join(dir, "hooks"))) ??
      ((await kindOf(join(dir, "HEAD"))) === undefined ? await submodulePrograms(dir) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Repositories within the repository: git looks into each, under its own settings. */
async function nestedPrograms(gitDir: string, depth: number): Promise<string | undefined> {
  const links = await gitlinksOf(gitDir);
  if (links.length === 0) return undefined;
  const top = basename(gitDir) === ".git" ? dirname(gitDir) : undefined;
  if (top === undefined || depth >= MAX_NESTED || links.length > MAX_SUBMODULES) return "the repository holds others that could not be looked at";
  for (const link of links) {
    // One that was never fetched has no settings of its own.
    if ((await kindOf(join(top, link, ".git"))) === undefined) continue;
    const found = await programsBelow(join(top, link), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Read once for as long as the file is the same: a large index takes a while, and git is asked often. */
const known = new Map<string, { readonly identity: string; readonly links: readonly string[] }>();
const MOST_KNOWN = 16;

async function gitlinksOf(gitDir: string): Promise<readonly string[]> {
  const file = join(gitDir, "index");
  if ((await kindOf(file)) === undefined) return [];
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await linksOf(handle, gitDir);
  } finally {
    await handle.close();
  }
}

async function linksOf(handle: FileHandle, gitDir: string): Promise<readonly string[]> {
  const facts = await handle.stat();
  if (!facts.isFile() || facts.size > MAX_INDEX_BYTES) throw new Error("its index cannot be looked at");
  const identity = [facts.dev, facts.ino, facts.size, facts.mtimeMs, facts.ctimeMs].join(" ");
  const before = known.get(gitDir);
  if (before?.identity === identity) return before.links;
  const config = join(await commonDirOf(gitDir), "config");
  const isSha256 = (await kindOf(config)) !== undefined && /objectformat\s*=\s*"?sha256/i.test(await readSmall(config));
  const links = gitlinksIn(await handle.readFile(), isSha256 ? 32 : 20);
  const [oldest] = known.keys();
  if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(gitDir, { identity, links });
  return links;
}

async function hookIn(folder: string): Promise<string | undefined> {
  for (const name of READ_HOOKS) if ((await kindOf(join(folder, name))) === "file") return `the repository has the hook ${name}`;
  return undefined;
}

async function programIn(file: string, depth = 0): Promise<string | undefined> {
  if ((await kindOf(file)) !== "file") return undefined;
  if (depth > MAX_INCLUDES) return "the repository's settings include too many files";
  for (const { key, value } of readSettings(await readSmall(file))) {
    const isInclude = /^include(?:if\..*)?\.path$/.test(key);
    const found = isInclude ? await programInIncluded(value, file, depth) : programNamed(key, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function programInIncluded(value: string, file: string, depth: number): Promise<string | undefined> {
  if (/^~[^/]/.test(value) || value.startsWith("%(")) return `the repository includes settings from ${value}`;
  const path = value.startsWith("~") ? join(homeFolder(), value.slice(1)) : value;
  return programIn(isAbsolute(path) ? path : join(dirname(file), path), depth + 1);
}

function programNamed(key: string, value: string): string | undefined {
  const harmless = HARMLESS_VALUES.some(([name, values]) => name.test(key) && values.test(value));
  return PROGRAM_KEYS.test(key) && !harmless ? `the repository sets ${key}, which can run a program` : undefined;
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? "folder" : "file";
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

/** A FIFO or device in the place of a file is never waited for. */
async function readSmall(file: string): Promise<string> {
  const read = await readPlainFile(file, { maxBytes: MAX_CONFIG_BYTES });
  if (read.kind !== "read") throw new Error(`${file} is no plain file that can be read`);
  if (read.cut) throw new Error("it is too large");
  return read.text;
}
