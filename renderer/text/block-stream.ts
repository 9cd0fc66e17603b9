// Splits growing Markdown into top-level blocks. A finished block is never looked at again, so a delta costs the same
// at the end of a long answer as at its start (U3); only the last, unfinished block is parsed anew.
import { Lexer } from "marked";

export type BlockStream = {
  readonly done: readonly string[];
  /** the block that may still grow */
  readonly tail: string;
  /** how far `tail` was searched for the end of an open code fence */
  readonly searched: number;
};

export const NO_BLOCKS: BlockStream = { done: [], tail: "", searched: 0 };

/** A list, table or paragraph longer than this is cut at a line, so that parsing the tail stays cheap. */
const TAIL_MAX_CHARS = 12_000;
/** The lexer drops them; positions in its tokens and in the text must agree. */
const CARRIAGE_RETURN = /\r/g;
const FENCE_OPEN = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/;
/** Longest closing fence line that may have been cut by the last delta. */
const FENCE_OVERLAP = 80;

/** The stream with `delta` at its end. */
export function appendBlocks(stream: BlockStream, delta: string): BlockStream {
  if (delta === "") return stream;
  const text = stream.tail + delta.replace(CARRIAGE_RETURN, "");
  // Blocks end at line ends only: without one, nothing can have been finished.
  if (!delta.includes("\n") && text.length <= TAIL_MAX_CHARS) return { ...stream, tail: text };
  return split(stream.done, text, stream.searched);
}

/** All blocks of a finished text. */
export function blocksOf(text: string): readonly string[] {
  const { done, tail } = split([], text.replace(CARRIAGE_RETURN, ""), 0);
  return tail.trim() === "" ? done : [...done, tail];
}

function split(before: readonly string[], text: string, searched: number): BlockStream {
  const done: string[] = [];
  let rest = text;
  let from = searched;
  while (rest !== "") {
    const fence = FENCE_OPEN.exec(rest)?.[1];
    if (fence === undefined) {
      const cut = splitPlain(rest);
      done.push(...cut.done);
      rest = cut.tail;
      from = 0;
      if (cut.done.length > 0 && FENCE_OPEN.test(rest)) continue;
      break;
    }
    const end = fenceEnd(rest, fence, from);
    if (end === undefined) return grown(before, done, { tail: rest, searched: Math.max(0, rest.length - FENCE_OVERLAP) });
    done.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^\n+/, "");
    from = 0;
  }
  if (rest.length <= TAIL_MAX_CHARS) return grown(before, done, { tail: rest, searched: 0 });
  const cut = cutPoint(rest);
  return grown(before, [...done, rest.slice(0, cut)], { tail: rest.slice(cut), searched: 0 });
}

/** Blocks of a text that does not begin with a fence; the last one may still grow. */
function splitPlain(text: string): { readonly done: readonly string[]; readonly tail: string } {
  // Only the block pass of the lexer: what is inside a block is parsed when it is shown.
  const tokens = new Lexer().blockTokens(text, []).filter((token) => token.type !== "space");
  const raw = tokens.pop()?.raw ?? "";
  // The lexer eats line ends after a block; whether the tail ends in one decides what the next delta belongs to.
  const at = text.lastIndexOf(raw);
  return { done: tokens.map((token) => token.raw), tail: raw === "" ? "" : at < 0 ? raw : text.slice(at) };
}

function grown(before: readonly string[], done: readonly string[], rest: Omit<BlockStream, "done">): BlockStream {
  return { done: done.length === 0 ? before : before.concat(done), ...rest };
}

function fenceEnd(text: string, fence: string, from: number): number | undefined {
  const close = new RegExp(`\\n {0,3}${fence[0] === "~" ? "~" : "`"}{${fence.length},}[ \\t]*(?:\\n|$)`, "g");
  // The newline that ends the opening line may begin the closing one: an empty block.
  close.lastIndex = Math.max(text.indexOf("\n"), from);
  const match = close.exec(text);
  if (match === null) return undefined;
  // A fence at the very end may still become longer text; it counts only when its line is over.
  return match[0].endsWith("\n") ? match.index + match[0].length : text.length;
}

function cutPoint(text: string): number {
  const line = text.lastIndexOf("\n", TAIL_MAX_CHARS);
  if (line > 0) return line + 1;
  const space = text.lastIndexOf(" ", TAIL_MAX_CHARS);
  return space > 0 ? space + 1 : TAIL_MAX_CHARS;
}
