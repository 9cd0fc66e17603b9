// Work that was done in a copy of this folder, brought over (K8): what the copy's store says changed there since the copy was made,
// merged three-way with what stands here now. Previewed and carried out like a roll-back, with the same journal and the same undo.
import { byPath } from "./change-log.ts";
import { sameState, type State } from "./entry.ts";
import type { Wish } from "./final-tree.ts";
import type { Marks } from "./marks.ts";
import { mergeStates } from "./merge.ts";
import type { StoreParts } from "./parts.ts";
import { join } from "./paths.ts";
import type { Sorted } from "./sorted.ts";

/** One path that differs in the copy from what it was when the two were last the same. */
export type Incoming = { readonly path: string; readonly base: State; readonly theirs: State };
/** From which point on the copy's work counts, for these files; undefined: for all. Later ones win. */
export type Since = { readonly checkpoint: string; readonly files: readonly string[] | undefined };
export type ContentSource = Pick<StoreParts["blobs"], "read" | "place">;

/** In the copy's store; its index must be up to date. Undefined: a point is no longer there. */
export function outgoing(parts: StoreParts, marks: Marks, since: readonly Since[]): readonly Incoming[] | undefined {
  const starts = since.map(({ checkpoint, files }) => ({ position: marks.get(checkpoint)?.position, files: files === undefined ? undefined : new Set(files) }));
  const [first] = starts;
  if (first?.position === undefined || starts.some((one) => one.position === undefined)) return undefined;
  const found: Incoming[] = [];
  for (const [path, rows] of byPath(parts.log.between(first.position, parts.log.head()))) {
    const from = Math.max(...starts.map(({ position = 0, files }) => (files === undefined || files.has(path) ? position : 0)));
    const own = rows.filter((row) => row.id > from);
    const [begin, end] = [own[0], own.at(-1)];
    if (begin === undefined || end === undefined || own.every((row) => row.author.who === "coverage") || sameState(begin.before, end.after)) continue;
    found.push({ path, base: begin.before, theirs: end.after });
  }
  return found;
}

/** What was done there is taken out. */
export function reversed(incoming: readonly Incoming[]): readonly Incoming[] {
  return incoming.map(({ path, base, theirs }) => ({ path, base: theirs, theirs: base }));
}

/** Brings the contents that a merge needs into this store. Throws what the disks throw, and `DamagedBlob` of the copy's store. */
export function takeIn(parts: StoreParts, incoming: readonly Incoming[], source: ContentSource): void {
  for (const { path, base, theirs } of incoming) {
    const now = parts.index.get(path)?.entry;
    keep(parts, theirs, source);
    if (!sameState(now, base)) keep(parts, base, source);
  }
  parts.blobs.flush();
}

function keep(parts: StoreParts, state: State, source: ContentSource): void {
  if (state?.kind !== "file" || parts.blobs.has(state.hash)) return;
  if (state.size <= parts.limits.smallBlobBytes) {
    parts.blobs.addSmall(source.read(state.hash));
    return;
  }
  const passing = join(parts.folder, `tmp/incoming-${state.hash.slice(0, 24)}`);
  if (parts.disk.stat(passing) !== undefined) parts.disk.remove(passing);
  source.place(state.hash, passing, 0o600);
  try {
    parts.blobs.addLarge(passing);
  } finally {
    parts.disk.remove(passing);
  }
}

type Choice = { isPicked(path: string): boolean; isOverwritten(path: string): boolean; isSound(hash: string): boolean };

/** What of it is done here, what was done here already, and where both sides touched the same place. */
export function sortIncoming(parts: StoreParts, incoming: readonly Incoming[], choice: Choice): Sorted {
  const sorted = {
    wishes: new Array<Wish>(),
    merged: new Set<string>(),
    kept: new Array<Wish>(),
    conflicts: new Array<Wish>(),
    unavailable: new Array<Wish>(),
  };
  for (const one of incoming) {
    const now = parts.index.get(one.path)?.entry;
    if (!choice.isPicked(one.path) || sameState(now, one.theirs)) continue;
    const { kind, want } = fateOf(parts, one, now, choice);
    const wish = { path: one.path, now, want };
    if (kind === "same") continue;
    sorted[kind].push(wish);
    if (kind === "wishes" && !sameState(want, one.theirs)) sorted.merged.add(one.path);
  }
  parts.blobs.flush();
  return sorted;
}

type Fate = { readonly kind: "wishes" | "conflicts" | "unavailable" | "same"; readonly want: State };

function fateOf({ blobs, limits }: StoreParts, { path, base, theirs }: Incoming, now: State, choice: Choice): Fate {
  const isLost = theirs?.kind === "file" && !choice.isSound(theirs.hash);
  if (isLost || now?.kind === "opaque" || theirs?.kind === "opaque") return { kind: "unavailable", want: theirs };
  if (choice.isOverwritten(path)) return { kind: "wishes", want: theirs };
  const powers = { read: (hash: string) => blobs.read(hash), keep: (bytes: Uint8Array) => blobs.addSmall(bytes), maxBytes: limits.maxTextBytes };
  const merged = mergeStates({ base, ours: now, theirs }, powers);
  if (merged.kind === "conflict") return { kind: "conflicts", want: theirs };
  return { kind: sameState(merged.state, now) ? "same" : "wishes", want: merged.state };
}
