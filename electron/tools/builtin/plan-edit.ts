// Finds the places that an edit names and works out what they become (C01, C06, C11, C12). Pure; exact matches only.
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import { countOf, lineEndingOf } from "#electron/lib/text-file.ts";
import { addRegion, applyRegions, type Region } from "./edit-intent.ts";

export type TextEdit = { readonly old_string: string; readonly new_string: string; readonly replace_all?: boolean | undefined };

export type EditProblem =
  | { readonly kind: "empty_old"; readonly edit: number }
  | { readonly kind: "no_change"; readonly edit: number }
  | { readonly kind: "not_found"; readonly edit: number; readonly text: string }
  /** `lines`: where it stands, 1-based */
  | { readonly kind: "not_unique"; readonly edit: number; readonly lines: readonly number[]; readonly count: number };

export type EditPlan = { readonly regions: readonly Region[]; readonly text: string; readonly replaced: number };

const MAX_LINES_NAMED = 8;
const MAX_COMPOSED = 1_000_000;

/** All edits or none; each one sees the text that the ones before it left. `edit` in a problem counts from 0. */
export function planEdit(base: string, edits: readonly TextEdit[]): Result<EditPlan, EditProblem> {
  let plan: EditPlan = { regions: [], text: base, replaced: 0 };
  for (const [index, edit] of edits.entries()) {
    const next = planOne(base, plan, edit, index);
    if (!next.ok) return next;
    plan = next.value;
  }
  return plan.text === base ? err({ kind: "no_change", edit: edits.length - 1 }) : ok(plan);
}

function planOne(base: string, plan: EditPlan, edit: TextEdit, index: number): Result<EditPlan, EditProblem> {
  // A match of no length would put the new text between all characters.
  if (edit.old_string === "") return err({ kind: "empty_old", edit: index });
  if (edit.old_string === edit.new_string) return err({ kind: "no_change", edit: index });
  const view = lineView(plan.text);
  const needle = view.fold(edit.old_string);
  const all = edit.replace_all === true;
  const places = matchesOf(view.text, needle, !all);
  const [first] = places;
  if (first === undefined) return err({ kind: "not_found", edit: index, text: plan.text });
  if (places.length > 1 && !all) {
    const lines = places.slice(0, MAX_LINES_NAMED).map((at) => lineAt(view.text, at));
    return err({ kind: "not_unique", edit: index, lines, count: places.length });
  }
  const changes = places.map((at) => {
    const [start, end] = [view.toRaw(at), view.toRaw(at + needle.length)];
    return { start, end, text: withEndings(edit.new_string, plan.text.slice(start, end), view.ending) };
  });
  return ok(withChanges(base, plan, changes));
}

type Change = { readonly start: number; readonly end: number; readonly text: string };

function withChanges(base: string, plan: EditPlan, changes: readonly Change[]): EditPlan {
  if (plan.regions.length === 0) {
    const regions = changes.map(({ start, end, text }) => ({ start, end, old: base.slice(start, end), new: text }));
    return { regions, text: applyRegions(base, regions) ?? base, replaced: plan.replaced + changes.length };
  }
  const text = spliced(plan.text, changes);
  return { regions: composed(base, plan.regions, changes, text), text, replaced: plan.replaced + changes.length };
}

function spliced(text: string, changes: readonly Change[]): string {
  return (
    applyRegions(
      text,
      changes.map((change) => ({ ...change, old: text.slice(change.start, change.end), new: change.text })),
    ) ?? text
  );
}

function composed(base: string, before: readonly Region[], changes: readonly Change[], text: string): readonly Region[] {
  // Tens of thousands of places on top of as many: one region for all says the same and costs nothing.
  if (before.length * changes.length > MAX_COMPOSED) return [{ start: 0, end: base.length, old: base, new: text }];
  // From the end, so that the places still to come stay where they were found.
  return [...changes].reverse().reduce((regions, change) => addRegion(base, regions, change), before);
}

/** Starts of all matches; `overlapping` ones count when the question is whether there is only one. */
function matchesOf(text: string, needle: string, overlapping: boolean): readonly number[] {
  const places: number[] = [];
  const step = overlapping ? 1 : needle.length;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + step)) places.push(at);
  return places;
}

type LineView = {
  /** with `\n` for every line ending, as `read` shows it */
  readonly text: string;
  readonly ending: string;
  fold(needle: string): string;
  toRaw(at: number): number;
};

/** The text as the model saw it, and the way back to the real places. */
function lineView(raw: string): LineView {
  const kind = lineEndingOf(raw);
  const same = (at: number) => at;
  if (kind === "cr") return { text: raw.replaceAll("\r", "\n"), ending: "\r", fold: (needle) => needle.replace(/\r\n?/g, "\n"), toRaw: same };
  if (kind !== "crlf" && kind !== "mixed") return { text: raw, ending: "\n", fold: (needle) => needle, toRaw: same };
  const text = raw.replaceAll("\r\n", "\n");
  const breaks = crlfPlaces(raw);
  return {
    text,
    ending: breaks.length * 2 >= countOf(text, "\n") ? "\r\n" : "\n",
    fold: (needle) => needle.replaceAll("\r\n", "\n"),
    toRaw: (at) => at + countBelow(breaks, at),
  };
}

/** Places of the `\n` of every CRLF, in the folded text. */
function crlfPlaces(raw: string): readonly number[] {
  const places: number[] = [];
  for (let at = raw.indexOf("\r\n"); at >= 0; at = raw.indexOf("\r\n", at + 2)) places.push(at - places.length);
  return places;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Each new line ends like the line it replaces, further ones like the last of them, else like the file (C01). */
function withEndings(text: string, replaced: string, fallback: string): string {
  if (fallback === "\n" && !replaced.includes("\r")) return text;
  const endings = replaced.match(/\r\n|\n|\r/g) ?? [];
  let index = 0;
  return text.replace(/\r\n|\n/g, (given) => {
    const ending = endings[index] ?? endings.at(-1) ?? fallback;
    index++;
    return given === "\r\n" ? given : ending;
  });
}

function lineAt(text: string, at: number): number {
  return countOf(text.slice(0, at), "\n") + 1;
}
