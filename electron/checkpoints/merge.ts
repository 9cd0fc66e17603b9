// Takes some changes of a file back while others stay (K5): a three-way merge by library, with guards. Bytes that are no UTF-8
// survive, since lines are compared as bytes. Where both sides touched the same place the answer is "conflict", never a guess.
import { diff3Merge } from "node-diff3";
import { z } from "zod";
import { type Entry, sameState, type State } from "./entry.ts";
import { isBinary, splitLines } from "./text-compare.ts";

export type Merged = { readonly kind: "clean"; readonly bytes: Uint8Array } | { readonly kind: "conflict" };

const Regions = z.array(z.union([z.object({ ok: z.array(z.string()) }), z.object({ conflict: z.unknown() })]));
/** pairs of equal lines the library would look at; many equal lines make it slow without end */
const MAX_LINE_PAIRS = 4_000_000;

/** `base` became `ours` on one side and `theirs` on the other. */
export function mergeBytes(sides: { readonly base: Uint8Array; readonly ours: Uint8Array; readonly theirs: Uint8Array }, maxBytes: number): Merged {
  const all = [sides.ours, sides.base, sides.theirs];
  if (all.some((bytes) => bytes.length > maxBytes || isBinary(bytes))) return { kind: "conflict" };
  const [ours = [], base = [], theirs = []] = all.map((bytes) => splitLines(Buffer.from(bytes).toString("latin1")));
  if (linePairs(ours, base) + linePairs(theirs, base) > MAX_LINE_PAIRS) return { kind: "conflict" };
  const regions = Regions.parse(diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true }));
  const lines: string[] = [];
  for (const region of regions) {
    if (!("ok" in region)) return { kind: "conflict" };
    lines.push(...region.ok);
  }
  return { kind: "clean", bytes: Buffer.from(lines.join(""), "latin1") };
}

function linePairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}

export type MergePowers = { readonly read: (hash: string) => Uint8Array; readonly keep: (bytes: Uint8Array) => string; readonly maxBytes: number };
export type MergedState = { readonly kind: "clean"; readonly state: State } | { readonly kind: "conflict" };

/** The same for whatever stands at a path; a mode is merged by itself. */
export function mergeStates(sides: { readonly base: State; readonly ours: State; readonly theirs: State }, powers: MergePowers): MergedState {
  const { base, ours, theirs } = sides;
  if (sameState(base, ours)) return { kind: "clean", state: theirs };
  if (sameState(base, theirs) || sameState(ours, theirs)) return { kind: "clean", state: ours };
  if (isDir(base) && isDir(ours) && isDir(theirs)) return { kind: "clean", state: { ...ours, mode: mergeMode(base, ours, theirs) } };
  if (isFile(base) && isFile(ours) && isFile(theirs)) return mergeFiles({ base, ours, theirs }, powers);
  return { kind: "conflict" };
}

type FileState = Extract<Entry, { readonly kind: "file" }>;
const isFile = (state: State): state is FileState => state?.kind === "file";
const isDir = (state: State): state is Extract<Entry, { readonly kind: "dir" }> => state?.kind === "dir";

function mergeFiles(
  { base, ours, theirs }: { readonly base: FileState; readonly ours: FileState; readonly theirs: FileState },
  powers: MergePowers,
): MergedState {
  const mode = mergeMode(base, ours, theirs);
  if (ours.hash === base.hash || ours.hash === theirs.hash) return { kind: "clean", state: { ...theirs, mode } };
  if (theirs.hash === base.hash) return { kind: "clean", state: { ...ours, mode } };
  const bytes = mergeBytes({ base: powers.read(base.hash), ours: powers.read(ours.hash), theirs: powers.read(theirs.hash) }, powers.maxBytes);
  if (bytes.kind === "conflict") return bytes;
  return { kind: "clean", state: { kind: "file", mode, hash: powers.keep(bytes.bytes), size: bytes.bytes.length } };
}

type WithMode = Extract<Entry, { readonly mode: number }>;

function mergeMode(base: WithMode, ours: WithMode, theirs: WithMode): number {
  return theirs.mode === base.mode ? ours.mode : theirs.mode;
}
