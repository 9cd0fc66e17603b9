// Rows of the session plus its live tail → what the list shows. Pure: folding, splitting long answers, grouping what was left.
import { blocksOf } from "#renderer/text/block-stream.ts";
import type { LiveTail } from "#renderer/stores/live-tail.ts";
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
  | { readonly kind: "writing"; readonly key: string; readonly tool: string; readonly chars: number };

/** A text longer than this is one list item per block, so that a huge answer never mounts whole. */
const WHOLE_TEXT_MAX_CHARS = 4_000;
/** Kinds of results that only looked: a run of them is one line. */
const LOOKING: ReadonlySet<string> = new Set(["file_read", "listing", "search"]);
const FOLD_FROM = 2;

export type Splitter = (row: RowOf<"text">) => readonly string[];

/** Splits each text row once, however often the list is built. */
export function createSplitter(): Splitter {
  const known = new WeakMap<Row, readonly string[]>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const blocks = row.text.length <= WHOLE_TEXT_MAX_CHARS ? [row.text] : blocksOf(row.text);
    known.set(row, blocks);
    return blocks;
  };
}

export function itemsOf(rows: readonly Row[], calls: SessionView["calls"], split: Splitter): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) continue;
    if (row.left) {
      const end = runEnd(rows, at, (other) => other.left);
      items.push({ kind: "left", key: `left-${row.id}`, rows: rows.slice(at, end) });
      at = end - 1;
    } else if (isLooking(row, calls)) {
      const end = runEnd(rows, at, (other) => !other.left && isLooking(other, calls));
      items.push(...lookingItems(rows.slice(at, end)));
      at = end - 1;
    } else {
      items.push(...itemsOfRow(row, split));
    }
  }
  return items;
}

export function liveItemsOf(live: LiveTail): readonly Item[] {
  const prefix = live.reply ?? "live";
  const items = live.parts.flatMap((part, index): readonly Item[] => {
    const key = `${prefix}-${index}`;
    if (part.kind === "call") return [{ kind: "call", key: part.call, call: part.call }];
    if (part.kind === "thinking") return [{ kind: "thinking", key, text: part.text, growing: index === live.parts.length - 1 }];
    const { done, tail } = part.blocks;
    const blocks = done.map((text, at): Item => ({ kind: "text", key: `${key}.${at}`, text, first: at === 0, growing: false }));
    return tail.trim() === "" ? blocks : [...blocks, { kind: "text", key: `${key}.${done.length}`, text: tail, first: done.length === 0, growing: true }];
  });
  if (live.writing === undefined) return items;
  return [...items, { kind: "writing", key: `${prefix}-writing`, tool: live.writing.name, chars: live.writing.chars }];
}

function runEnd(rows: readonly Row[], from: number, belongs: (row: Row) => boolean): number {
  let end = from;
  for (let row = rows[end]; row !== undefined && belongs(row); row = rows[end]) end += 1;
  return end;
}

function isLooking(row: Row, calls: SessionView["calls"]): boolean {
  if (row.kind !== "call") return false;
  const outcome = calls[row.call]?.outcome;
  return outcome?.status === "ok" && outcome.view !== undefined && LOOKING.has(outcome.view.kind);
}

function lookingItems(rows: readonly Row[]): readonly Item[] {
  const calls = rows.flatMap((row) => (row.kind === "call" ? [row.call] : []));
  const [first] = calls;
  if (first === undefined) return [];
  if (calls.length < FOLD_FROM) return [{ kind: "call", key: first, call: first }];
  return [{ kind: "looked_around", key: `look-${first}`, calls }];
}

function itemsOfRow(row: Row, split: Splitter): readonly Item[] {
  switch (row.kind) {
    case "text":
      return split(row).map((text, at): Item => ({ kind: "text", key: `${row.id}.${at}`, text, first: at === 0, growing: false }));
    case "thinking":
      return [{ kind: "thinking", key: row.id, text: row.text, growing: false }];
    case "call":
      return [{ kind: "call", key: row.call, call: row.call }];
    case "prompt":
      return [{ kind: "prompt", key: row.id, row }];
    case "warning":
      return [{ kind: "warning", key: row.id, row }];
    case "compaction":
      return [{ kind: "compaction", key: row.id, row }];
    case "turn_end":
      return [{ kind: "turn_end", key: row.id, row }];
    case "rolled_back":
      return [{ kind: "rolled_back", key: row.id, row }];
  }
}
