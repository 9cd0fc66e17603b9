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
const WRITES = new Set([">", ">>", ">|", "&>", "&>>", ">&"]);
const CLOSES = new Set([">&-", "<&-"]);
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
  const [target = [], ...rest] = childrenIn(node, "destination").map((one) => expandWord(one, state, walk));
  if (CLOSES.has(operator)) return { ...NOTHING, words: [...target, ...rest.flat()] };
  const words = rest.flat();
  const [only, ...more] = target;
  const known = only?.kind === "text" && more.length === 0 ? only.text : undefined;
  if (DUPLICATES.has(operator) && /^(?:\d+-?|-)$/.test(known ?? "")) return { ...NOTHING, words };
  redirectTo(operator, known, { state, walk });
  const reads = READS.has(operator);
  return { words, stdin: reads ? "other" : undefined, stdoutGone: !reads, goesOn: [] };
}

function redirectTo(operator: string, file: string | undefined, { state, walk }: { readonly state: ShellState; readonly walk: Walk }): void {
  if (file === undefined) walk.found.doubt("a redirect whose file is only known at run time");
  else if (/^\/dev\/(?:tcp|udp)\//.test(file)) walk.found.doubt("a redirect to the network");
  else if (READS.has(operator)) touch(file, state, walk, walk.found.reads);
  else if (WRITES.has(operator)) touch(file, state, walk, walk.found.redirects);
  else walk.found.doubt(`a redirect that is not known: ${operator}`);
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
  for (const child of node.children) {
    if (child.type === "heredoc_body" && !quoted) body(child, state, walk);
    else if (!isUnderstood(child)) walk.found.doubt("a here-document that is not understood");
  }
  const words = childrenIn(node, "argument").flatMap((child) => expandWord(child, state, walk));
  const more = walkRedirects(childrenIn(node, "redirect"), state, walk);
  return { words: [...words, ...more.words], stdin: more.stdin ?? "other", stdoutGone: more.stdoutGone, goesOn: [...goesOnWith(node), ...more.goesOn] };
}

const OF_DOCUMENTS = new Set(["heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor", "pipeline"]);

function isUnderstood(child: SyntaxNode): boolean {
  return !child.named || OF_DOCUMENTS.has(child.type) || ["argument", "operator", "right", "redirect"].includes(child.field ?? "");
}

function goesOnWith(node: SyntaxNode): Redirected["goesOn"] {
  const operator = childrenIn(node, "operator")[0]?.text ?? "";
  return node.children.flatMap((child) =>
    child.type === "pipeline" ? [{ operator: "|", node: child }] : child.field === "right" ? [{ operator, node: child }] : [],
  );
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
