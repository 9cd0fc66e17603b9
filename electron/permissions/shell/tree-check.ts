// Does the tree account for every character of the source, and do its leaves hide nothing that bash would run?
// The grammar is not bash: where it leaves text aside or takes a substitution for plain text, nothing is proven.
import type { SyntaxNode } from "./tree.ts";

/** Data for bash, whatever it looks like; here-documents are looked at where they are walked. */
const DATA = new Set(["raw_string", "ansi_c_string", "comment", "heredoc_start", "heredoc_body", "heredoc_content", "heredoc_end"]);
const SUBSTITUTION = /`|\$[({[]|[<>]\(/;
const GAP = /^(?:[ \t\n]|\\\n)*$/;

/** What is wrong; undefined when the tree can be trusted. */
export function findTreeFault(root: SyntaxNode, source: string): string | undefined {
  return findHiddenText(root, source) ?? findSwallowedLine(root, source) ?? findNamedDescriptor(root, source);
}

/** `{PATH}> file` puts a number into a variable; the grammar takes the braces for a word. */
function findNamedDescriptor(node: SyntaxNode, source: string): string | undefined {
  const named = node.type.endsWith("_redirect") && /\{[A-Za-z_]\w*(?:\[[^\]]*\])?\}$/.test(source.slice(0, node.start));
  if (named) return "a redirect that sets a variable";
  for (const child of node.children) {
    const fault = findNamedDescriptor(child, source);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findHiddenText(root: SyntaxNode, source: string): string | undefined {
  const leaves: SyntaxNode[] = [];
  collectLeaves(root, leaves);
  leaves.sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const leaf of leaves) {
    if (leaf.start > end && !GAP.test(source.slice(end, leaf.start)))
      return `the grammar left something aside: ${source.slice(end, leaf.start).trim().slice(0, 60)}`;
    end = Math.max(end, leaf.end);
    if (!leaf.named || DATA.has(leaf.type)) continue;
    if (SUBSTITUTION.test(leaf.text.replace(/\\[\s\S]/g, ""))) return `a substitution that the grammar takes for text: ${leaf.text.slice(0, 60)}`;
    if (leaf.type !== "string_content" && /^[ \t]|\n/.test(leaf.text.replaceAll("\\\n", "")))
      return `a word that the grammar begins on another line: ${leaf.text.trim().slice(0, 60)}`;
  }
  return GAP.test(source.slice(end)) ? undefined : `the grammar left something aside: ${source.slice(end).trim().slice(0, 60)}`;
}

/** In these a line may end between any two children; in all others a line end ends the command, whatever the grammar says. */
const BLOCKS = new Set([
  "program",
  "do_group",
  "compound_statement",
  "subshell",
  "if_statement",
  "elif_clause",
  "else_clause",
  "while_statement",
  "for_statement",
  "c_style_for_statement",
  "case_statement",
  "case_item",
  "function_definition",
  "command_substitution",
  "process_substitution",
  "array",
  "string",
  "heredoc_body",
  "arithmetic_expansion",
  "expansion",
]);
const OF_NEXT_LINES = new Set(["heredoc_body", "heredoc_end"]);
const CONNECTORS = new Set(["&&", "||", "|", "|&"]);

// The grammar has been seen to take the words of the next line for arguments of this one.
function findSwallowedLine(node: SyntaxNode, source: string): string | undefined {
  const between = (from: SyntaxNode, to: SyntaxNode) => source.slice(from.end, to.start).replaceAll("\\\n", "").includes("\n");
  if (!BLOCKS.has(node.type)) {
    const at = node.children.findIndex((child, index) => {
      const before = node.children[index - 1];
      return before !== undefined && !CONNECTORS.has(before.text) && !OF_NEXT_LINES.has(child.type) && between(before, child);
    });
    if (at !== -1) return `a line end inside a command: ${node.text.slice(0, 60)}`;
  }
  for (const child of node.children) {
    const fault = findSwallowedLine(child, source);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

// Inside quotes the text between the pieces belongs to the string.
function collectLeaves(node: SyntaxNode, leaves: SyntaxNode[]): void {
  if (node.children.length === 0 || DATA.has(node.type)) leaves.push(node);
  if (node.type === "string") leaves.push({ ...node, type: "raw_string" });
  for (const child of node.children) if (child.type !== "heredoc_content") collectLeaves(child, leaves);
}
