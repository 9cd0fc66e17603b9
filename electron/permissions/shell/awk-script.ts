// Reads an awk program just far enough to know that it only computes and prints (B03): no system(), pipes, redirects, getline,
// loading of code, and no look at the environment. Whatever is not certain is "no".

const FORBIDDEN = new Set([
  "system",
  "getline",
  "ENVIRON",
  "ARGV",
  "ARGC",
  "PROCINFO",
  "close",
  "fflush",
  "function",
  "func",
  "SYMTAB",
  "FUNCTAB",
  "switch",
  "case",
]);
// After these a slash divides; after anything else it begins a pattern.
const OPERAND_END = /[\w)\]"$]$/;
// `and` and `or` are functions in one awk and plain variables in another: a slash after them divides.
const KEYWORDS = new Set(["print", "printf", "return", "in", "if", "while", "else", "do"]);
/** After these a line goes on in the next one. */
const GOES_ON = new Set([",", "||", "&&", "?", ":"]);

type Token = { readonly kind: "word" | "string" | "pattern" | "sign"; readonly text: string };

/** True when the program can neither run, write nor read anything but its input. */
export function isHarmlessAwk(program: string): boolean {
  const tokens = tokenize(program);
  if (tokens === undefined) return false;
  let printing = false;
  return tokens.every((token, at) => {
    if (token.kind === "word" && FORBIDDEN.has(token.text)) return false;
    if (token.text === "print" || token.text === "printf") printing = true;
    if (endsStatement(tokens, at)) printing = false;
    return token.kind !== "sign" || !(LEADS_OUT.has(token.text) || (printing && token.text.startsWith(">")));
  });
}

const LEADS_OUT = new Set(["|", "@", ">>", "|&"]);

function endsStatement(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  return text === "\n" ? !GOES_ON.has(lastBefore(tokens, at)) : /^[;{}]$/.test(text);
}

/** The last sign or word before the line ends that lead to this token. */
function lastBefore(tokens: readonly Token[], at: number): string {
  for (let before = at - 1; before >= 0; before -= 1) if (tokens[before]?.text !== "\n") return tokens[before]?.text ?? "";
  return "";
}

const SIGNS = /^(?:\|\||&&|\|&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*/%^]=|\*\*|[-+*/%^!<>|?:~$@=(){}[\],;&\n])/;

function tokenize(program: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at);
    const space = /^(?:[ \t]|\\\n)+/.exec(rest);
    const comment = /^#[^\n]*/.exec(rest);
    if (space !== null || comment !== null) {
      at += (space ?? comment)?.[0].length ?? 1;
      continue;
    }
    const token = nextToken(rest, tokens[tokens.length - 1]);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function nextToken(rest: string, before: Token | undefined): Token | undefined {
  const word = /^(?:[A-Za-z_]\w*|\d[\w.]*|\.\d+)/.exec(rest);
  if (word !== null) return { kind: "word", text: word[0] };
  if (rest.startsWith('"')) return ofKind("string", /^"(?:[^"\\\n]|\\[^\n])*"/.exec(rest));
  if (rest.startsWith("/") && beginsPattern(before))
    return before !== undefined && /^(?:\+\+|--)$/.test(before.text)
      ? undefined
      : ofKind("pattern", /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]\n/]*\])+\//.exec(rest));
  return ofKind("sign", SIGNS.exec(rest));
}

function ofKind(kind: Token["kind"], match: RegExpExecArray | null): Token | undefined {
  return match === null ? undefined : { kind, text: match[0] };
}

function beginsPattern(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return KEYWORDS.has(before.text);
  if (before.kind !== "sign") return false;
  return !OPERAND_END.test(before.text);
}
