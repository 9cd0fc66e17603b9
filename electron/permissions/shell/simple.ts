// One simple command of the tree: its assignments, its words, and who judges it.
import { prefixAssignments } from "./assignments.ts";
import { expandWord } from "./expand.ts";
import { same, type ShellState } from "./state.ts";
import type { SyntaxNode } from "./tree.ts";
import type { Feed, Walk, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

export type SimpleAt = { readonly state: ShellState; readonly stdin: Feed; readonly more: readonly Word[]; readonly stdoutGone: boolean };

export function walkSimple(node: SyntaxNode, at: SimpleAt, walk: Walk): Walked {
  const before = walk.found.size();
  const env = prefixAssignments(
    node.children.filter((child) => child.type === "variable_assignment"),
    at.state,
    walk,
  );
  const wordNodes = node.children.filter((child) => child.type !== "variable_assignment" && !child.type.endsWith("_redirect"));
  checkContinuations(wordNodes, walk);
  const words = [...wordNodes.flatMap((child) => expandWord(child, at.state, walk)), ...at.more];
  if (words.length === 0) return { outcome: same(at.state), prints: "none" };
  return walk.command(words, { state: at.state, stdin: at.stdin, env, fetchesWords: walk.found.networkSince(before) });
}

// `$"…"` and the like: bash sees one word where the grammar sees two.
function checkContinuations(nodes: readonly SyntaxNode[], walk: Walk): void {
  nodes.forEach((node, at) => {
    const before = nodes[at - 1];
    if (before !== undefined && before.end === node.start) walk.found.doubt("words without a gap between them");
  });
}
