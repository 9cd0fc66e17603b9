// What ripgrep prints in its JSON mode, gathered by file and bounded (T14). Pure.
import { z } from "zod";
import { headOf, tailOf } from "#shared/lib/text.ts";
import { parseJson } from "./parse-json.ts";

const MAX_LINE_CHARS = 500;
const BEFORE_MATCH = 150;

const Text = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.string() })])
  .transform((data) => ("text" in data ? data.text : Buffer.from(data.bytes, "base64").toString("latin1")));
const Message = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("match"),
    data: z.object({ path: Text, lines: Text, line_number: z.number().nullable(), submatches: z.array(z.object({ start: z.number() })) }),
  }),
  z.object({ type: z.literal("context"), data: z.object({ path: Text, lines: Text, line_number: z.number().nullable() }) }),
  z.object({ type: z.literal("end"), data: z.object({ path: Text, binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal("begin") }),
  z.object({ type: z.literal("summary") }),
]);

export type FoundLine = { readonly number: number; readonly text: string; readonly isMatch: boolean };

export interface Findings {
  /** false when `max` matches were seen */
  add(record: string): boolean;
  readonly matches: number;
  readonly files: ReadonlyMap<string, { readonly lines: readonly FoundLine[]; readonly binary: boolean }>;
}

export function createFindings(max: number): Findings {
  const files = new Map<string, { lines: FoundLine[]; binary: boolean }>();
  let matches = 0;
  const fileOf = (name: string) => {
    const file = files.get(name) ?? { lines: [], binary: false };
    files.set(name, file);
    return file;
  };
  return {
    add(record) {
      const parsed = Message.safeParse(parseJson(record));
      if (!parsed.success) return true;
      const message = parsed.data;
      if (message.type === "match") {
        matches++;
        fileOf(message.data.path).lines.push(...linesOf(message.data.lines, message.data.line_number ?? 1, message.data.submatches[0]?.start ?? 0));
      }
      if (message.type === "context")
        fileOf(message.data.path).lines.push({ number: message.data.line_number ?? 1, text: around(bare(message.data.lines), 0), isMatch: false });
      if (message.type === "end" && message.data.binary_offset !== null) fileOf(message.data.path).binary = true;
      return matches < max;
    },
    get matches() {
      return matches;
    },
    files,
  };
}

/** A match over several lines gives one entry for each. `start`: byte where the first match begins. */
function linesOf(text: string, number: number, start: number): readonly FoundLine[] {
  return bare(text)
    .split("\n")
    .map((line, index) => ({ number: number + index, text: around(line.replace(/\r$/, ""), index === 0 ? start : 0), isMatch: true }));
}

function bare(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** A long line is cut around the place that matched, so that the match is always seen. */
function around(line: string, start: number): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const at = Buffer.from(line).subarray(0, start).toString("utf8").length;
  const from = Math.max(0, at - BEFORE_MATCH);
  const kept = headOf(tailOf(line, line.length - from), MAX_LINE_CHARS);
  return `${from > 0 ? "…" : ""}${kept}${from + kept.length < line.length ? "…" : ""}`;
}
