// What the content of a command rule means: `npm test:*`, `git log *`, `git * main`, or one command exactly (P4).
// `*` stands for any characters; `\*` and `\\` are the characters themselves. Matching is against ONE simple command.

type Pattern = { readonly pieces: readonly string[]; readonly prefix: string | undefined };

/** True when the content has no wild card: it means exactly one text. */
export function isExactCommand(content: string): boolean {
  return read(content).pieces.length === 1 && read(content).prefix === undefined;
}

/** The literal beginning of a rule, up to its first wild card; says what the rule names. */
export function literalStart(content: string): string {
  const pattern = read(content);
  return pattern.prefix ?? pattern.pieces[0] ?? "";
}

/** A prefix ends at a word boundary: `git log:*` and `git log *` cover `git log` and `git log -p`, never `git logout`. */
export function matchesCommand(content: string, command: string): boolean {
  const { pieces, prefix } = read(content);
  if (prefix !== undefined) return command === prefix || (command.startsWith(prefix) && /\s/.test(command.charAt(prefix.length)));
  return matchesPieces(pieces, command);
}

/** For targets that are no commands (`domain:*`): `*` is any characters and nothing else is special. */
export function matchesText(content: string, text: string): boolean {
  return matchesPieces(splitAtStars(content), text);
}

/** A command as rule content that means this text only. */
export function exactCommand(command: string): string {
  return command.replace(/[\\*]/g, "\\$&");
}

/** The content that covers a command and any arguments after it. */
export function commandWithAnyArguments(command: string): string {
  return `${exactCommand(command)} *`;
}

// `x:*` and a single final ` *` are the two ways people write "and any arguments".
function read(content: string): Pattern {
  const pieces = splitAtStars(content);
  const [first, last] = [pieces[0] ?? "", pieces[1]];
  const ending = pieces.length === 2 && last === "" ? /^([\s\S]*\S)(?::|\s+)$/.exec(first)?.[1] : undefined;
  return { pieces, prefix: ending };
}

function splitAtStars(content: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (let at = 0; at < content.length; at += 1) {
    const char = content.charAt(at);
    const after = content.charAt(at + 1);
    if (char === "\\" && (after === "*" || after === "\\")) {
      piece += after;
      at += 1;
    } else if (char === "*") {
      pieces.push(piece);
      piece = "";
    } else piece += char;
  }
  return [...pieces, piece];
}

// Greedy from the left is right for patterns that know only "any characters"; linear, so that no rule can hang the app.
function matchesPieces(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return text === first;
  const last = pieces[pieces.length - 1] ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
