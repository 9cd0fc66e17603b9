// Two contents compared line by line for the person: counts and hunks, with guards for what is binary, very large or slow.
import { diffArrays, structuredPatch } from "diff";
import type { DiffHunk, DiffLine, FileDiff } from "#shared/tools/card.ts";
import type { CheckpointLimits } from "./limits.ts";

/** undefined: nothing there, or no text to speak of (link, folder) */
export type Side = Uint8Array | undefined;
export type LineCount = { readonly added: number; readonly removed: number; readonly binary: boolean };

const BINARY_LOOK_BYTES = 8000;
/** around each change; hunks further apart are separate */
export const CONTEXT_LINES = 3;
const SHOWN_LINES = 5000;
const NOTHING = new Uint8Array();

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_LOOK_BYTES).includes(0);
}

/** Each line keeps its end, so that joined they are the text again. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `timeMs`: after that the order of lines is no longer looked at, only which there are. */
export function countLines(before: Side, after: Side, guard: { readonly maxBytes: number; readonly timeMs: number }): LineCount {
  const a = before ?? NOTHING;
  const b = after ?? NOTHING;
  if (isBinary(a) || isBinary(b)) return { added: 0, removed: 0, binary: true };
  const old = splitLines(decode(a));
  const now = splitLines(decode(b));
  if (old.length === 0 || now.length === 0) return { added: now.length, removed: old.length, binary: false };
  const isTooBig = a.length > guard.maxBytes || b.length > guard.maxBytes || guard.timeMs <= 0;
  return isTooBig ? countLoosely(old, now) : countInOrder(old, now, guard.timeMs);
}

function countInOrder(old: readonly string[], now: readonly string[], timeMs: number): LineCount {
  const parts = diffArrays([...old], [...now], { timeout: timeMs });
  if (parts === undefined) return countLoosely(old, now);
  const count = (wanted: "added" | "removed") => parts.reduce((sum, part) => sum + (part[wanted] ? part.value.length : 0), 0);
  return { added: count("added"), removed: count("removed"), binary: false };
}

function countLoosely(old: readonly string[], now: readonly string[]): LineCount {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of now) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept += 1;
  }
  return { added: now.length - kept, removed: old.length - kept, binary: false };
}

/** Latin text is shown as such when it is no UTF-8; what is on disk is never touched by this. */
function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  return text.includes("\uFFFD") ? buffer.toString("latin1") : text;
}

export function fileDiff(path: string, before: Side, after: Side, limits: CheckpointLimits): FileDiff {
  const count = countLines(before, after, { maxBytes: limits.maxTextBytes, timeMs: limits.diffTimeMs });
  if (count.binary) return { path, added: 0, removed: 0, hunks: [], binary: true };
  const { added, removed } = count;
  const a = before ?? NOTHING;
  const b = after ?? NOTHING;
  if (a.length > limits.maxTextBytes || b.length > limits.maxTextBytes) return { path, added, removed, hunks: [], cut: true };
  const patch = structuredPatch(path, path, decode(a), decode(b), "", "", { context: CONTEXT_LINES, timeout: limits.diffTimeMs });
  if (patch === undefined) return { path, added, removed, hunks: [], cut: true };
  const hunks: DiffHunk[] = [];
  let lines = 0;
  for (const hunk of patch.hunks) {
    if (lines > SHOWN_LINES) break;
    const shown = toHunk(hunk, SHOWN_LINES - lines);
    hunks.push(shown);
    lines += hunk.lines.length;
  }
  return { path, added, removed, hunks, ...(lines > SHOWN_LINES ? { cut: true } : {}) };
}

function toHunk(hunk: { readonly oldStart: number; readonly newStart: number; readonly lines: readonly string[] }, most: number): DiffHunk {
  let old = hunk.oldStart;
  let now = hunk.newStart;
  const lines: DiffLine[] = [];
  for (const line of hunk.lines.slice(0, Math.max(most, 1))) {
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "add", text, new: now++ });
    else if (line.startsWith("-")) lines.push({ kind: "del", text, old: old++ });
    else if (line.startsWith(" ")) lines.push({ kind: "same", text, old: old++, new: now++ });
  }
  return { oldStart: hunk.oldStart, newStart: hunk.newStart, lines };
}
