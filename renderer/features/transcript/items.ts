// Rows of the session plus its live tail → what the list shows. Pure: folding, splitting long answers, grouping what was left.
import { blocksOf } from "#renderer/text/block-stream.ts";
import type { FinishedText, LivePart, LiveTail } from "#renderer/stores/live-tail.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { Row, SessionView } from "#shared/session/view.ts";

export type RowOf<K extends Row["kind"]> = Row extends infer R ? (R extends { readonly kind: infer OwnKind } ? (K extends OwnKind ? R : never) : never) : never;

export type Item =
  | { readonly kind: "prompt"; readonly key: string; readonly row: RowOf<"prompt"> }
  | { readonly kind: "text"; readonly key: string; readonly text: string; readonly first: boolean; readonly growing: boolean }
  | { readonly kind: "thinking"; readonly key: string; readonly text: string; readonly growing: boolean }
  | { readonly kind: "call"; readonly key: string; readonly call: CallId }
  | { readonly kind: "looked_around"; readonly key: string; readonly calls: readonly CallId[] }
  | { readonly kind: "warning"; readonly key: string; readonly row: RowOf<"warning"> }
  | { readonly kind: "compaction"; readonly key: string; readonly row: RowOf<"compaction"> }
  | { readonly kind: "turn_end"; readonly key: string; readonly row: RowOf<"turn_end"> }
  | { readonly kind: "rolled_back"; readonly key: string; readonly row: RowOf<"rolled_back"> }
  | { readonly kind: "left"; readonly key: string; readonly rows: readonly Row[] }
  | { readonly kind: "writing"; readonly key: string; readonly tool: string; readonly chars: number }
  | { readonly kind: "working"; readonly key: string };

/** Items by position; made only for the positions that are shown. */
export type ItemList = { readonly length: number; readonly at: (index: number) => Item | undefined };

/** A text longer than this is one list item per block, so that a huge answer never mounts whole. */
const WHOLE_TEXT_MAX_CHARS = 4_000;
/** Kinds of results that only looked: a run of them is one line. */
const LOOKING: ReadonlySet<string> = new Set(["file_read", "listing", "search"]);
const FOLD_FROM = 2;

export type Splitter = (row: RowOf<"text">, finished: readonly FinishedText[]) => readonly Item[];

/** Splits each text row once, however often the list is built; not even once when it was split while it grew. */
export function createSplitter(): Splitter {
  const known = new WeakMap<Row, readonly Item[]>();
  return (row, finished) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const items = splitText(row.text, finished).map((text, at): Item => ({ kind: "text", key: `${row.id}.${at}`, text, first: at === 0, growing: false }));
    known.set(row, items);
    return items;
  };
}

function splitText(text: string, finished: readonly FinishedText[]): readonly string[] {
  if (text.length <= WHOLE_TEXT_MAX_CHARS) return [text];
  return finished.find((other) => other.text === text)?.blocks ?? blocksOf(text);
}

export function itemsOf(rows: readonly Row[], calls: SessionView["calls"], split: (row: RowOf<"text">) => readonly Item[]): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined || isHidden(row, calls)) continue;
    if (row.left) {
      const end = runEnd(rows, at, (other) => other.left);
      items.push({ kind: "left", key: `left-${row.id}`, rows: rows.slice(at, end) });
      at = end - 1;
    } else if (isLooking(row, calls)) {
      const end = runEnd(rows, at, (other) => !other.left && isLooking(other, calls));
      items.push(...lookingItems(rows.slice(at, end)));
      at = end - 1;
    } else if (row.kind === "text") {
      for (const item of split(row)) items.push(item);
    } else {
      items.push(itemOfRow(row));
    }
  }
  return items;
}

/** A call whose effect shows elsewhere says so by its display mode; what failed always shows (T10). */
function isHidden(row: Row, calls: SessionView["calls"]): boolean {
  const outcome = row.kind === "call" && !row.left ? calls[row.call]?.outcome : undefined;
  return outcome?.status === "ok" && outcome.display === "hidden";
}

