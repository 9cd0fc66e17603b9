// Does the tree account for every character of the source, and do its leaves hide nothing that bash would run?
// The grammar is not bash: where it leaves text aside or takes a substitution for plain text, nothing is proven.
import type { SyntaxNode } from "./tree.ts";

/** Data for bash, whatever it looks like; here-documents are looked at where they are walked. */
const DATA = new Set(["raw_string", "ansi_c_string", "comment", "heredoc_start", "heredoc_body", "heredoc_content", "heredoc_end"]);
const SUBSTITUTION = /`|\$[({[]|[<>]\(/;
const GAP = /^(?:[ \t\n]|\\\n)*$/;

/** What is wrong; undefined when the tree can be trusted. */
export function findTreeFault(root: SyntaxNode, source: string): string | undefined {
  const leaves: SyntaxNode[] = [];
  collectLeaves(root, leaves);
  leaves.sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const leaf of leaves) {
    if (leaf.start > end && !GAP.test(source.slice(end, leaf.start)))
      return `the grammar left something aside: ${source.slice(end, leaf.start).trim().slice(0, 60)}`;
    end = Math.max(end, leaf.end);
    if (leaf.named && !DATA.has(leaf.type) && SUBSTITUTION.test(leaf.text.replace(/\\[\s\S]/g, "")))
      return `a substitution that the grammar takes for text: ${leaf.text.slice(0, 60)}`;
  }
  return GAP.test(source.slice(end)) ? undefined : `the grammar left something aside: ${source.slice(end).trim().slice(0, 60)}`;
}

// Inside quotes the text between the pieces belongs to the string.
function collectLeaves(node: SyntaxNode, leaves: SyntaxNode[]): void {
  if (node.children.length === 0 || DATA.has(node.type)) leaves.push(node);
  if (node.type === "string") leaves.push({ ...node, type: "raw_string" });
  for (const child of node.children) if (child.type !== "heredoc_content") collectLeaves(child, leaves);
}
