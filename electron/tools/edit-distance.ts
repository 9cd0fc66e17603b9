// How far apart two names are, to suggest the one that was meant (T4).

/** Insertions, deletions and replacements that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The candidates nearest to `wanted`, best first, none that shares too little with it. */
export function nearest(wanted: string, candidates: readonly string[], max: number): readonly string[] {
  const low = wanted.toLowerCase();
  const limit = Math.max(2, Math.floor(low.length / 3));
  return candidates
    .map((name) => ({ name, distance: distanceOf(low, name.toLowerCase()) }))
    .filter((one) => one.distance <= limit)
    .sort((x, y) => x.distance - y.distance || lengthGap(x.name, low) - lengthGap(y.name, low) || (x.name < y.name ? -1 : 1))
    .slice(0, max)
    .map((one) => one.name);
}

function lengthGap(name: string, wanted: string): number {
  return Math.abs(name.length - wanted.length);
}

const MIN_SHARED_CHARS = 4;
const HOLDS_WHOLE_NAME = 2;
const LONGEST_NAME = 64;

/** A name that holds the other whole is near, however long the rest is. */
function distanceOf(wanted: string, name: string): number {
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  const holds = short.length >= MIN_SHARED_CHARS && long.includes(short);
  const edits = long.length > LONGEST_NAME ? Number.POSITIVE_INFINITY : editDistance(wanted, name);
  return holds ? Math.min(edits, HOLDS_WHOLE_NAME) : edits;
}
