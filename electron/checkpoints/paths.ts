// Paths inside the workspace: relative, `/` as separator, and every byte of an odd name kept (K4). Bytes that are no UTF-8
// stand as lone surrogates U+DC80 to U+DCFF, so that a path is a plain string everywhere and still finds its file.

const LONE_BYTE = /[\uDC80-\uDCFF]/u;
const REPLACEMENT = "\uFFFD";

const sequenceLength = (lead: number) =>
  lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;

/** Text of a name or link target as the disk holds it. */
export function textOfBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  if (!text.includes(REPLACEMENT) || Buffer.from(text, "utf8").equals(buffer)) return text;
  const parts: string[] = [];
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer[at] ?? 0);
    const part = buffer.subarray(at, at + length);
    const decoded = part.toString("utf8");
    if (length > 0 && Buffer.from(decoded, "utf8").equals(part)) {
      parts.push(decoded);
      at += length;
    } else {
      parts.push(String.fromCharCode(0xdc00 + (buffer[at] ?? 0)));
      at += 1;
    }
  }
  return parts.join("");
}

/** The inverse of `textOfBytes`. */
export function bytesOfText(text: string): Buffer {
  if (!LONE_BYTE.test(text)) return Buffer.from(text, "utf8");
  const parts: Buffer[] = [];
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(point, "utf8"));
  }
  return Buffer.concat(parts);
}

/** What node:fs wants: bytes only where a string would lose some. */
export function nativePath(absolute: string): string | Buffer {
  return LONE_BYTE.test(absolute) ? bytesOfText(absolute) : absolute;
}

export function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** "" is the workspace folder itself. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth++;
  return depth;
}

export function isBelow(path: string, folder: string): boolean {
  return folder === "" || (path.length > folder.length && path.startsWith(folder) && path[folder.length] === "/");
}

/** All folders above, nearest first, without the workspace folder itself. */
export function ancestorsOf(path: string): readonly string[] {
  const all: string[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) all.push(folder);
  return all;
}

/** Workspace-relative form of a path that a tool declared or a person picked; undefined when it lies outside. */
export function relativePath(root: string, given: string, platform: NodeJS.Platform): string | undefined {
  const slashed = (path: string) => (platform === "win32" ? path.replaceAll("\\", "/") : path);
  const base = slashed(root).replace(/\/+$/, "");
  const path = slashed(given);
  const isAbsolute = path.startsWith("/") || (platform === "win32" && /^[A-Za-z]:\//.test(path));
  const inside = isAbsolute ? cutRoot(base, path, platform) : path;
  if (inside === undefined) return undefined;
  const parts: string[] = [];
  for (const part of inside.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Those that lie inside, in relative form. */
export function cleanPaths(paths: readonly string[], where: { readonly root: string; readonly platform: NodeJS.Platform }): readonly string[] {
  return paths.flatMap((path) => relativePath(where.root, path, where.platform) ?? []);
}

function cutRoot(base: string, path: string, platform: NodeJS.Platform): string | undefined {
  const same = platform === "linux" ? (text: string) => text : (text: string) => text.toLowerCase();
  if (same(path) === same(base)) return "";
  return same(path).startsWith(`${same(base)}/`) ? path.slice(base.length + 1) : undefined;
}
