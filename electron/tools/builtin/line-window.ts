// Picks a range of lines out of a text that may come in pieces, counts the rest, and keeps no more than it shows (T12). Pure.
import { headOf } from "#shared/lib/text.ts";

export const READ_DEFAULT_LINES = 2_000;
export const READ_MAX_LINE_CHARS = 2_000;
/** All lines of one answer together; `read` limits itself (T9). */
export const READ_MAX_CHARS = 100_000;

export type LineWindow = {
  readonly lines: readonly string[];
  /** 1-based and inclusive; `to` < `from` when no line was shown */
  readonly from: number;
  readonly to: number;
  /** lines counted so far; all of them once the text has ended */
  readonly total: number;
  /** how many of the lines shown were cut */
  readonly shortened: number;
  /** the character limit came before the line limit */
  readonly full: boolean;
  readonly finalNewline: boolean;
};

export interface LineWindowReader {
  push(text: string): void;
  /** nothing that comes later can be shown */
  done(): boolean;
  end(): LineWindow;
}

/** `offset`: first line, 1-based; `separator`: what ends a line (a CR before `\n` goes with it). */
export function createLineWindow(range: { readonly offset: number; readonly limit: number; readonly separator: "\n" | "\r" }): LineWindowReader {
  const last = range.offset + range.limit - 1;
  const lines: string[] = [];
  let number = 1;
  let chars = 0;
  let shortened = 0;
  let full = false;
  let part = "";
  let partLength = 0;
  const wanted = () => number >= range.offset && number <= last && !full;
  const add = (text: string, from: number, to: number) => {
    partLength += to - from;
    const room = READ_MAX_LINE_CHARS + 1 - part.length;
    if (room > 0 && wanted()) part += text.slice(from, Math.min(to, from + room));
  };
  const close = () => {
    if (wanted()) {
      const { line, cut } = shown(part, partLength);
      if (lines.length > 0 && chars + line.length > READ_MAX_CHARS) full = true;
      else {
        lines.push(line);
        chars += line.length + 1;
        if (cut) shortened++;
      }
    }
    number++;
    part = "";
    partLength = 0;
  };
  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf(range.separator); at >= 0; at = text.indexOf(range.separator, from)) {
        add(text, from, at);
        close();
        from = at + 1;
      }
      if (from < text.length) add(text, from, text.length);
    },
    done: () => full || number > last,
    end() {
      const finalNewline = partLength === 0 && number > 1;
      if (partLength > 0) close();
      return { lines, from: range.offset, to: range.offset + lines.length - 1, total: number - 1, shortened, full, finalNewline };
    },
  };
}

function shown(part: string, length: number): { readonly line: string; readonly cut: boolean } {
  const bare = length === part.length && part.endsWith("\r") ? part.slice(0, -1) : part;
  if (bare.length <= READ_MAX_LINE_CHARS) return { line: bare, cut: false };
  return { line: `${headOf(bare, READ_MAX_LINE_CHARS)} [line cut: ${length} characters in all]`, cut: true };
}
