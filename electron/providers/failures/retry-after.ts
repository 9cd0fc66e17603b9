// How long a server asks to wait, from its headers. What to make of an absurd wait is the loop's business (L20).

/** ms from now; undefined when nothing was asked or it cannot be read. `now` is ms since the epoch. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberOf(headers.get("retry-after-ms"));
  if (ms !== undefined) return Math.ceil(ms);
  const asked = headers.get("retry-after")?.trim();
  if (asked === undefined || asked === "") return undefined;
  const seconds = numberOf(asked);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberOf(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
