// Which commit a repository stood at, read from its files without running git: so that a preview can say that commits were made
// since. Nothing of a repository is ever written (K1).
import type { Disk } from "./disk.ts";
import { codeOf } from "./error-code.ts";
import { join } from "./paths.ts";

const HASH = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** The commit hash, or undefined without a repository, without a commit, or where it cannot be told. */
export function readGitHead(disk: Disk, root: string): string | undefined {
  const folder = gitFolder(disk, root);
  if (folder === undefined) return undefined;
  const head = readText(disk, join(folder, "HEAD"));
  if (head === undefined || HASH.test(head)) return head;
  const name = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  if (name === undefined || name.includes("..")) return undefined;
  return readBranch(disk, folder, name);
}

/** A branch has a file of its own; only without one is the list of packed ones read, which can be large. */
function readBranch(disk: Disk, folder: string, name: string): string | undefined {
  const common = commonFolder(disk, folder);
  for (const place of [folder, common]) {
    const hash = readText(disk, join(place, name));
    if (hash !== undefined && HASH.test(hash)) return hash;
  }
  const packed = readText(disk, join(common, "packed-refs"))
    ?.split("\n")
    .find((line) => line.endsWith(` ${name}`));
  const hash = packed?.split(" ")[0];
  return hash !== undefined && HASH.test(hash) ? hash : undefined;
}

/** A submodule or linked work tree has a file that names the folder. */
function gitFolder(disk: Disk, root: string): string | undefined {
  const path = join(root, ".git");
  const kind = statKind(disk, path);
  if (kind === "dir") return path;
  if (kind !== "file") return undefined;
  const target = /^gitdir: (.+)$/m.exec(readText(disk, path) ?? "")?.[1]?.trim();
  return target === undefined ? undefined : absolute(root, target);
}

function commonFolder(disk: Disk, folder: string): string {
  const common = readText(disk, join(folder, "commondir"));
  return common === undefined ? folder : absolute(folder, common);
}

function absolute(base: string, path: string): string {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) ? path : join(base, path);
}

function statKind(disk: Disk, path: string) {
  try {
    return disk.stat(path)?.kind;
  } catch {
    return undefined;
  }
}

function readText(disk: Disk, path: string): string | undefined {
  try {
    return disk.stat(path)?.kind === "file" ? disk.read(path).bytes.toString("utf8").trim() : undefined;
  } catch (error) {
    if (codeOf(error) !== "") return undefined;
    throw error;
  }
}
