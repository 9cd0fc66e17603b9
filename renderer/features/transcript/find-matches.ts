// Where words are in a conversation: over everything that was stored, shown or not (U3). Pure.
import type { FindPlace } from "#renderer/stores/finds.ts";
import { contentText, plainText } from "#shared/chat/blocks.ts";
import type { CallId } from "#shared/lib/ids.ts";
import { wordPattern } from "#shared/session/search.ts";
import type { Row, SessionView } from "#shared/session/view.ts";
import type { Item } from "./items.ts";

/** `nth` place within the list item at `index`; what is folded counts once an item, since one opens it to see more. */
export type FindMatch = { readonly index: number; readonly key: string; readonly nth: number; readonly folded: boolean };

/** Nobody steps through more. */
export const MAX_MATCHES = 2_000;

/** In order of the list. */
export function findIn(items: readonly Item[], calls: SessionView["calls"], query: string): readonly FindMatch[] {
  if (query.trim() === "") return [];
  const pattern = wordPattern(query, "giu");
  const matches: FindMatch[] = [];
  for (const [index, item] of items.entries()) {
    const { text, folded } = textOf(item, calls);
    const count = folded ? Math.min(1, countIn(text, pattern)) : countIn(text, pattern);
    for (let nth = 0; nth < count; nth += 1) matches.push({ index, key: item.key, nth, folded });
    if (matches.length >= MAX_MATCHES) return matches.slice(0, MAX_MATCHES);
  }
  return matches;
}

function countIn(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

function textOf(item: Item, calls: SessionView["calls"]): { readonly text: string; readonly folded: boolean } {
  switch (item.kind) {
    case "prompt":
      return { text: plainText(item.row.blocks), folded: false };
    case "text":
      return { text: item.text, folded: false };
    case "thinking":
      return { text: item.text, folded: true };
    case "call":
      return { text: callText(item.call, calls), folded: true };
    case "looked_around":
      return { text: item.calls.map((call) => callText(call, calls)).join("\n"), folded: true };
    case "left":
      return { text: item.rows.map((row) => rowText(row, calls)).join("\n"), folded: true };
    default:
      return { text: "", folded: false };
  }
}

function rowText(row: Row, calls: SessionView["calls"]): string {
  if (row.kind === "prompt") return plainText(row.blocks);
  if (row.kind === "text" || row.kind === "thinking") return row.text;
  return row.kind === "call" ? callText(row.call, calls) : "";
}

function callText(id: CallId, calls: SessionView["calls"]): string {
  const call = calls[id];
  if (call === undefined) return "";
  const input = typeof call.input === "object" && call.input !== null ? Object.values(call.input).filter((value) => typeof value === "string") : [];
  return [...input, call.forModel === undefined ? "" : contentText(call.forModel)].join("\n");
}

/** The match at a place that a search over all conversations found; -1 when it is not there. */
export function matchAt(matches: readonly FindMatch[], items: readonly Item[], place: FindPlace): number {
  const rowIs = (id: string): boolean => id === `${place.seq}` || id.startsWith(`${place.seq}.`);
  return matches.findIndex(({ index }) => {
    const item = items[index];
    if (item === undefined) return false;
    if (item.kind === "left") return item.rows.some((row) => (place.call === undefined ? rowIs(row.id) : row.kind === "call" && row.call === place.call));
    if (item.kind === "looked_around") return item.calls.some((call) => call === place.call);
    return place.call === undefined ? rowIs(item.key) : item.key === place.call;
  });
}
