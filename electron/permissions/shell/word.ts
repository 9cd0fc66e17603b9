// One word of a command after the shell's own expansions, as far as it is known before anything runs.

export type Word =
  | { readonly kind: "text"; readonly raw: string; readonly text: string }
  /** names of files that exist below `base` (a pattern, the output of a listing); `dash`: one may look like an option */
  | ({ readonly kind: "names"; readonly raw: string } & Names)
  /** only known at run time; `head` is its known beginning; `splits`: not quoted, so it may become several words, options among them */
  | { readonly kind: "unknown"; readonly raw: string; readonly head: string; readonly splits?: true };

/**
 * `links`: which links may be among the names: those right in `base` (that match `pattern`, if it is known), any below it, or none.
 * `listed`: they came as text, which is cut into words at white space whatever the names are.
 */
export type Names = {
  readonly base: string;
  readonly dash: boolean;
  readonly links: "here" | "below" | "none";
  readonly pattern?: string;
  readonly listed?: true;
};

export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | ({ readonly kind: "names" } & Names)
  | { readonly kind: "unknown"; readonly splits?: true };

const MAX_BRACES = 32;

export function textWord(text: string, raw = text): Word {
  return { kind: "text", raw, text };
}

/** The words that pieces of one word become: braces are unfolded, patterns become names, `~` becomes the home. */
export function wordsOf(pieces: readonly Piece[], raw: string, home: string): readonly Word[] {
  const variants = unfoldBraces(pieces);
  if (variants === undefined) return [{ kind: "unknown", raw, head: "", splits: true }];
  // What was written once is shown once, however many words it becomes.
  return variants.map((variant, at) => toWord(variant, at === 0 ? raw : "", home));
}

function toWord(pieces: readonly Piece[], raw: string, home: string): Word {
  const [first] = pieces;
  if (pieces.length === 1 && first?.kind === "names") return { ...first, raw };
  const head = knownHead(pieces);
  if (pieces.some((piece) => piece.kind !== "text")) return atRunTime(pieces, raw, head);
  const glob = firstGlob(pieces);
  const tilde = first?.kind === "text" && !first.quoted && first.text.startsWith("~");
  if (!tilde) return glob === undefined ? { kind: "text", raw, text: head } : patternWord(head, glob, { raw, plain: isPlainFrom(pieces) });
  if (!/^~(?:\/|$)/.test(head)) return { kind: "unknown", raw, head: "" };
  const text = home + head.slice(1);
  return glob === undefined ? { kind: "text", raw, text } : patternWord(text, glob - 1 + home.length, { raw, plain: isPlainFrom(pieces) });
}

function atRunTime(pieces: readonly Piece[], raw: string, head: string): Word {
  return { kind: "unknown", raw, head, ...(pieces.some(mayBeSeveral) ? { splits: true } : {}) };
}

function mayBeSeveral(piece: Piece): boolean {
  return piece.kind === "names" || (piece.kind === "unknown" && piece.splits === true);
}

// Quoted pieces would be other patterns when read as one.
function isPlainFrom(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => piece.kind === "text" && (!piece.quoted || /^[\w./-]*$/.test(piece.text)));
}

// A pattern stays below its fixed beginning, unless it climbs out of it again.
function patternWord(text: string, glob: number, { raw, plain }: { readonly raw: string; readonly plain: boolean }): Word {
  const start = text.slice(0, glob);
  const base = start.slice(0, start.lastIndexOf("/") + 1);
  const rest = text.slice(base.length);
  if (rest.split("/").includes("..")) return { kind: "unknown", raw, head: start };
  const here = !rest.replace(/\/$/, "").includes("/") && !rest.includes("**");
  return {
    kind: "names",
    raw,
    base,
    dash: start === "" || start.startsWith("-"),
    links: here ? "here" : "below",
    ...(here && plain ? { pattern: rest.replace(/\/$/, "") } : {}),
  };
}

/** One word for certain, whatever it turns out to be: neither cut at white space nor a pattern with many names. */
export function isOneWord(word: Word): boolean {
  return word.kind === "text" || (word.kind === "unknown" && word.splits !== true);
}

function knownHead(pieces: readonly Piece[]): string {
  let head = "";
  for (const piece of pieces) {
    if (piece.kind !== "text") break;
    head += piece.text;
  }
  return head;
}

// Offset of the first unquoted pattern character.
function firstGlob(pieces: readonly Piece[]): number | undefined {
  let offset = 0;
  for (const piece of pieces) {
    if (piece.kind !== "text") continue;
    const at = piece.quoted ? -1 : piece.text.search(/[*?[]/);
    if (at !== -1) return offset + at;
    offset += piece.text.length;
  }
  return undefined;
}

type Char = { readonly char: string; readonly quoted: boolean };

// `a{b,c}d` → abd acd. Undefined for ranges and for more results than anybody writes.
function unfoldBraces(pieces: readonly Piece[]): readonly (readonly Piece[])[] | undefined {
  const hasBrace = pieces.some((piece) => piece.kind === "text" && !piece.quoted && piece.text.includes("{"));
  if (!hasBrace) return [pieces];
  if (pieces.some((piece) => piece.kind !== "text")) return undefined;
  const chars = pieces.flatMap((piece) => (piece.kind === "text" ? [...piece.text].map((char) => ({ char, quoted: piece.quoted })) : []));
  const results = unfold(chars);
  if (results === undefined || results.length > MAX_BRACES) return undefined;
  return results.map((result) => result.map(({ char, quoted }) => ({ kind: "text", text: char, quoted })));
}

function unfold(chars: readonly Char[]): readonly (readonly Char[])[] | undefined {
  const open = chars.findIndex((one, at) => isPlain(one, "{") && matchingBrace(chars, at) !== undefined);
  if (open === -1) return [chars];
  const close = matchingBrace(chars, open) ?? open;
  const inner = chars.slice(open + 1, close);
  if (
    inner
      .map((one) => one.char)
      .join("")
      .includes("..")
  )
    return undefined;
  const options = splitTop(inner);
  const tails = unfold(chars.slice(close + 1));
  const heads =
    options.length === 1 ? unfold(inner)?.map((one) => [{ char: "{", quoted: true }, ...one, { char: "}", quoted: true }]) : flatten(options.map(unfold));
  if (tails === undefined || heads === undefined || heads.length * tails.length > MAX_BRACES) return undefined;
  return heads.flatMap((head) => tails.map((tail) => [...chars.slice(0, open), ...head, ...tail]));
}

function flatten(lists: readonly (readonly (readonly Char[])[] | undefined)[]): readonly (readonly Char[])[] | undefined {
  return lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

function matchingBrace(chars: readonly Char[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < chars.length; at += 1) {
    const one = chars[at];
    if (one === undefined) break;
    if (isPlain(one, "{")) depth += 1;
    if (isPlain(one, "}")) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function splitTop(chars: readonly Char[]): readonly (readonly Char[])[] {
  const parts: Char[][] = [[]];
  let depth = 0;
  for (const one of chars) {
    if (isPlain(one, "{")) depth += 1;
    if (isPlain(one, "}")) depth -= 1;
    if (depth === 0 && isPlain(one, ",")) parts.push([]);
    else parts[parts.length - 1]?.push(one);
  }
  return parts;
}

function isPlain(one: Char, char: string): boolean {
  return !one.quoted && one.char === char;
}
