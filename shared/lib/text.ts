// Text that is safe to send, to cut and to show. Everything here is pure.

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// Control, format, line-separator and look-alike-space characters, and letters that show nothing: a line would read differently from
// what it is. The wide space of Chinese text (U+3000) is none of them.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|[\u{e0000}-\u{e01ef}]/u;
/** Cyrillic and Greek letters that look like Latin ones; alone they are just letters, inside a Latin word they are a trap. */
const LOOK_ALIKE = /[АВЕКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοκνυιρ]/u;
const LETTERS = /[\p{L}\p{M}\p{N}_]+/gu;

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
  const mixed = wordsOfMixedLetters(text);
  if (mixed.length === 0 && !INVISIBLE.test(text)) return text === "" ? [] : [{ text, hidden: false }];
  const parts: VisiblePart[] = [];
  let [shown, at] = ["", 0];
  const isTrap = trapIn(mixed);
  for (const char of text) {
    if (INVISIBLE.test(char) || isTrap(char, at)) {
      if (shown !== "") parts.push({ text: shown, hidden: false });
      parts.push({ text: escapeChar(char), hidden: true });
      shown = "";
    } else shown += char;
    at += char.length;
  }
  if (shown !== "") parts.push({ text: shown, hidden: false });
  return parts;
}

type Span = readonly [from: number, to: number];

// Asked for places in rising order, so that long texts are walked once.
function trapIn(mixed: readonly Span[]): (char: string, at: number) => boolean {
  let next = 0;
  const [from, to] = [(n: number) => mixed[n]?.[0] ?? Number.POSITIVE_INFINITY, (n: number) => mixed[n]?.[1] ?? Number.POSITIVE_INFINITY];
  return (char, at) => {
    while (to(next) <= at) next += 1;
    return from(next) <= at && LOOK_ALIKE.test(char);
  };
}

function wordsOfMixedLetters(text: string): readonly Span[] {
  if (!LOOK_ALIKE.test(text)) return [];
  return [...text.matchAll(LETTERS)]
    .filter(([word]) => /[A-Za-z]/.test(word) && LOOK_ALIKE.test(word))
    .map((match) => [match.index, match.index + match[0].length]);
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
