// Brings a change that was made for an older text onto the newer one, if the two touch different places (T13). Pure.
import { diff3Merge } from "node-diff3";

/** The comparison grows with the square of what differs; beyond this a fresh read is the better answer. */
const MAX_DIFFERING_LINES = 3_000;

/** `base`: what both started from. Undefined when the changes touch, or differ too much to tell. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  if (base === theirs) return mine;
  const [o, a, b] = [linesOf(base), linesOf(mine), linesOf(theirs)];
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

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function commonHead(texts: readonly (readonly string[])[]): number {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map((lines) => lines.length));
  let count = 0;
  while (count < shortest && others.every((lines) => lines[count] === first[count])) count++;
  return count;
}

function commonTail(texts: readonly (readonly string[])[], head: number): number {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map((lines) => lines.length)) - head;
  let count = 0;
  while (count < shortest && others.every((lines) => lines[lines.length - 1 - count] === first[first.length - 1 - count])) count++;
  return count;
}
