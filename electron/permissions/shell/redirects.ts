// Redirects: which files they read and write, and what the grammar hangs on them although it belongs to the command.
import { expandWord, visitExpansions } from "./expand.ts";
import { absolute, type ShellState } from "./state.ts";
import { childrenIn, type SyntaxNode } from "./tree.ts";
import type { Feed, Walk } from "./walk-context.ts";
import type { Word } from "./word.ts";

export type Redirected = {
  /** words that stand behind a redirect but are arguments (`find . > out -delete`) */
  readonly words: readonly Word[];
  /** what the command reads instead of what was piped into it */
  readonly stdin: Feed | undefined;
  readonly stdoutGone: boolean;
  /** what follows on the line of a here-document: `| sh`, `&& rm x` */
  readonly goesOn: readonly { readonly operator: string; readonly node: SyntaxNode }[];
};

const NOTHING: Redirected = { words: [], stdin: undefined, stdoutGone: false, goesOn: [] };
const READS = new Set(["<"]);
const WRITES = new Set([">", ">>", ">|", "&>", "&>>"]);
const DUPLICATES = new Set([">&", "<&"]);
const HARMLESS_TARGET = /^\/dev\/(?:null|zero|full|stdout|stderr|stdin|tty|fd\/\d+)$/;

/** Walks redirects in order; the folders are those before the command runs. */
export function walkRedirects(nodes: readonly SyntaxNode[], state: ShellState, walk: Walk): Redirected {
  return nodes
    .map((node) => walkOne(node, state, walk))
    .reduce(
      (all, one) => ({
        words: [...all.words, ...one.words],
        stdin: one.stdin ?? all.stdin,
        stdoutGone: all.stdoutGone || one.stdoutGone,
        goesOn: [...all.goesOn, ...one.goesOn],
      }),
      NOTHING,
    );
}

function walkOne(node: SyntaxNode, state: ShellState, walk: Walk): Redirected {
  if (node.type === "file_redirect") return fileRedirect(node, state, walk);
  if (node.type === "heredoc_redirect") return hereDocument(node, state, walk);
  if (node.type === "herestring_redirect") {
    visitExpansions(node, state, walk);
    return { ...NOTHING, stdin: "other" };
  }
  walk.found.doubt(`a redirect that is not known: ${node.text.slice(0, 60)}`);
  return NOTHING;
}

function fileRedirect(node: SyntaxNode, state: ShellState, walk: Walk): Redirected {
  const operator = node.children.find((child) => !child.named)?.text ?? "";
  const [target, ...rest] = childrenIn(node, "destination");
  const words = rest.flatMap((one) => expandWord(one, state, walk));
  if (operator === ">&-" || operator === "<&-") return { ...NOTHING, words: target === undefined ? [] : [...expandWord(target, state, walk), ...words] };
  const [word, ...split] = target === undefined ? [] : expandWord(target, state, walk);
  const known = word?.kind === "text" && split.length === 0 ? word.text : undefined;
  if (DUPLICATES.has(operator) && known !== undefined && /^\d+-?$|^-$/.test(known)) return { ...NOTHING, words };
  if (known === undefined) {
    walk.found.doubt("a redirect whose file is only known at run time");
    return { ...NOTHING, words };
  }
  if (/^\/dev\/(?:tcp|udp)\//.test(known)) walk.found.doubt("a redirect to the network");
  else if (operator === "<") touch(known, state, walk, walk.found.reads);
  else if (WRITES.has(operator) || operator === ">&") touch(known, state, walk, walk.found.redirects);
  else walk.found.doubt(`a redirect that is not known: ${operator}`);
  return { words, stdin: READS.has(operator) ? "other" : undefined, stdoutGone: operator !== "<", goesOn: [] };
}

function touch(path: string, state: ShellState, walk: Walk, record: (path: string) => void): void {
  if (HARMLESS_TARGET.test(path)) return;
  if (path.startsWith("/")) return record(path);
  if (state.cwds === undefined) walk.found.doubt("a redirect in a folder that is not known");
  for (const cwd of state.cwds ?? []) record(absolute(path, cwd));
}

function hereDocument(node: SyntaxNode, state: ShellState, walk: Walk): Redirected {
  checkDelimiter(node, walk);
  // With any part of the delimiter quoted, the text is data.
  const quoted = /["'\\]/.test(node.children.find((child) => child.type === "heredoc_start")?.text ?? "");
  const words: Word[] = [];
  const goesOn: { operator: string; node: SyntaxNode }[] = [];
  const inner: SyntaxNode[] = [];
  let operator = "";
  for (const child of node.children) {
    if (child.field === "argument") words.push(...expandWord(child, state, walk));
    else if (child.field === "operator") operator = child.text;
    else if (child.field === "right") goesOn.push({ operator, node: child });
    else if (child.type === "pipeline") goesOn.push({ operator: "|", node: child });
    else if (child.type === "heredoc_body") {
      if (!quoted) body(child, state, walk);
    } else if (child.field === "redirect") inner.push(child);
    else if (child.named && child.type !== "heredoc_start" && child.type !== "heredoc_end" && child.type !== "file_descriptor")
      walk.found.doubt("a here-document that is not understood");
  }
  const more = walkRedirects(inner, state, walk);
  return { words: [...words, ...more.words], stdin: more.stdin ?? "other", stdoutGone: more.stdoutGone, goesOn: [...goesOn, ...more.goesOn] };
}

// The grammar ends a document at a line that bash would not (`EOF `); where the two may differ, nothing is proven.
function checkDelimiter(node: SyntaxNode, walk: Walk): void {
  const start = node.children.find((child) => child.type === "heredoc_start")?.text ?? "";
  const end = node.children.find((child) => child.type === "heredoc_end");
  const word = start.replace(/\\(.)/g, "$1").replace(/["']/g, "");
  const lines = node.text.split("\n").slice(1);
  const closing = lines.findIndex((line) => (node.text.includes("<<-") ? line.replace(/^\t+/, "") : line) === word);
  if (end === undefined || word === "" || end.text !== word || closing !== lines.length - 1) walk.found.doubt("a here-document whose end is not certain");
}

function body(node: SyntaxNode, state: ShellState, walk: Walk): void {
  let rest = node.text;
  for (const child of node.children) {
    if (child.type === "heredoc_content") continue;
    rest = rest.replace(child.text, "");
    visitExpansions(child, state, walk);
  }
  if (/(?<!\\)(?:`|\$\()/.test(rest)) walk.found.doubt("a substitution inside a here-document that could not be read");
}