/** Calls that have a place in the list already. */
export function callsIn(items: readonly Item[]): ReadonlySet<CallId> {
  const calls = new Set<CallId>();
  for (const item of items) {
    if (item.kind === "call") calls.add(item.call);
    else if (item.kind === "looked_around") for (const call of item.calls) calls.add(call);
  }
  return calls;
}

/** Settled items, then what is growing, then the line that says what is going on. Costs the same however long the answer is. */
export function withLive(settled: readonly Item[], shown: ReadonlySet<CallId>, live: LiveTail): ItemList {
  const prefix = live.reply ?? "live";
  const writing: readonly Item[] =
    live.writing === undefined ? [] : [{ kind: "writing", key: `${prefix}-writing`, tool: live.writing.name, chars: live.writing.chars }];
  const lists: readonly ItemList[] = [
    listOf(settled),
    ...live.parts.map((part, index) => listOfPart(part, { key: `${prefix}-${index}`, last: index === live.parts.length - 1, shown })),
    listOf(writing),
    listOf(WORKING),
  ];
  return { length: lists.reduce((sum, list) => sum + list.length, 0), at: (index) => itemAt(lists, index) };
}

const WORKING: readonly Item[] = [{ kind: "working", key: "working" }];

function itemAt(lists: readonly ItemList[], index: number): Item | undefined {
  let at = index;
  for (const list of lists) {
    if (at < list.length) return list.at(at);
    at -= list.length;
  }
  return undefined;
}

function listOf(items: readonly Item[]): ItemList {
  return { length: items.length, at: (index) => items[index] };
}

type Place = { readonly key: string; readonly last: boolean; readonly shown: ReadonlySet<CallId> };

function listOfPart(part: LivePart, { key, last, shown }: Place): ItemList {
  if (part.kind === "call") return listOf(shown.has(part.call) ? [] : [{ kind: "call", key: part.call, call: part.call }]);
  if (part.kind === "thinking") return listOf([{ kind: "thinking", key, text: part.text, growing: last }]);
  const { done, tail } = part.blocks;
  return {
    length: done.length + (tail.trim() === "" ? 0 : 1),
    at: (index) => ({ kind: "text", key: `${key}.${index}`, text: done[index] ?? tail, first: index === 0, growing: index === done.length }),
  };
}

function runEnd(rows: readonly Row[], from: number, belongs: (row: Row) => boolean): number {
  let end = from;
  for (let row = rows[end]; row !== undefined && belongs(row); row = rows[end]) end += 1;
  return end;
}

function isLooking(row: Row, calls: SessionView["calls"]): boolean {
  if (row.kind !== "call") return false;
  const outcome = calls[row.call]?.outcome;
  return outcome?.status === "ok" && outcome.display !== "hidden" && outcome.view !== undefined && LOOKING.has(outcome.view.kind);
}

function lookingItems(rows: readonly Row[]): readonly Item[] {
  const calls = rows.flatMap((row) => (row.kind === "call" ? [row.call] : []));
  const [first] = calls;
  if (first === undefined) return [];
  if (calls.length < FOLD_FROM) return [{ kind: "call", key: first, call: first }];
  return [{ kind: "looked_around", key: `look-${first}`, calls }];
}

function itemOfRow(row: Exclude<Row, { kind: "text" }> | RowOf<"thinking">): Item {
  switch (row.kind) {
    case "thinking":
    case "text":
      return { kind: "thinking", key: row.id, text: row.text, growing: false };
    case "call":
      return { kind: "call", key: row.call, call: row.call };
    case "prompt":
      return { kind: "prompt", key: row.id, row };
    case "warning":
      return { kind: "warning", key: row.id, row };
    case "compaction":
      return { kind: "compaction", key: row.id, row };
    case "turn_end":
      return { kind: "turn_end", key: row.id, row };
    case "rolled_back":
      return { kind: "rolled_back", key: row.id, row };
  }
}
