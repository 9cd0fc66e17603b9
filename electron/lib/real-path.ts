// Where a path really leads (B11): the kernel's answer for what exists, the nearest existing parent's for what does not.
// `..` is walked, never folded as text: behind a link it leads elsewhere than the text says.
import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";

const MAX_LINKS = 40;

/** Absolute real path of an absolute path. Rejects when it cannot be told (a ring of links, no permission, NUL). */
export async function realPathOf(absolute: string): Promise<string> {
  return resolveLinks(absolute, 0);
}

async function resolveLinks(absolute: string, links: number): Promise<string> {
  if (links > MAX_LINKS) throw Object.assign(new Error(`too many links at ${absolute}`), { code: "ELOOP" });
  const known = await orMissing(realpath(absolute));
  if (known !== undefined) return known;
  const { parent, name } = lastStep(absolute);
  if (name === "") return parent;
  const target = await danglingTarget(absolute);
  if (target !== undefined) return resolveLinks(path.isAbsolute(target) ? target : `${parent}${path.sep}${target}`, links + 1);
  const folder = await resolveLinks(parent, links);
  if (name === ".") return folder;
  return name === ".." ? path.dirname(folder) : path.join(folder, name);
}

/** True for `folder` itself and everything below it; both absolute and real. */
export function isInside(inner: string, folder: string): boolean {
  const between = path.relative(folder, inner);
  return between === "" || (between !== ".." && !between.startsWith(`..${path.sep}`) && !path.isAbsolute(between));
}

/** Splits off the last name without folding anything before it, which `path.dirname` of a cleaned path would. */
function lastStep(absolute: string): { readonly parent: string; readonly name: string } {
  const { root } = path.parse(absolute);
  const trimmed = absolute.slice(root.length).replace(path.sep === "\\" ? /[\\/]+$/ : /\/+$/, "");
  const at = Math.max(trimmed.lastIndexOf("/"), path.sep === "\\" ? trimmed.lastIndexOf("\\") : -1);
  return { parent: at <= 0 ? `${root}${trimmed.slice(0, Math.max(at, 0))}` : `${root}${trimmed.slice(0, at)}`, name: trimmed.slice(at + 1) };
}

/** The target of a link that leads to nothing yet: writing through it would make that. */
async function danglingTarget(absolute: string): Promise<string | undefined> {
  const stats = await orMissing(lstat(absolute));
  return stats?.isSymbolicLink() === true ? orMissing(readlink(absolute)) : undefined;
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** `ENOENT`, `EACCES` … of a system error; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
