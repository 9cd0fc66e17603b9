// What the model probably meant when its text is not in the file: the nearest real lines, shown as they are (C12, C13). Pure.

const SHOWN_LINES = 12;
const SHOWN_CHARS = 200;
const MAX_LINES = 50_000;
const MAX_ASKED = 2_000;
/** Lines such as `}` stand everywhere and say little. */
const MAX_PLACES = 200;
const UNUSUAL_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const QUOTES: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [UNUSUAL_SPACES, " "],
];

/** Sentences for the model; empty when nothing in the text is like what was looked for. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split(/\r\n|\n/);
  const asked = wanted.split(/\r\n|\n/);
  if (lines.length > MAX_LINES) return "";
  const folded = lines.map(foldLine);
  const target = asked.map(foldLine);
  const best = bestStart(folded, target);
  if (best === undefined) return "";
  const shown = lines.slice(best.start, best.start + Math.min(asked.length, SHOWN_LINES));
  const body = shown.map((line, index) => `${best.start + index + 1}\t${visible(line)}`).join("\n");
  const why = best.equal ? differenceOf(lines.slice(best.start, best.start + asked.length), asked) : "";
  const more = asked.length > SHOWN_LINES ? "\n…" : "";
  return `${why}The nearest text in the file is:\n${body}${more}`;
}

type Best = { readonly start: number; readonly score: number; readonly equal: boolean };

/** The stretch that has most lines in common, at least a third of what was asked for; empty lines prove nothing. */
function bestStart(lines: readonly string[], asked: readonly string[]): Best | undefined {
  const full = asked.filter((line) => line !== "").length;
  if (full === 0) return undefined;
  let best: Best | undefined;
  for (const [start, score] of votesFor(lines, asked)) {
    const better = best === undefined || score > best.score || (score === best.score && start < best.start);
    if (better) best = { start, score, equal: score === full };
  }
  return best !== undefined && best.score * 3 >= full ? best : insideLine(lines, asked);
}

/** For every place where the asked lines could begin: how many of them stand where they should. */
function votesFor(lines: readonly string[], asked: readonly string[]): ReadonlyMap<number, number> {
  const placesOf = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const places = placesOf.get(line) ?? [];
    if (line !== "" && places.length < MAX_PLACES) places.push(index);
    placesOf.set(line, places);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of asked.slice(0, MAX_ASKED).entries()) {
    for (const place of placesOf.get(line) ?? []) {
      const start = Math.max(0, place - index);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  return votes;
}

/** A needle of one line may be part of a line, or share most of its words with one. */
function insideLine(lines: readonly string[], asked: readonly string[]): Best | undefined {
  const [needle] = asked;
  if (asked.length > 1 || needle === undefined) return undefined;
  const within = lines.findIndex((line) => line.includes(needle));
  if (within >= 0) return { start: within, score: 1, equal: true };
  const words = new Set(needle.split(/\W+/).filter((word) => word.length > 2));
  let best: Best | undefined;
  for (const [start, line] of lines.entries()) {
    const score = [...words].filter((word) => line.includes(word)).length;
    if (score * 2 > words.size && (best === undefined || score > best.score)) best = { start, score, equal: false };
  }
  return best;
}

/** Equal when only white space or typography differs. */
function foldLine(line: string): string {
  let folded = line;
  for (const [find, plain] of QUOTES) folded = folded.replace(find, plain);
  return folded.normalize("NFC").replace(/\s+/g, " ").trim();
}

function differenceOf(real: readonly string[], asked: readonly string[]): string {
  const [file, given] = [real.join("\n"), asked.join("\n")];
  if (fold(file, UNUSUAL_SPACES, " ").includes(fold(given, UNUSUAL_SPACES, " ")))
    return "It differs only in unusual spaces (such as a no-break space, shown below as \\u{…}). ";
  if (QUOTES.reduce((text, [find, plain]) => fold(text, find, plain), file).includes(QUOTES.reduce((text, [find, plain]) => fold(text, find, plain), given))) {
    return "It differs only in quotes, dashes or spaces of another kind. ";
  }
  return file.normalize("NFC").includes(given.normalize("NFC"))
    ? "It differs only in how accented characters are composed. "
    : "It differs only in white space (tabs, indentation or blanks at the end of lines). ";
}

function fold(text: string, find: RegExp, plain: string): string {
  return text.replace(find, plain);
}

function visible(line: string): string {
  const cut = line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
  const spaces = cut.replace(UNUSUAL_SPACES, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
  return spaces.replace(/[ \t]+$/, (blanks) => blanks.replaceAll(" ", "·").replaceAll("\t", "→"));
}
