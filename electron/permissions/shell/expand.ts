// Turns the words of the tree into what they will be after expansion, walking every substitution inside them (P3).
// Whatever runs during an expansion is walked; whatever could run unseen (indirection, arithmetic on unknown text) is a doubt.
import { isSecretName } from "./env-names.ts";
import { checkArithmetic, isNumberVariable, namesSetBy } from "./arithmetic.ts";
import { after, type ShellState } from "./state.ts";
import { childIn, namedChildren, type SyntaxNode } from "./tree.ts";
import { namesFrom, type Walk } from "./walk-context.ts";
import { type Piece, textWord, type Word, wordsOf } from "./word.ts";

/** The words one node becomes: several after braces. */
export function expandWord(node: SyntaxNode, state: ShellState, walk: Walk): readonly Word[] {
  if (!node.named) return [textWord(node.text)];
  return wordsOf(piecesOf(node, state, walk), node.text, walk.found.home);
}

/** The value of an assignment: one word, not split, no patterns. */
export function expandValue(node: SyntaxNode, state: ShellState, walk: Walk): Word {
  const pieces = piecesOf(node, state, walk);
  const plain = pieces.map((piece, at): Piece => (piece.kind === "text" && !(at === 0 && piece.text.startsWith("~")) ? { ...piece, quoted: true } : piece));
  const [word] = wordsOf(plain, node.text, walk.found.home);
  return word ?? textWord("");
}

/** Nodes that only hold words; anything else inside a test or a here-document would be a command in the wrong place. */
const HOLDERS = new Set([
  "test_command",
  "unary_expression",
  "binary_expression",
  "parenthesized_expression",
  "ternary_expression",
  "herestring_redirect",
  "array",
  "brace_expression",
  "subscript",
]);

/** Walks what is expanded in a node that is no word of a command (here-documents, tests, case patterns). */
export function visitExpansions(node: SyntaxNode, state: ShellState, walk: Walk): void {
  if (PIECES[node.type] !== undefined) {
    piecesOf(node, state, walk);
    return;
  }
  if (node.children.length > 0 && !HOLDERS.has(node.type)) walk.found.doubt(`something unexpected among words: ${node.text.slice(0, 60)}`);
  for (const child of node.children) visitExpansions(child, state, walk);
}

type ToPieces = (node: SyntaxNode, state: ShellState, walk: Walk) => readonly Piece[];
/** The value of an expansion; what stands in quotes is made one word by `quote`. */
const UNKNOWN: readonly Piece[] = [{ kind: "unknown", splits: true }];
const UNKNOWN_WORD: readonly Piece[] = [{ kind: "unknown" }];

const PIECES: Readonly<Record<string, ToPieces>> = {
  word: (node) => unescapePieces(node.text),
  number: (node) => [{ kind: "text", text: node.text, quoted: false }],
  extglob_pattern: (node) => unescapePieces(node.text),
  regex: (node) => [{ kind: "text", text: node.text, quoted: true }],
  variable_name: (node) => [{ kind: "text", text: node.text, quoted: false }],
  command_name: (node, state, walk) => node.children.flatMap((child) => piecesOf(child, state, walk)),
  raw_string: (node) => [{ kind: "text", text: node.text.slice(1, -1), quoted: true }],
  ansi_c_string: (node) => decodeAnsi(node.text.slice(2, -1)),
  string: stringPieces,
  concatenation: concatenationPieces,
  simple_expansion: simpleExpansion,
  expansion: braceExpansion,
  command_substitution: commandSubstitution,
  process_substitution: processSubstitution,
  arithmetic_expansion(node, state, walk) {
    checkArithmetic(node, state, walk);
    if (namesSetBy(node).some((name) => state.vars.has(name))) walk.found.doubt(`a calculation that sets a variable: ${node.text.slice(0, 60)}`);
    return UNKNOWN_WORD;
  },
};

function piecesOf(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  const make = PIECES[node.type];
  if (make !== undefined) return make(node, state, walk);
  if (node.type !== "brace_expression") walk.found.doubt(`a kind of word that is not known: ${node.text.slice(0, 60)}`);
  for (const child of node.children) visitExpansions(child, state, walk);
  return UNKNOWN;
}

function unescapePieces(raw: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const match of raw.matchAll(/\\([\s\S])|([^\\]+)|\\$/g)) {
    const [whole, escaped, plain] = match;
    if (escaped === "\n") continue;
    pieces.push(plain === undefined ? { kind: "text", text: escaped ?? whole, quoted: true } : { kind: "text", text: plain, quoted: false });
  }
  return pieces;
}

const ANSI: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
};

