// How well a few letters fit a path: all of them in order, better at the beginning of words, in a row, and in the file's own name. Pure.

const START = 8;
const IN_A_ROW = 5;
const IN_NAME = 3;
const SAME_CASE = 1;

/** Undefined: it does not fit. An empty query fits everything alike. */
export function fuzzyScore(path: string, query: string): number | undefined {
  if (query === "") return 0;
  const low = path.toLowerCase();
  const wanted = query.toLowerCase();
  const nameAt = path.lastIndexOf("/") + 1;
  // In the name first: "app" means app.ts before apps/x.ts.
  return scoreFrom(path, low, { query, wanted, nameAt }, nameAt) ?? scoreFrom(path, low, { query, wanted, nameAt }, 0);
}

type Wanted = { readonly query: string; readonly wanted: string; readonly nameAt: number };

function scoreFrom(path: string, low: string, { query, wanted, nameAt }: Wanted, from: number): number | undefined {
  let at = from - 1;
  let score = from > 0 ? IN_NAME * wanted.length : 0;
  let last = -2;
  for (let k = 0; k < wanted.length; k += 1) {
    at = low.indexOf(wanted.charAt(k), at + 1);
    if (at < 0) return undefined;
    if (at === last + 1) score += IN_A_ROW;
    if (at === 0 || at === nameAt || /[/\\._\- ]/.test(path.charAt(at - 1))) score += START;
    if (path.charAt(at) === query.charAt(k)) score += SAME_CASE;
    last = at;
  }
  return score - path.length / 200;
}
