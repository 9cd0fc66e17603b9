// The layers that need no model (C1: 0 to 3) and the last resorts. Each is pure and stops as soon as it is enough;
// a layer that changes nothing gives the same array back.
import { contentText, text, toolUsesOf, type Block, type ContentPart, type Message } from "#shared/chat/blocks.ts";
import { isNote, noteBlock } from "#shared/chat/note.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import { headOf, tailOf } from "#shared/lib/text.ts";
import { contentTokens } from "./estimate.ts";
import {
  ALL_RESULTS_TOKENS,
  DROPPED_SHARE,
  KEPT_CHARS,
  KEPT_MESSAGES,
  NEWEST_RESULT_TOKENS,
  RESULT_TOKENS,
  SMALL_RESULT_CHARS,
  UNTOUCHED_MESSAGES,
} from "./limits.ts";
import { isPlaceHolder, placeHolder, resultsIn, withContents, type ResultPlace } from "./results.ts";

export type LayerContext = {
  /** a cleared result of such a call can be had again */
  isReproducible(tool: string): boolean;
  /** small enough: stop */
  enough(history: readonly Message[]): boolean;
};

type Layer = (history: readonly Message[], cx: LayerContext) => readonly Message[];

const isOld = (history: readonly Message[]) => (place: ResultPlace) => place.at < history.length - UNTOUCHED_MESSAGES;
const callOf = ({ use }: ResultPlace) => (use === undefined ? undefined : `${use.name} ${stableJson(use.input)}`);

/** 0: identical repeats, reads that a later one superseded, pictures that were delivered. Nothing is lost. */
export const lossless: Layer = (history, cx) => {
  const results = resultsIn(history);
  const newest = newestOf(results);
  const changed = results.filter(isOld(history)).flatMap((place) => {
    const content = isPlaceHolder(place.result) ? undefined : withoutRepeats(place, newest, cx);
    return content === undefined ? [] : [[place.result.id, content] as const];
  });
  return withContents(history, new Map(changed));
};

type Newest = { readonly byCall: ReadonlyMap<string, ResultPlace>; readonly byText: ReadonlyMap<string, ResultPlace> };

function newestOf(results: readonly ResultPlace[]): Newest {
  const byCall = new Map<string, ResultPlace>();
  for (const place of results) {
    const call = callOf(place);
    if (call !== undefined && !place.result.isError) byCall.set(call, place);
  }
  return { byCall, byText: new Map(results.map((place) => [contentText(place.result.content), place])) };
}

function withoutRepeats(place: ResultPlace, newest: Newest, cx: LayerContext): readonly ContentPart[] | undefined {
  const { result, use, at } = place;
  const body = contentText(result.content);
  const isLater = (other: ResultPlace | undefined) => other !== undefined && other.at > at;
  if (body.length >= SMALL_RESULT_CHARS) {
    const superseded = use !== undefined && cx.isReproducible(use.name) && isLater(newest.byCall.get(callOf(place) ?? ""));
    if (superseded) return placeHolder("the same call was made again later; its newer result is below");
    if (isLater(newest.byText.get(body))) return placeHolder("a later result has exactly the same content");
  }
  if (!result.content.some((part) => part.type === "image")) return undefined;
  return result.content.map((part) => (part.type === "image" ? text("[picture, already shown]") : part));
}

/** 1: old results that are too big, and the oldest of what is too much in all. */
export const oversized: Layer = (history) => {
  const contents = new Map<string, readonly ContentPart[]>();
  const old = resultsIn(history)
    .filter(isOld(history))
    .filter((place) => !isPlaceHolder(place.result));
  let total = old.reduce((sum, place) => sum + contentTokens(place.result.content), 0);
  const remove = (place: ResultPlace, tokens: number) => {
    contents.set(place.result.id, placeHolder(`result of ${place.use?.name ?? "a call"}, about ${tokens} tokens; call the tool again if you need it`));
    total -= tokens;
  };
  for (const place of old) {
    const tokens = contentTokens(place.result.content);
    if (tokens > RESULT_TOKENS) remove(place, tokens);
  }
  for (const place of old) {
    if (total <= ALL_RESULTS_TOKENS) break;
    const tokens = contentTokens(place.result.content);
    if (!contents.has(place.result.id) && contentText(place.result.content).length >= SMALL_RESULT_CHARS) remove(place, tokens);
  }
  return withContents(history, contents);
};

