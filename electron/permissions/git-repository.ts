// Does a repository's own configuration make harmless git commands run programs (B06)? An untrusted repository may bring its
// settings and hooks along in an archive. The person's global settings are trusted; only what lies in the repository is read.
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

const MAX_CONFIG_BYTES = 256 * 1024;
const MAX_INCLUDES = 8;
const MAX_SUBMODULES = 50;

/** Settings whose value is a program, and those that bring in other settings. `fsmonitor = true` is git's own daemon. */
const PROGRAM_KEYS =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|gitproxy|askpass|alternaterefscommand|hookspath|attributesfile|worktree)|diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|pager\..+|gpg\.(?:program|.+\.program)|credential\..*helper|credential\.helper|alias\..+|interactive\.difffilter|sequence\.editor|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|trailer\..+\.command|trailer\..+\.cmd|man\..+\.cmd|browser\..+\.cmd|difftool\..+\.cmd|mergetool\..+\.cmd|submodule\..+\.update|protocol\.ext\.allow|extensions\.worktreeconfig)$/;
const HARMLESS_VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.fsmonitor$/, /^(?:true|false|1|0|yes|no|on|off)?$/i],
  [/^pager\.|^core\.pager$/, /^(?:true|false|cat|less|more|delta)?$/i],
  [/^filter\.lfs\.(?:clean|smudge|process)$/, /^git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/],
  [/^alias\./, /^(?!!)[\w\s.=:/@%^~"',-]*$/],
  [/^submodule\..+\.update$/, /^(?:checkout|rebase|merge|none)$/],
  [/^core\.hookspath$/, /^$/],
  [/^extensions\.worktreeconfig$/, /^(?:true|false)$/i],
];
/** Hooks that git runs although the command only reads: it writes its index along the way. */
const READ_HOOKS = ["post-index-change", "fsmonitor-watchman", "reference-transaction"];

/** Why git may run a program in this folder; undefined when nothing in the repository says so. Never rejects. */
export async function programsOfRepository(folder: string): Promise<string | undefined> {
  try {
    const gitDir = await findGitDir(folder);
    if (gitDir === undefined) return undefined;
    const common = await commonDirOf(gitDir);
    for (const dir of new Set([gitDir, common])) {
      const found = (await programIn(join(dir, "config"))) ?? (await programIn(join(dir, "config.worktree"))) ?? (await hookIn(join(dir, "hooks")));
      if (found !== undefined) return found;
    }
    return await submodulePrograms(join(common, "modules"));
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

async function hookIn(folder: string): Promise<string | undefined> {
  for (const name of READ_HOOKS) if ((await kindOf(join(folder, name))) === "file") return `the repository has the hook ${name}`;
  return undefined;
}

async function programIn(file: string, depth = 0): Promise<string | undefined> {
  if ((await kindOf(file)) !== "file") return undefined;
  if (depth > MAX_INCLUDES) return "the repository's settings include too many files";
  for (const { key, value } of readSettings(await readSmall(file))) {
    if (/^include(?:if\..*)?\.path$/.test(key)) {
      if (value.startsWith("~")) continue;
      const found = await programIn(isAbsolute(value) ? value : join(dirname(file), value), depth + 1);
      if (found !== undefined) return found;
    } else if (PROGRAM_KEYS.test(key) && !HARMLESS_VALUES.some(([name, harmless]) => name.test(key) && harmless.test(value)))
      return `the repository sets ${key}, which can run a program`;
  }
  return undefined;
}

/** Settings of a git configuration file: keys in lower case but for the middle part, which is lowered too for matching. */
export function readSettings(text: string): readonly { readonly key: string; readonly value: string }[] {
  const settings: { key: string; value: string }[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    const rest = header?.[3] ?? line;
    if (header !== null)
      section = [header[1], header[2]]
        .filter((part) => part !== undefined)
        .join(".")
        .toLowerCase();
    const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    if (pair !== null && section !== "") settings.push({ key: `${section}.${pair[1]?.toLowerCase() ?? ""}`, value: valueOf(pair[2]) });
  }
  return settings;
}

// Quotes may stand anywhere; a comment begins at an unquoted # or ;.
function valueOf(raw: string | undefined): string {
  if (raw === undefined) return "true";
  let [value, quoted] = ["", false];
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === "\\") value += raw.charAt((at += 1));
    else if (char === '"') quoted = !quoted;
    else if ((char === "#" || char === ";") && !quoted) break;
    else value += char;
  }
  return value.trim();
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

async function readSmall(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_CONFIG_BYTES) throw new Error("it is too large");
  return readFile(file, "utf8");
}
