// Bytes of a text file ↔ text, without loss: what comes back from `encodeText` is what was decoded, byte for byte (C02, C04).
import { isUtf8 } from "node:buffer";
import chardet from "chardet";
import iconv from "iconv-lite";
import { headOf } from "#shared/lib/text.ts";
import { guessCjk } from "./cjk-guess.ts";

export type TextFormat = {
  /** name for people and iconv: utf-8, utf-16le, utf-16be, gb18030, shift_jis, windows-1252 … */
  readonly encoding: string;
  readonly bom: boolean;
};
export type Decoded =
  /** `exact`: encoding the text again gives the same bytes; otherwise the file can be shown but not changed */
  { readonly kind: "text"; readonly text: string; readonly format: TextFormat; readonly exact: boolean } | { readonly kind: "binary" };

export const NEW_FILE_FORMAT: TextFormat = { encoding: "utf-8", bom: false };
const BOMS: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
];
/** Each maps every byte on its own or in pairs, so untouched text keeps its bytes. Encodings with shift states are left out. */
const DOUBLE_BYTE = new Set(["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"]);
const SINGLE_BYTE = new Set([
  "koi8-r",
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256].map((page) => `windows-${page}`),
  ...[1, 2, 5, 6, 7, 8, 9].map((part) => `iso-8859-${part}`),
]);
/** Takes any bytes and gives them back: the last resort that loses nothing. */
const LAST_RESORT = "latin1";
const GUESS_BYTES = 64 * 1024;
const PROBE_BYTES = 8_000;
/** chardet's confidence: for two-byte encodings all or nothing, for the others low by nature. */
const SURE = 50;
const LIKELY = 20;

/** Decodes a whole file. The byte-order mark is not part of the text. */
export function decodeText(bytes: Uint8Array): Decoded {
  const marked = BOMS.find((bom) => bom.bytes.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decodeAs(bytes.subarray(marked.bytes.length), { encoding: marked.encoding, bom: true });
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return decodeAs(bytes, { encoding: wide, bom: false });
  if (looksBinary(bytes)) return { kind: "binary" };
  // Most files are UTF-8, and no other guess is as sure: ask this first.
  if (isUtf8(bytes)) return { kind: "text", text: Buffer.from(bytes).toString("utf8"), format: NEW_FILE_FORMAT, exact: true };
  return decodeLegacy(bytes);
}

/** The encoding of a file of which only the beginning is known; never claims to be exact. */
export function guessFormat(head: Uint8Array): TextFormat | undefined {
  // The head may end inside a character.
  for (let cut = 0; cut < 4; cut++) {
    const decoded = decodeText(head.subarray(0, head.length - cut));
    if (decoded.kind === "binary") return undefined;
    if (decoded.format.encoding.startsWith("utf")) return decoded.format;
  }
  const decoded = decodeText(head);
  return decoded.kind === "text" ? decoded.format : undefined;
}

/** Bytes for a text; undefined when the encoding has no place for one of its characters. */
export function encodeText(text: string, format: TextFormat): Uint8Array | undefined {
  const body = encodeBody(text, format.encoding);
  // A character that does not exist there becomes another one; a second look finds it.
  if (iconv.decode(body, format.encoding, { stripBOM: false }) !== text) return undefined;
  const mark = format.bom ? BOMS.find((bom) => bom.encoding === format.encoding)?.bytes : undefined;
  return mark === undefined ? body : Buffer.concat([Buffer.from(mark), body]);
}

/** The first character that the format cannot hold, to name it. Halves the text, so a long one is encoded a few times only. */
export function unencodable(text: string, format: TextFormat): string | undefined {
  if (encodeText(text, format) !== undefined) return undefined;
  const [char] = text;
  if (char === undefined || char.length === text.length) return char;
  const half = headOf(text, Math.ceil(text.length / 2)) || char;
  return unencodable(half, format) ?? unencodable(text.slice(half.length), format);
}

function encodeBody(text: string, encoding: string): Buffer {
  return iconv.encode(text, encoding, { addBOM: false });
}

function decodeAs(body: Uint8Array, format: TextFormat): Decoded {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = iconv.decode(buffer, format.encoding, { stripBOM: false });
  return { kind: "text", text, format, exact: encodeBody(text, format.encoding).equals(buffer) };
}

function decodeLegacy(bytes: Uint8Array): Decoded {
  const sample = sampleOf(bytes);
  const guesses = chardet.analyse(sample).map((guess) => ({ encoding: guess.name.toLowerCase(), confidence: guess.confidence }));
  const sure = guesses.filter((guess) => DOUBLE_BYTE.has(guess.encoding) && guess.confidence >= SURE).map((guess) => guess.encoding);
  const likely = guesses.filter((guess) => SINGLE_BYTE.has(guess.encoding) && guess.confidence >= LIKELY).map((guess) => guess.encoding);
  const cjk = guessCjk(sample);
  const candidates = [...sure, ...(cjk === undefined ? [] : [cjk]), ...likely];
  const tried = candidates.map((encoding) => decodeAs(bytes, { encoding, bom: false })).filter((one) => one.kind === "text" && !one.text.includes("\ufffd"));
  return tried.find((one) => one.kind === "text" && one.exact) ?? tried[0] ?? decodeAs(bytes, { encoding: LAST_RESORT, bom: false });
}

/** The part that says most: from just before the first byte that is not ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - 1_024);
  return bytes.subarray(start, start + GUESS_BYTES);
}

/** UTF-16 without a mark: every other byte of western text is zero. */
function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const probe = bytes.subarray(0, PROBE_BYTES - (PROBE_BYTES % 2));
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < probe.length; at += 2) {
    if (probe[at] === 0) even++;
    if (probe[at + 1] === 0) odd++;
  }
  const pairs = Math.floor(probe.length / 2);
  if (even === 0 && odd * 2 > pairs) return "utf-16le";
  if (odd === 0 && even * 2 > pairs) return "utf-16be";
  return undefined;
}

/** Git's own test, a NUL near the beginning, and one for packed data: many control characters. */
function looksBinary(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, PROBE_BYTES);
  if (probe.includes(0)) return true;
  const odd = probe.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b && byte !== 0x08).length;
  return odd * 20 > probe.length;
}

export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none";

/** Which line ending a text has; a lone CR counts only where nothing else ends lines. */
export function lineEndingOf(text: string): LineEnding {
  const crlf = countOf(text, "\r\n");
  const lf = countOf(text, "\n") - crlf;
  if (crlf > 0 && lf > 0) return "mixed";
  if (crlf > 0) return "crlf";
  if (lf > 0) return "lf";
  return text.includes("\r") ? "cr" : "none";
}

/** How often `what`, which is not empty, is in the text without overlapping. */
export function countOf(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) found++;
  return found;
}
