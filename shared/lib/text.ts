// Text that is safe to send, to cut and to show. Everything here is pure.

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// Control, format, line-separator and look-alike-space characters that can make a line read differently from what it is.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

/** Replaces lone UTF-16 surrogates by U+FFFD, so that the text can always be encoded. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

/** First `max` UTF-16 units at most, never ending inside a surrogate pair. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** Last `max` UTF-16 units at most, never beginning inside a surrogate pair. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.length - max;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

/** True when nothing but white space is in it; providers refuse such text blocks. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

export type VisiblePart = { readonly text: string; readonly hidden: boolean };

/** Splits text for a dialog: characters that would be invisible or misleading come as `\u{…}` with `hidden: true` (P10). */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false });
    parts.push({ text: escapeChar(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false });
  return parts;
}

/** The same as one string, for places without mark-up. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join("");
}

function escapeChar(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** One line for a title or label: white space folded, cut with an ellipsis. */
export function oneLine(text: string, max: number): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length <= max ? folded : `${headOf(folded, max - 1).trimEnd()}…`;
}
