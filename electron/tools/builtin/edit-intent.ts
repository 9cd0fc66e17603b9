// What a change to a file means, whatever form it was asked in (T13): which places of which text become what. Pure.
// Conflict check, merge and diff use only this.

/** Half-open range of the base text in UTF-16 units, and what takes its place. `old` is what must stand there. */
export type Region = { readonly start: number; readonly end: number; readonly old: string; readonly new: string };

export type EditIntent = {
  /** absolute and real */
  readonly path: string;
  /** sha256 of the bytes that the model last read; undefined: the file must not exist */
  readonly baseHash: string | undefined;
  /** in order, not overlapping */
  readonly regions: readonly Region[];
  /** new lines get the ending of the place they come to, or stay as given */
  readonly newlines: "keep" | "as_given";
  readonly mode: "keep";
};

/** The text after the change; undefined when the base is not the text that the intent was made for. */
export function applyRegions(base: string, regions: readonly Region[]): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const region of regions) {
    if (region.start < from || base.slice(region.start, region.end) !== region.old) return undefined;
    parts.push(base.slice(from, region.start), region.new);
    from = region.end;
  }
  parts.push(base.slice(from));
  return parts.join("");
}

/**
 * Adds a replacement that was found in the text as it is after `regions`. Places that touch an earlier
 * replacement become one region with it, so the result still speaks of the base text only.
 */
export function addRegion(
  base: string,
  regions: readonly Region[],
  change: { readonly start: number; readonly end: number; readonly text: string },
): readonly Region[] {
  const before: Region[] = [];
  const met: { readonly region: Region; readonly at: number }[] = [];
  const after: Region[] = [];
  let shift = 0;
  let shiftBefore = 0;
  for (const region of regions) {
    const at = region.start + shift;
    const end = at + region.new.length;
    shift += region.new.length - (region.end - region.start);
    if (end < change.start) {
      before.push(region);
      shiftBefore = shift;
    } else if (at > change.end) after.push(region);
    else met.push({ region, at });
  }
  return [...before, joined(base, met, change, shiftBefore), ...after];
}

type Met = { readonly region: Region; readonly at: number };

function joined(
  base: string,
  met: readonly Met[],
  change: { readonly start: number; readonly end: number; readonly text: string },
  shiftBefore: number,
): Region {
  const first = met[0];
  const last = met.at(-1);
  // Outside the replacements that are met, the text is the base's, moved by the ones before.
  const head = first === undefined ? 0 : Math.max(0, change.start - first.at);
  const start = first !== undefined && first.at <= change.start ? first.region.start : change.start - shiftBefore;
  const shiftAfter = met.reduce((sum, { region }) => sum + region.new.length - (region.end - region.start), shiftBefore);
  const lastEnd = last === undefined ? 0 : last.at + last.region.new.length;
  const end = last !== undefined && lastEnd >= change.end ? last.region.end : change.end - shiftAfter;
  const lead = first !== undefined && first.at <= change.start ? first.region.new.slice(0, head) : "";
  const tail = last !== undefined && lastEnd >= change.end ? last.region.new.slice(change.end - last.at) : "";
  return { start, end, old: base.slice(start, end), new: `${lead}${change.text}${tail}` };
}