/** 2: the oldest pairs of calls and results, at most half. The person's words stay. */
export const oldestPairs: Layer = (history, cx) => dropOldest(history, cx, { keep: KEPT_MESSAGES, atMost: Math.floor(history.length * DROPPED_SHARE) });

/** The hard cut (C2): as layer 2, but as many as it takes. */
export const hardCut: Layer = (history, cx) => {
  const first = dropOldest(history, cx, { keep: KEPT_MESSAGES, atMost: history.length });
  return cx.enough(first) ? first : dropOldest(first, cx, { keep: 2, atMost: first.length });
};

export const EARLIER_REMOVED: Block = noteBlock({ source: "context", text: "Earlier steps of this conversation were removed to save space." });

function dropOldest(history: readonly Message[], cx: LayerContext, { keep, atMost }: { readonly keep: number; readonly atMost: number }): readonly Message[] {
  let current = history;
  for (let dropped = 0; dropped + 2 <= atMost && !cx.enough(current); dropped += 2) {
    const next = withoutOldestReply(current, keep);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Takes out the oldest assistant message with its results; what the person said between stays, as one user message. */
function withoutOldestReply(history: readonly Message[], keep: number): readonly Message[] {
  const at = history.findIndex((message) => message.role === "assistant");
  if (at < 0 || at >= history.length - keep) return history;
  const before = history[at - 1];
  const after = history[at + 1];
  const kept = (after?.blocks ?? []).filter((block) => block.type !== "tool_result");
  const start = before?.blocks ?? [];
  const marked = start.some((block) => block.type === "text" && EARLIER_REMOVED.type === "text" && block.text === EARLIER_REMOVED.text)
    ? start
    : [...start, EARLIER_REMOVED];
  return [...history.slice(0, Math.max(0, at - 1)), { role: "user", blocks: [...marked, ...kept] }, ...history.slice(at + 2)];
}

/** 3: old results that can be had again; of the others the beginning stays. */
export const clearOld: Layer = (history, cx) => {
  let current = history;
  for (const place of resultsIn(history).filter(isOld(history))) {
    if (cx.enough(current)) break;
    const body = contentText(place.result.content);
    if (body.length < SMALL_RESULT_CHARS || isPlaceHolder(place.result)) continue;
    const name = place.use?.name ?? "a call";
    const again = place.use !== undefined && cx.isReproducible(place.use.name);
    const content = again
      ? placeHolder(`old result of ${name}; call the tool again if you need it`)
      : [text(headOf(body, KEPT_CHARS)), ...placeHolder(`the rest of this old result of ${name}`)];
    current = withContents(current, new Map([[place.result.id, content]]));
  }
  return current;
};

/** Last resort of an overflow: what the newest results say is cut to beginning and end. */
export const cutNewest: Layer = (history) => {
  const contents = new Map<string, readonly ContentPart[]>();
  for (const { result } of resultsIn(history)) {
    if (contentTokens(result.content) <= NEWEST_RESULT_TOKENS) continue;
    const body = contentText(result.content);
    const chars = Math.floor((body.length * NEWEST_RESULT_TOKENS) / contentTokens(result.content));
    const [head, tail] = [headOf(body, Math.floor(chars * 0.7)), tailOf(body, Math.floor(chars * 0.3))];
    contents.set(result.id, [
      text(`${head}\n[… ${body.length - head.length - tail.length} characters left out because the conversation is too long …]\n${tail}`),
    ]);
  }
  return withContents(history, contents);
};

/** Words of the person in these messages, oldest first; the harness's notes are not theirs. */
export function personBlocks(message: Message): readonly Block[] {
  if (message.role !== "user") return [];
  return message.blocks.filter((block) => block.type !== "tool_result" && !isNote(block));
}

export function hasCalls(message: Message | undefined): boolean {
  return message !== undefined && toolUsesOf(message.blocks).length > 0;
}
