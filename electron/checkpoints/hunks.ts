// Takes back some hunks of a file and leaves the others (K6). Hunks are counted as the diff of target and present shows them.
import { structuredPatch } from "diff";
import type { CheckpointLimits } from "./limits.ts";
import { CONTEXT_LINES, isBinary, splitLines } from "./text-compare.ts";

/** Undefined when there are no such hunks, or the texts are too large, binary or too different to have any. */
export function revertHunks(target: Uint8Array, now: Uint8Array, picked: readonly number[], limits: CheckpointLimits): Uint8Array | undefined {
  if ([target, now].some((bytes) => bytes.length > limits.maxTextBytes || isBinary(bytes))) return undefined;
  // latin1 keeps every byte, and lines end at the same places as in UTF-8
  const [old = "", present = ""] = [target, now].map((bytes) => Buffer.from(bytes).toString("latin1"));
  const patch = structuredPatch("", "", old, present, "", "", { context: CONTEXT_LINES, timeout: limits.diffTimeMs });
  if (patch === undefined || picked.some((n) => patch.hunks[n] === undefined)) return undefined;
  const oldLines = splitLines(old);
  const presentLines = splitLines(present);
  const lines: string[] = [];
  let at = 0;
  for (const n of [...new Set(picked)].sort((a, b) => a - b)) {
    const hunk = patch.hunks[n];
    if (hunk === undefined) return undefined;
    lines.push(...presentLines.slice(at, hunk.newStart - 1), ...oldLines.slice(hunk.oldStart - 1, hunk.oldStart - 1 + hunk.oldLines));
    at = hunk.newStart - 1 + hunk.newLines;
  }
  lines.push(...presentLines.slice(at));
  return Buffer.from(lines.join(""), "latin1");
}
