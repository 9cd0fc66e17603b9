// Captured bytes as the model's text: all of it, or its first 70 % and last 30 % with what is between them (T9).
import { headOf, tailOf } from "#shared/lib/text.ts";
import type { Captured } from "./capture.ts";
import { cleanOutput, fromLineStart, wholeCharacters } from "./clean.ts";
import { leftOutText } from "./output.text.ts";

/** `from`: bytes of the stored output before what was captured. */
export type StoredOutput = { readonly file: string | undefined; readonly whole: boolean; readonly from?: number };
export type DescribedOutput = {
  /** the whole text when nothing had to be left out */
  readonly text: string;
  readonly shortened: boolean;
};

/** In UTF-16 units. Leaves room below the shell's result limit for what is said about the end of the command. */
export const CLEAN_OUTPUT_CHARS = 28_000;
const HEAD_CHARS = Math.floor(CLEAN_OUTPUT_CHARS * 0.7);
const TAIL_CHARS = CLEAN_OUTPUT_CHARS - HEAD_CHARS;
/** How far the tail may be searched for the beginning of a line. */
const LINE_SEARCH_BYTES = 4_096;

/** `stored`: the spool, needed only when something is left out. */
export function describeOutput(captured: Captured, stored: StoredOutput): DescribedOutput {
  const { head, tail, skipped, total } = captured;
  const parts =
    skipped === 0
      ? wholeParts(cleanOutput(Buffer.concat([head, tail])))
      : { first: cleanOutput(wholeCharacters(head)), last: cleanOutput(fromLineStart(tail, LINE_SEARCH_BYTES)) };
  if (typeof parts === "string") return { text: parts, shortened: false };
  const first = headOf(parts.first, HEAD_CHARS);
  const last = tailOf(parts.last, TAIL_CHARS);
  const leftOut = Math.max(0, total - Buffer.byteLength(first) - Buffer.byteLength(last));
  const note = leftOutText({ leftOut, total, ...stored, line: (stored.from ?? 0) === 0 ? countLines(first) + 1 : undefined });
  return { text: `${first}\n\n${note}\n\n${last}`, shortened: true };
}

function wholeParts(text: string): string | { readonly first: string; readonly last: string } {
  return text.length <= CLEAN_OUTPUT_CHARS ? text : { first: text, last: text };
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** True when the text of these bytes would have to be shortened. Cheap for short output. */
export function needsShortening(captured: Captured): boolean {
  if (captured.total <= CLEAN_OUTPUT_CHARS) return false;
  return captured.skipped > 0 || cleanOutput(Buffer.concat([captured.head, captured.tail])).length > CLEAN_OUTPUT_CHARS;
}
