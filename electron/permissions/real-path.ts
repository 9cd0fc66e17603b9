// Where a path really leads (B11): the kernel's answer for what exists, the nearest existing parent's for what does not.
// `..` is walked, never folded as text: after a link it leads elsewhere than the text says.
import { lstat, readlink, realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";

const MAX_LINKS = 40;

/** Absolute real path; throws when it cannot be told (loops, no permission), which the chain takes as a question. */
export async function realPathOf(path: string, links = 0): Promise<string> {
  if (links > MAX_LINKS) throw new Error(`Too many links at ${path}`);
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const { parent, name } = split(path);
  if (name === "") return parent;
  const target = await danglingTarget(path);
  if (target !== undefined) return realPathOf(isAbsolute(target) ? target : `${parent}/${target}`, links + 1);
  const folder = await realPathOf(parent, links);
  if (name === ".") return folder;
  if (name === "..") return split(folder).parent;
  return folder.endsWith("/") || folder.endsWith("\\") ? folder + name : `${folder}${separatorOf(folder)}${name}`;
}

function split(path: string): { readonly parent: string; readonly name: string } {
  const trimmed = path.replace(/(?<=[^\\/])[\\/]+$/, "");
  const at = Math.max(trimmed.lastIndexOf("/"), separatorOf(trimmed) === "\\" ? trimmed.lastIndexOf("\\") : -1);
  if (at <= 0) return { parent: "/", name: trimmed.slice(at + 1) };
  const parent = trimmed.slice(0, at);
  return { parent: /^[A-Za-z]:$/.test(parent) ? `${parent}\\` : parent, name: trimmed.slice(at + 1) };
}

function separatorOf(path: string): string {
  return /^(?:[A-Za-z]:|\\\\)/.test(path) ? "\\" : "/";
}

// A link whose target does not exist yet: writing through it makes the target.
async function danglingTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
