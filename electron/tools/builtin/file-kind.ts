// What a file holds, told from its first bytes; names for what cannot be shown as text (T12). Pure.
import type { Stats } from "node:fs";

export type FileKind =
  | { readonly kind: "image"; readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" }
  | { readonly kind: "pdf" }
  | { readonly kind: "other"; readonly name: string };

type Sign = { readonly at?: number; readonly bytes: string; readonly is: FileKind };
const other = (name: string): FileKind => ({ kind: "other", name });
const image = (mediaType: Extract<FileKind, { kind: "image" }>["mediaType"]): FileKind => ({ kind: "image", mediaType });

/** `bytes` is Latin-1 text; the first that fits wins. */
const SIGNS: readonly Sign[] = [
  { bytes: "\x89PNG\r\n\x1a\n", is: image("image/png") },
  { bytes: "\xff\xd8\xff", is: image("image/jpeg") },
  { bytes: "GIF87a", is: image("image/gif") },
  { bytes: "GIF89a", is: image("image/gif") },
  { at: 8, bytes: "WEBPVP8", is: image("image/webp") },
  { bytes: "%PDF-", is: { kind: "pdf" } },
  { bytes: "PK\x03\x04", is: other("zip archive or office document") },
  { bytes: "\x7fELF", is: other("ELF program or library") },
  { bytes: "MZ", is: other("Windows program or library") },
  { bytes: "\xcf\xfa\xed\xfe", is: other("macOS program or library") },
  { bytes: "\xca\xfe\xba\xbe", is: other("Java class or macOS program") },
  { bytes: "\x1f\x8b", is: other("gzip archive") },
  { bytes: "BZh", is: other("bzip2 archive") },
  { bytes: "\xfd7zXZ\0", is: other("xz archive") },
  { bytes: "7z\xbc\xaf\x27\x1c", is: other("7-Zip archive") },
  { bytes: "(\xb5/\xfd", is: other("Zstandard archive") },
  { at: 257, bytes: "ustar", is: other("tar archive") },
  { bytes: "SQLite format 3\0", is: other("SQLite database") },
  { bytes: "\0asm", is: other("WebAssembly module") },
  { at: 4, bytes: "ftypavif", is: other("AVIF image") },
  { at: 4, bytes: "ftyphei", is: other("HEIF image") },
  { at: 4, bytes: "ftyp", is: other("MP4 video or audio") },
  { bytes: "RIFF", is: other("RIFF media file") },
  { bytes: "ID3", is: other("MP3 audio") },
  { bytes: "OggS", is: other("Ogg media file") },
  { bytes: "fLaC", is: other("FLAC audio") },
  { bytes: "\x1aE\xdf\xa3", is: other("Matroska or WebM video") },
  { bytes: "II*\0", is: other("TIFF image") },
  { bytes: "MM\0*", is: other("TIFF image") },
  { bytes: "\0\0\x01\0", is: other("icon") },
  { bytes: "wOF", is: other("web font") },
  { bytes: "OTTO", is: other("font") },
];
/** Signs that plain text can begin with as well: they count only when the rest is no text. */
export function fileKindOf(head: Uint8Array): FileKind | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 300)).toString("latin1");
  return SIGNS.find((sign) => text.startsWith(sign.bytes, sign.at ?? 0))?.is;
}

/** Name of what is neither file nor folder; undefined for those two. */
export function specialKind(stats: Stats): string | undefined {
  if (stats.isFile() || stats.isDirectory()) return undefined;
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "not a regular file";
}

/** 1536 → "1.5 KB". */
export function sizeText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`;
}
