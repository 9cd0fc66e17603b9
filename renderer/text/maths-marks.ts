// Formulas as models write them, in the one form that our Markdown parser takes for a formula: between double dollars. Pure, linear.
// A single dollar is money unless it hugs both ends of what stands between: `$x^2$`, never `$5 and $10`.

/** Markdown with `\(…\)`, `\[…\]` and `$…$` written as `$$…$$`; code stays as it is. */
export function markMaths(text: string): string {
  if (!/\$|\\[([]/.test(text)) return text;
  let out = "";
  let at = 0;
  const ends = createEnds(text);
  while (at < text.length) {
    const found = nextMark(text, at);
    if (found === undefined) break;
    const { begin, mark } = found;
    out += text.slice(at, begin);
    const taken = MARKS[mark](text, begin, ends);
    out += taken?.out ?? mark;
    at = taken?.end ?? begin + mark.length;
  }
  return out + text.slice(at);
}

type Taken = { readonly out: string; readonly end: number };
/** Where a closing mark stands from here on; looked for no more once there is none. */
type Ends = (closer: string, from: number) => number;
type Mark = "`" | "\\(" | "\\[" | "$$" | "$" | "\\\\" | "\\$";

const MARK = /`|\\[([\\$]|\$\$?/g;

function nextMark(text: string, from: number): { readonly begin: number; readonly mark: Mark } | undefined {
  MARK.lastIndex = from;
  const found = MARK.exec(text);
  const mark = found?.[0];
  return found !== null && isMark(mark) ? { begin: found.index, mark } : undefined;
}

function isMark(mark: string | undefined): mark is Mark {
  return mark !== undefined && Object.hasOwn(MARKS, mark);
}

const MARKS: Readonly<Record<Mark, (text: string, begin: number, ends: Ends) => Taken | undefined>> = {
  "`": code,
  "\\\\": (_text, begin) => ({ out: "\\\\", end: begin + 2 }),
  "\\$": (_text, begin) => ({ out: "\\$", end: begin + 2 }),
  "\\(": (text, begin, ends) => between(text, { begin, open: 2, closer: "\\)" }, ends, inline),
  "\\[": (text, begin, ends) => between(text, { begin, open: 2, closer: "\\]" }, ends, display),
  $$: (text, begin, ends) => between(text, { begin, open: 2, closer: "$$" }, ends, aloneInLines(text, begin, ends) ? display : inline),
  $: dollar,
};

function createEnds(text: string): Ends {
  const none = new Set<string>();
  return (closer, from) => {
    if (none.has(closer)) return -1;
    const found = text.indexOf(closer, from);
    if (found < 0) none.add(closer);
    return found;
  };
}

/** Code is left alone; a run of back-ticks that nothing closes is only itself. */
function code(text: string, begin: number, ends: Ends): Taken {
  let run = begin;
  while (text[run] === "`") run += 1;
  const ticks = text.slice(begin, run);
  const close = ends(ticks, run);
  const end = close < 0 ? run : close + ticks.length;
  return { out: text.slice(begin, end), end };
}

type Span = { readonly begin: number; readonly open: number; readonly closer: string };

function between(text: string, { begin, open, closer }: Span, ends: Ends, written: (tex: string) => string): Taken | undefined {
  const close = ends(closer, begin + open);
  if (close < 0) return undefined;
  const tex = text.slice(begin + open, close).trim();
  // A blank line ends a formula: what follows is other text.
  return tex === "" || /\n[ \t]*\n/.test(tex) ? undefined : { out: written(tex), end: close + closer.length };
}

function dollar(text: string, begin: number): Taken | undefined {
  const close = text.indexOf("$", begin + 1);
  if (close < 0) return undefined;
  const tex = text.slice(begin + 1, close);
  const hugged = tex !== "" && !tex.includes("\n") && !/^\s|\s$|`/.test(tex) && !tex.endsWith("\\");
  return hugged && !/\w/.test(text[begin - 1] ?? "") && !/[\w$]/.test(text[close + 1] ?? "") ? { out: inline(tex), end: close + 1 } : undefined;
}

function aloneInLines(text: string, begin: number, ends: Ends): boolean {
  const close = ends("$$", begin + 2);
  return (begin === 0 || text[begin - 1] === "\n") && close >= 0 && /^[ \t]*(\n|$)/.test(text.slice(close + 2, close + 80));
}

const inline = (tex: string): string => `$$${tex.replaceAll(/\s*\n\s*/g, " ")}$$`;
const display = (tex: string): string => `\n$$\n${tex}\n$$\n`;
