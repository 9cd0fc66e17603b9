// Marks found words in what is on screen without touching its elements: the browser's own highlights, one set for all panes.
import { wordPattern } from "#shared/session/search.ts";

const ALL = "cairn-find";
const CURRENT = "cairn-find-current";

type Marks = { readonly all: Highlight; readonly current: Highlight };
let marks: Marks | undefined;

function theMarks(): Marks | undefined {
  // No window without them is supported; a test's page has none.
  if (typeof Highlight === "undefined" || typeof CSS === "undefined" || !("highlights" in CSS)) return undefined;
  if (marks === undefined) {
    marks = { all: new Highlight(), current: new Highlight() };
    marks.current.priority = 1;
    CSS.highlights.set(ALL, marks.all);
    CSS.highlights.set(CURRENT, marks.current);
  }
  return marks;
}

export type Marked = { readonly current: Range | undefined } & Disposable;

/** Marks all places under `root`, and among them the `nth` one of the item with this key. */
export function markWords(root: Element, query: string, at: { readonly key: string; readonly nth: number } | undefined): Marked {
  const own = theMarks();
  const ranges = own === undefined || query.trim() === "" ? [] : rangesIn(root, query);
  const here = at === undefined ? undefined : itemWith(root, at.key);
  const inside = here === undefined ? [] : ranges.filter((range) => here.contains(range.startContainer));
  // Words that are only in an address or a mark of the text have no place on the screen.
  const current = inside[Math.min(at?.nth ?? 0, inside.length - 1)];
  for (const range of ranges) own?.all.add(range);
  if (current !== undefined) own?.current.add(current);
  return {
    current,
    [Symbol.dispose]() {
      for (const range of ranges) own?.all.delete(range);
      if (current !== undefined) own?.current.delete(current);
    },
  };
}

/** The list item with this key, if it is mounted. */
export function itemWith(root: Element, key: string): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>("[data-item]")].find((item) => item.dataset["item"] === key);
}

/** Words may go over several elements of one block: its text is looked at as a whole. */
function rangesIn(root: Element, query: string): Range[] {
  const ranges: Range[] = [];
  for (const item of root.querySelectorAll("[data-item]")) {
    const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest("button, .sr-only, textarea") === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
    );
    const nodes: { readonly node: Node; readonly from: number }[] = [];
    let text = "";
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes.push({ node, from: text.length });
      text += node.nodeValue ?? "";
    }
    for (const match of text.matchAll(wordPattern(query, "giu"))) ranges.push(rangeOf(nodes, match.index, match.index + match[0].length));
  }
  return ranges;
}

function rangeOf(nodes: readonly { readonly node: Node; readonly from: number }[], from: number, to: number): Range {
  const range = document.createRange();
  const start = nodes.findLast((one) => one.from <= from);
  const end = nodes.findLast((one) => one.from < to);
  if (start !== undefined) range.setStart(start.node, from - start.from);
  if (end !== undefined) range.setEnd(end.node, to - end.from);
  return range;
}
