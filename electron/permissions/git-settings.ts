// Settings of a git configuration file, read the way git reads them: what a more generous reader would miss, git would run (B06).
// Pure; throws where git would refuse the file.

export type GitSetting = { readonly key: string; readonly value: string };

const isSpace = (char: string) => char === " " || char === "\t" || char === "\n" || char === "\r";
const isNameChar = (char: string) => /^[A-Za-z0-9-]$/.test(char);

/** Keys in lower case, the middle part too, for matching. A key without a value is `true`. */
export function readSettings(text: string): readonly GitSetting[] {
  const source = createSource(text);
  const settings: GitSetting[] = [];
  let section = "";
  for (let char = source.next(); char !== undefined; char = source.next()) {
    if (isSpace(char)) continue;
    if (char === "#" || char === ";") skipComment(source);
    else if (char === "[") section = readSection(source);
    else if (/^[A-Za-z]$/.test(char)) settings.push(readPair(char, section, source));
    else throw new Error("its settings are no settings of git");
  }
  return settings;
}

type Source = { next(): string | undefined; back(): void };

/** CR LF counts as one line end, a lone CR as a space. */
function createSource(text: string): Source {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  return {
    next() {
      if (at >= text.length) return undefined;
      if (text.charAt(at) === "\r" && text.charAt(at + 1) === "\n") at += 1;
      at += 1;
      return text.charAt(at - 1);
    },
    back() {
      at -= 1;
    },
  };
}

/** A comment ends with its line, whatever stands at its end. */
function skipComment(source: Source): void {
  for (let char = source.next(); char !== undefined && char !== "\n"; char = source.next());
}

function readSection(source: Source): string {
  let name = "";
  for (;;) {
    const char = source.next();
    if (char === "]") return name.toLowerCase();
    if (char !== undefined && isSpace(char) && char !== "\n") return `${name}.${readSubsection(source)}`.toLowerCase();
    if (char === undefined || !(isNameChar(char) || char === ".")) throw new Error("a section's name ends too early");
    name += char;
  }
}

function readSubsection(source: Source): string {
  let char = source.next();
  while (char === " " || char === "\t" || char === "\r") char = source.next();
  if (char !== '"') throw new Error("a section's name is no text");
  let name = "";
  for (;;) {
    char = source.next();
    if (char === undefined || char === "\n") throw new Error("a section's name ends too early");
    if (char === '"') break;
    name += char === "\\" ? (source.next() ?? "") : char;
  }
  if (source.next() !== "]") throw new Error("a section's name does not end");
  return name;
}

function readPair(first: string, section: string, source: Source): GitSetting {
  let name = first;
  let char = source.next();
  for (; char !== undefined && isNameChar(char); char = source.next()) name += char;
  while (char === " " || char === "\t" || char === "\r") char = source.next();
  const key = section === "" ? name.toLowerCase() : `${section}.${name.toLowerCase()}`;
  if (char === undefined || char === "\n") return { key, value: "true" };
  if (char !== "=") throw new Error("a setting has no value");
  return { key, value: readValue(source) };
}

const ESCAPED: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function readValue(source: Source): string {
  let [value, spaces, quoted] = ["", "", false];
  for (let char = source.next(); char !== undefined && char !== "\n"; char = source.next()) {
    if (!quoted && isSpace(char)) {
      if (value !== "") spaces += char;
      continue;
    }
    if (!quoted && (char === "#" || char === ";")) {
      skipComment(source);
      return value;
    }
    value += spaces;
    spaces = "";
    if (char === '"') quoted = !quoted;
    else value += char === "\\" ? escaped(source) : char;
  }
  if (quoted) throw new Error("a value's quotes do not end");
  return value;
}

function escaped(source: Source): string {
  const char = source.next();
  if (char === "\n" || char === undefined) return ""; // the value goes on in the next line, if there is one
  const meant = ESCAPED[char];
  if (meant === undefined) throw new Error("a value has an unknown escape");
  return meant;
}
