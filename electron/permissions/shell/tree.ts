// A syntax tree as plain data, so that the analysis is pure and knows nothing of the parser.

export type SyntaxNode = {
  readonly type: string;
  /** false for punctuation and key words */
  readonly named: boolean;
  readonly field: string | undefined;
  readonly text: string;
  /** UTF-16 offsets into the source */
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
};

/** The whole program; undefined when the grammar could not read all of it. */
export type Parse = (source: string) => SyntaxNode | undefined;

export function childrenIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  return node.children.filter((child) => child.field === field);
}

export function childIn(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

export function namedChildren(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter((child) => child.named && child.type !== "comment");
}

/** Depth first, the node itself included. */
export function someNode(node: SyntaxNode, test: (one: SyntaxNode) => boolean): boolean {
  return test(node) || node.children.some((child) => someNode(child, test));
}
