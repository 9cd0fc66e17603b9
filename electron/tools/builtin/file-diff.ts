// The difference between two texts, for the person's card and in short for the model (T13). Bounded in time and size. Pure.
import { structuredPatch } from "diff";
import { headOf } from "#shared/lib/text.ts";
import type { DiffHunk, DiffLine, FileDiff } from "#shared/tools/card.ts";
import { commonHead, commonTail, linesWithEndings } from "./text-lines.ts";

const CONTEXT = 3;
/** Beyond so many differing lines the exact difference costs too much; the changed stretch is then shown as a whole. */
const MAX_EDIT_LENGTH = 600;
const MAX_CARD_LINES = 4_000;
const MAX_MODEL_LINES = 120;
const MAX_MODEL_LINE_CHARS = 300;

/** `path`: as shown. `cut` says that lines were left out; `added` and `removed` always count all. */
export function fileDiff(path: string, before: string, after: string): FileDiff {
  const old = linesWithEndings(before);
  const now = linesWithEndings(after);
  const head = commonHead([old, now]);
  const tail = commonTail([old, now], head);
  if (head === old.length && head === now.length) return { path, added: 0, removed: 0, hunks: [] };
  // Only the stretch between the first and the last difference is compared, however long the file is.
  const from = Math.max(0, head - CONTEXT);
  const rest = Math.max(0, tail - CONTEXT);
  const [oldPart, nowPart] = [old.slice(from, old.length - rest), now.slice(from, now.length - rest)];
  const hunks = exactHunks(oldPart, nowPart, from);
  if (hunks === undefined) {
    const lines = { del: old.slice(head, old.length - tail), add: now.slice(head, now.length - tail) };
    return { path, added: lines.add.length, removed: lines.del.length, ...coarse(old.slice(from, head), lines, from + 1) };
  }
  const all = hunks.flatMap((hunk) => hunk.lines);
  const counts = { added: all.filter((line) => line.kind === "add").length, removed: all.filter((line) => line.kind === "del").length };
  return all.length <= MAX_CARD_LINES ? { path, ...counts, hunks } : { path, ...counts, hunks: shortened(hunks), cut: true };
}

/** Unified text, without file names; long changes are cut in the middle of nothing: whole lines only. */
export function unifiedText(diff: FileDiff): string {
  const marks = { same: " ", add: "+", del: "-" } as const;
  const lines = diff.hunks.flatMap((hunk) => [
    `@@ line ${hunk.newStart} @@`,
    ...hunk.lines.map((line) => `${marks[line.kind]}${line.text.length > MAX_MODEL_LINE_CHARS ? `${headOf(line.text, MAX_MODEL_LINE_CHARS)}…` : line.text}`),
  ]);
  if (lines.length <= MAX_MODEL_LINES) return lines.join("\n");
  return [...lines.slice(0, MAX_MODEL_LINES), `… ${lines.length - MAX_MODEL_LINES} more lines of this change are not shown`].join("\n");
}

function exactHunks(old: readonly string[], now: readonly string[], from: number): DiffHunk[] | undefined {
  const patch = structuredPatch("", "", old.join(""), now.join(""), undefined, undefined, { context: CONTEXT, maxEditLength: MAX_EDIT_LENGTH });
  return patch?.hunks.map((hunk) => numbered(hunk.lines, hunk.oldStart + from, hunk.newStart + from));
}

/** `raw`: lines as a unified diff has them. */
export function numbered(raw: readonly string[], oldStart: number, newStart: number): DiffHunk {
  const lines: DiffLine[] = [];
  let [old, now] = [oldStart, newStart];
  for (const line of raw) {
    const text = bare(line.slice(1));
    if (line.startsWith("+")) lines.push({ kind: "add", text, new: now++ });
    else if (line.startsWith("-")) lines.push({ kind: "del", text, old: old++ });
    else if (line.startsWith(" ")) lines.push({ kind: "same", text, old: old++, new: now++ });
  }
  return { oldStart, newStart, lines };
}

/** Everything from the first to the last difference taken out and put in, the beginning of both when it is long. */
function coarse(
  context: readonly string[],
  lines: { readonly del: readonly string[]; readonly add: readonly string[] },
  start: number,
): { hunks: DiffHunk[]; cut?: true } {
  const room = MAX_CARD_LINES / 2;
  const raw = [
    ...context.map((line) => ` ${line}`),
    ...lines.del.slice(0, room).map((line) => `-${line}`),
    ...lines.add.slice(0, room).map((line) => `+${line}`),
  ];
  const hunks = [numbered(raw, start, start)];
  return Math.max(lines.del.length, lines.add.length) > room ? { hunks, cut: true } : { hunks };
}

function shortened(hunks: readonly DiffHunk[]): DiffHunk[] {
  const kept: DiffHunk[] = [];
  let room = MAX_CARD_LINES;
  for (const hunk of hunks) {
    if (room <= 0) break;
    kept.push({ ...hunk, lines: hunk.lines.slice(0, room) });
    room -= hunk.lines.length;
  }
  return kept;
}

function bare(line: string): string {
  return line.replace(/\r?\n?$/, "");
}
