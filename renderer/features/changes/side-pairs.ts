// Lines of a change put side by side, and where each stands. Pure.
import type { DiffHunk, DiffLine } from "#shared/tools/card.ts";

/** `line`: counted in the file as it is ("new") or as it was ("old"). */
export type LinePlace = { readonly side: "new" | "old"; readonly line: number; readonly quote: string };
/** The same line on both sides when nothing changed there. */
export type SidePair = { readonly left: DiffLine | undefined; readonly right: DiffLine | undefined };

export function placeOf({ kind, text, old, new: now }: DiffLine): LinePlace | undefined {
  if (kind === "del") return old === undefined ? undefined : { side: "old", line: old, quote: text };
  return now === undefined ? undefined : { side: "new", line: now, quote: text };
}

export function isSamePlace(a: Pick<LinePlace, "side" | "line">, b: Pick<LinePlace, "side" | "line"> | undefined): boolean {
  return b !== undefined && a.side === b.side && a.line === b.line;
}

/** What was taken away stands beside what came in its place. */
export function sidePairs({ lines }: DiffHunk): readonly SidePair[] {
  const pairs: SidePair[] = [];
  let gone: DiffLine[] = [];
  let come: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) pairs.push({ left: gone[at], right: come[at] });
    [gone, come] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === "del") {
      // A deletion after an insertion begins another place.
      if (come.length > 0) flush();
      gone.push(line);
    } else if (line.kind === "add") come.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}
