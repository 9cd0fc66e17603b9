// Brings a change that was made for an older text onto the newer one, if the two touch different places (T13). Pure.
import { diff3Merge } from "node-diff3";
import { commonHead, commonTail, linesWithEndings } from "./text-lines.ts";

/** The comparison grows with the square of what differs; beyond this a fresh read is the better answer. */
const MAX_DIFFERING_LINES = 3_000;

/** `base`: what both started from. Undefined when the changes touch, or differ too much to tell. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  if (base === theirs) return mine;
  const [o, a, b] = [linesWithEndings(base), linesWithEndings(mine), linesWithEndings(theirs)];
  const head = commonHead([o, a, b]);
  const tail = commonTail([o, a, b], head);
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  if (Math.max(o.length, a.length, b.length) - head - tail > MAX_DIFFERING_LINES) return undefined;
  const parts: string[] = [o.slice(0, head).join("")];
  for (const region of diff3Merge<string>(middle(a), middle(o), middle(b), { excludeFalseConflicts: true })) {
    if (region.ok === undefined) return undefined;
    parts.push(region.ok.join(""));
  }
  parts.push(o.slice(o.length - tail).join(""));
  return parts.join("");
}