function decodeAnsi(text: string): readonly Piece[] {
  if (/\\[^ntr\\'"abefv]/.test(text)) return UNKNOWN_WORD;
  return [{ kind: "text", text: text.replace(/\\(.)/g, (_, char: string) => ANSI[char] ?? char), quoted: true }];
}

// The grammar drops some white space between the pieces of a string, so the text between them is taken from the source.
function stringPieces(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  const pieces: Piece[] = [];
  const literal = (from: number, to: number) => {
    const text = node.text
      .slice(from - node.start, to - node.start)
      .replace(/\\([\s\S])/g, (whole, char: string) => (char === "\n" ? "" : /["\\$`]/.test(char) ? char : whole));
    if (text !== "") pieces.push({ kind: "text", text, quoted: true });
  };
  let at = node.start + 1;
  for (const child of node.children) {
    if (!child.named || child.type === "string_content") continue;
    // A child may begin with white space that belongs to the text.
    const lead = child.text.length - child.text.trimStart().length;
    literal(at, child.start + lead);
    pieces.push(...piecesOf(child, state, walk).map(quote));
    at = child.end;
  }
  literal(at, node.end - 1);
  return pieces.length === 0 ? [{ kind: "text", text: "", quoted: true }] : pieces;
}

function quote(piece: Piece): Piece {
  if (piece.kind === "unknown") return { kind: "unknown" };
  return piece.kind === "text" ? { ...piece, quoted: true } : piece;
}

function concatenationPieces(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  let at = node.start;
  const pieces: Piece[] = [];
  for (const child of node.children) {
    if (child.start !== at) walk.found.doubt("a word that the grammar joins over a gap");
    pieces.push(...(child.named ? piecesOf(child, state, walk) : [{ kind: "text" as const, text: child.text, quoted: false }]));
    at = child.end;
  }
  return pieces;
}

function simpleExpansion(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  const name = node.text.trimStart().slice(1);
  return variablePieces(name, state, walk);
}

/** The value of a variable, when the command line itself set it, or when it is the home or the folder. */
function variablePieces(name: string, state: ShellState, walk: Walk): readonly Piece[] {
  if (/^[?#$!]$/.test(name)) return [{ kind: "text", text: "0", quoted: true }];
  const value = state.vars.get(name) ?? givenValue(name, state, walk);
  if (value === undefined) noteSecret(name, state, walk);
  if (value?.kind === "names") return [value];
  if (value?.kind !== "text") return UNKNOWN;
  // Unquoted, white space would split it and `*` would match files; an empty one would vanish.
  return /^[\w./@%+=:,-]+$/.test(value.text) || state.vars.get(name) === undefined ? [{ kind: "text", text: value.text, quoted: true }] : UNKNOWN;
}

function givenValue(name: string, state: ShellState, walk: Walk): Word | undefined {
  if (name === "HOME") return textWord(walk.found.home);
  const [cwd, ...more] = name === "PWD" ? (state.cwds ?? []) : [];
  return cwd === undefined || more.length > 0 ? undefined : textWord(cwd);
}

function noteSecret(name: string, state: ShellState, walk: Walk): void {
  if (isSecretName(name) && !state.vars.has(name)) walk.found.doubt(`it uses the secret variable ${name}`);
}

const HARMLESS_OPERATORS = new Set([":-", "-", ":+", "+", "#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,", ":?", "?", ":"]);

function braceExpansion(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  const operators = node.children.filter((child) => child.field === "operator").map((child) => child.text);
  const subscript = node.children.find((child) => child.type === "subscript");
  const name = node.children.find((child) => child.type === "variable_name")?.text ?? (subscript === undefined ? undefined : childIn(subscript, "name")?.text);
  checkExpansion(node, operators, state, walk);
  for (const child of node.children) if (child.type !== "variable_name" && child.type !== "subscript") visitExpansions(child, state, walk);
  if (name !== undefined && operators.length === 0 && subscript === undefined) return variablePieces(name, state, walk);
  if (name !== undefined) noteSecret(name, state, walk);
  return UNKNOWN;
}

// Indirection, assignment, prompts and calculated positions can run or change something.
function checkExpansion(node: SyntaxNode, operators: readonly string[], state: ShellState, walk: Walk): void {
  // Where a piece begins and how long it is gets calculated.
  const isPlace = (child: SyntaxNode) => child.type === "number" || (child.type === "variable_name" && isNumberVariable(child.text, state));
  const index = node.children.flatMap((child) => (child.type === "subscript" ? [childIn(child, "index")?.text ?? ""] : []));
  const harmless =
    operators.every((one) => HARMLESS_OPERATORS.has(one)) &&
    (!operators.includes(":") || namedChildren(node).slice(1).every(isPlace)) &&
    index.every((text) => /^(?:\d+|[@*])$/.test(text));
  if (!harmless) walk.found.doubt(`an expansion that can run or set something: ${node.text.slice(0, 60)}`);
}

function commandSubstitution(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  // In back-ticks a backslash is taken away before the inner command is read; the grammar does not know that.
  if (node.text.trimStart().startsWith("`") && node.text.includes("\\")) walk.found.doubt("escapes inside back-ticks");
  const walked = walk.found.enter(
    () => walk.statements(node.children, state, "none"),
    () => undefined,
  );
  const folder = state.cwds?.length === 1 ? state.cwds[0] : undefined;
  if (/^\s*(?:\$\(\s*pwd\s*\)|`\s*pwd\s*`)$/.test(node.text) && folder !== undefined) return [{ kind: "text", text: folder, quoted: true }];
  const names = walked === undefined ? undefined : namesFrom(walked.prints);
  return names === undefined ? UNKNOWN : [{ kind: "names", ...names }];
}

function processSubstitution(node: SyntaxNode, state: ShellState, walk: Walk): readonly Piece[] {
  walk.found.enter(
    () => after(walk.statements(node.children, state, "other").outcome),
    () => state,
  );
  return [{ kind: "text", text: "/dev/fd/63", quoted: true }];
}
