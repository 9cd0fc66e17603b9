// JSON with sorted keys: two equal values always give the same bytes (cache keys, comparisons).

/** Serialises `value` with object keys sorted at every depth; array order is kept. `undefined` members are left out. */
export function stableJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
