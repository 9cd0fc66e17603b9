// What the model last saw of each file in this session: the base of compare-and-swap (T13, C09).
import { z } from "zod";

export const SeenFile = z.object({
  /** absolute and real */
  path: z.string(),
  /** sha256 of the bytes, hex */
  hash: z.string(),
  /** every line was shown, none of them cut */
  complete: z.boolean(),
  /** line ranges shown at this hash, 1-based and inclusive; kept until they cover the file */
  ranges: z.array(z.object({ from: z.number(), to: z.number() })),
});
export type SeenFile = z.infer<typeof SeenFile>;

/** `text`: decoded content, kept in memory as the base of a merge while there is room. */
export type Sighting = {
  readonly path: string;
  readonly hash: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** lines were shortened, so not all of them was shown */
  readonly shortened: boolean;
  readonly text?: string;
};

export interface ReadState {
  seen(path: string): SeenFile | undefined;
  /** Text of the file as the model saw it; undefined when it was too big, is too long ago, or lies before a restart. */
  baseText(path: string): string | undefined;
  /** The model was shown these lines. Ranges at the same hash add up. */
  saw(sighting: Sighting): void;
  /** The model's own change: it knows the new content as well as it knew the old. */
  wrote(path: string, change: { readonly hash: string; readonly text: string; readonly complete: boolean }): void;
  snapshot(): readonly SeenFile[];
}

const BASE_MEMORY_CHARS = 16_000_000;
const MAX_FILES = 2_000;

/** `known`: a snapshot of earlier. `onChange` is told every change, so that it can be stored for a resume. */
export function createReadState(
  options: { readonly known?: readonly SeenFile[]; readonly onChange?: (snapshot: readonly SeenFile[]) => void } = {},
): ReadState {
  // Insertion order is age: what was touched last stays longest.
  const files = new Map<string, SeenFile>((options.known ?? []).map((file) => [file.path, file]));
  const bases = new Map<string, { readonly hash: string; readonly text: string }>();
  const put = (file: SeenFile, text: string | undefined) => {
    files.delete(file.path);
    files.set(file.path, file);
    for (const oldest of [...files.keys()].slice(0, Math.max(0, files.size - MAX_FILES))) files.delete(oldest);
    keepBase(bases, file, text);
    options.onChange?.([...files.values()]);
  };
  return {
    seen: (path) => files.get(path),
    baseText: (path) => {
      const base = bases.get(path);
      return base?.hash === files.get(path)?.hash ? base?.text : undefined;
    },
    saw: (sighting) => put(merged(files.get(sighting.path), sighting), sighting.text),
    wrote: (path, { hash, text, complete }) => put({ path, hash, complete, ranges: [] }, text),
    snapshot: () => [...files.values()],
  };
}

function merged(before: SeenFile | undefined, now: Sighting): SeenFile {
  const same = before?.hash === now.hash ? before : undefined;
  const ranges = joinRanges([...(same?.ranges ?? []), ...shownBy(now)]);
  const complete = same?.complete === true || now.total === 0 || ranges.some((range) => range.from <= 1 && range.to >= now.total);
  return { path: now.path, hash: now.hash, complete, ranges: complete ? [] : ranges };
}

function shownBy({ from, to, shortened }: Sighting): readonly Range[] {
  return shortened || to < from ? [] : [{ from, to }];
}

type Range = { readonly from: number; readonly to: number };

function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to + 1) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

function keepBase(bases: Map<string, { readonly hash: string; readonly text: string }>, file: SeenFile, text: string | undefined): void {
  const before = bases.get(file.path);
  bases.delete(file.path);
  const kept = text ?? (before?.hash === file.hash ? before.text : undefined);
  if (kept !== undefined) bases.set(file.path, { hash: file.hash, text: kept });
  let size = [...bases.values()].reduce((sum, base) => sum + base.text.length, 0);
  for (const [path, base] of bases) {
    if (size <= BASE_MEMORY_CHARS) break;
    bases.delete(path);
    size -= base.text.length;
  }
}
