// The real grammar (tree-sitter's bash) behind a pure function. Made once per thread; trees are copied to plain data and freed.
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import type { Parse, SyntaxNode } from "./tree.ts";

/** `runtime`: bytes of web-tree-sitter.wasm; `bash`: bytes of tree-sitter-bash.wasm. */
export async function createParser(wasm: { readonly runtime: Uint8Array; readonly bash: Uint8Array }): Promise<Parse> {
  await Parser.init({ wasmBinary: wasm.runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(wasm.bash));
  return (source) => {
    const tree = parser.parse(source);
    if (tree === null) return undefined;
    try {
      return tree.rootNode.hasError ? undefined : copy(tree.walk(), source);
    } finally {
      tree.delete();
    }
  };
}

function copy(cursor: TreeCursor, source: string): SyntaxNode {
  try {
    return copyNode(cursor, source);
  } finally {
    cursor.delete();
  }
}

function copyNode(cursor: TreeCursor, source: string): SyntaxNode {
  const { startIndex: start, endIndex: end, nodeType: type, nodeIsNamed: named } = cursor;
  const field = cursor.currentFieldName ?? undefined;
  const children: SyntaxNode[] = [];
  if (cursor.gotoFirstChild()) {
    do children.push(copyNode(cursor, source));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return { type, named, field, text: source.slice(start, end), start, end, children };
}
