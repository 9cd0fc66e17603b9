// Reads a sed script just far enough to know that it only edits text (B03): no `e`, `w`, `r`, `F` of other files, no flags `e` and `w` of `s`.
// Whatever is not certain is "no".

type Cursor = { readonly text: string; at: number };

/** True when the script can neither run, read nor write anything. */
export function isHarmlessSed(script: string): boolean {
  const cursor: Cursor = { text: script, at: 0 };
  while (cursor.at < script.length) {
    skip(cursor, /[\s;{}]/);
    if (cursor.at >= script.length) return true;
    if (!readAddress(cursor)) return false;
    skip(cursor, /[\s!]/);
    if (cursor.at >= script.length) return false;
    if (!readCommand(cursor)) return false;
  }
  return true;
}

function peek(cursor: Cursor): string {
  return cursor.text.charAt(cursor.at);
}

function skip(cursor: Cursor, chars: RegExp): void {
  while (cursor.at < cursor.text.length && chars.test(peek(cursor))) cursor.at += 1;
}

function readAddress(cursor: Cursor): boolean {
  if (!readOneAddress(cursor)) return false;
  skip(cursor, /\s/);
  if (peek(cursor) !== ",") return true;
  cursor.at += 1;
  skip(cursor, /[\s+~]/);
  return readOneAddress(cursor);
}

function readOneAddress(cursor: Cursor): boolean {
  const char = peek(cursor);
  if (/[\d$]/.test(char)) {
    skip(cursor, /[\d$~+]/);
    return true;
  }
  if (char !== "/" && char !== "\\") return true;
  if (char === "\\") cursor.at += 1;
  const closed = readDelimited(cursor, peek(cursor));
  skip(cursor, /[IM]/);
  return closed;
}

// From the opening delimiter to behind the closing one.
function readDelimited(cursor: Cursor, delimiter: string): boolean {
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return false;
  cursor.at += 1;
  return readUntil(cursor, delimiter);
}

function readUntil(cursor: Cursor, delimiter: string): boolean {
  while (cursor.at < cursor.text.length) {
    const char = peek(cursor);
    if (char === "\n") return false;
    if (char === delimiter) {
      cursor.at += 1;
      return true;
    }
    if (char === "[" && !skipClass(cursor, delimiter)) return false;
    else if (char === "\\") cursor.at += 2;
    else if (char !== "[") cursor.at += 1;
  }
  return false;
}

// One sed ends a pattern at a delimiter inside brackets, another does not, and whether a backslash in brackets takes the meaning of
// what follows is read in two ways as well: scripts with `\\]`, with two backslashes or with a bare delimiter there are not certain.
function skipClass(cursor: Cursor, delimiter: string): boolean {
  const match = /^\[\^?\]?(?:\[:[a-z]+:\]|\\[^\n\]\\]|[^\]\\[\n])*\]/.exec(cursor.text.slice(cursor.at));
  if (match === null) return false;
  const [text] = match;
  cursor.at += text.length;
  return !text.replaceAll(`\\${delimiter}`, "").includes(delimiter);
}

function readCommand(cursor: Cursor): boolean {
  const command = peek(cursor);
  cursor.at += 1;
  if ("{}".includes(command)) return true;
  if ("=dDgGhHnNpPxlz".includes(command)) return endsHere(cursor);
  if ("qQ".includes(command)) {
    skip(cursor, /[\s\d]/);
    return endsHere(cursor);
  }
  if (command === "s") return readSubstitute(cursor);
  if (command === "y") return readPair(cursor) && endsHere(cursor);
  if ("btT:".includes(command)) return readLine(cursor, /^\s*[\w.-]*\s*$/);
  if ("aic".includes(command)) return readText(cursor);
  if (command === "#") return readLine(cursor, /^.*$/);
  return false;
}

function readPair(cursor: Cursor): boolean {
  const delimiter = peek(cursor);
  return readDelimited(cursor, delimiter) && readUntil(cursor, delimiter);
}

function readSubstitute(cursor: Cursor): boolean {
  if (!readPair(cursor)) return false;
  skip(cursor, /[gpIiMm\d]/);
  return endsHere(cursor);
}

function endsHere(cursor: Cursor): boolean {
  skip(cursor, /[ \t]/);
  return cursor.at >= cursor.text.length || /[;\n}]/.test(peek(cursor));
}

function readLine(cursor: Cursor, shape: RegExp): boolean {
  const end = /[\n;}]/g;
  end.lastIndex = cursor.at;
  const stop = end.exec(cursor.text)?.index ?? cursor.text.length;
  const line = cursor.text.slice(cursor.at, stop);
  cursor.at = stop;
  return shape.test(line);
}

// Text to insert goes to the end of the line; a line that goes on with a backslash is not certain.
function readText(cursor: Cursor): boolean {
  const rest = cursor.text.slice(cursor.at);
  if (rest.replace(/^\\\n/, "").includes("\n") || rest.endsWith("\\")) return false;
  cursor.at = cursor.text.length;
  return true;
}
