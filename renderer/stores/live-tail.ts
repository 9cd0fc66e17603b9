// What is shown of the running step before its durable events arrive: growing text, calls on their way, waiting. Pure.
import { assertNever } from "#shared/lib/assert-never.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import type { CallId, ReplyId } from "#shared/lib/ids.ts";
import { tailOf } from "#shared/lib/text.ts";
import { appendBlocks, type BlockStream, NO_BLOCKS } from "#renderer/text/block-stream.ts";

export type LivePart =
  | { readonly kind: "text"; readonly text: string; readonly blocks: BlockStream }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly call: CallId };

export type LiveCall = {
  readonly tool: string;
  readonly input: unknown;
  readonly state: "queued" | "checking" | "waiting_for_person" | "running";
  /** end of the output so far */
  readonly output: string;
  readonly note: string | undefined;
  readonly fraction: { readonly done: number; readonly of: number | undefined } | undefined;
};

export type FinishedText = { readonly text: string; readonly blocks: readonly string[] };

export type LiveTail = {
  readonly reply: ReplyId | undefined;
  readonly parts: readonly LivePart[];
  /** text of the last finished reply with the blocks it was split into while it grew: nobody has to split it again */
  readonly finished: readonly FinishedText[];
  readonly writing: { readonly name: string; readonly chars: number } | undefined;
  readonly calls: Readonly<Record<CallId, LiveCall>>;
  readonly waiting: Extract<LiveEvent, { type: "waiting" }> | undefined;
  /** `at`: when the wait ends, ms since the epoch */
  readonly retrying: (Extract<LiveEvent, { type: "retrying" }> & { readonly at: number }) | undefined;
};

export const NO_LIVE: LiveTail = { reply: undefined, parts: [], finished: [], writing: undefined, calls: {}, waiting: undefined, retrying: undefined };

/** Kept of a running command's output; the whole of it is in the card once it ends. */
const OUTPUT_KEPT_CHARS = 64_000;

/** Tail after one more live event; `now`: ms since the epoch. */
export function applyLive(live: LiveTail, event: LiveEvent, now = Date.now()): LiveTail {
  switch (event.type) {
    case "step_started":
      return { ...live, reply: event.reply, parts: [], writing: undefined, waiting: undefined, retrying: undefined };
    case "text_delta":
    case "thinking_delta":
      return { ...spoken(live, event.reply), parts: withText(sameReply(live, event.reply), event) };
    case "tool_input_delta":
      return { ...spoken(live, event.reply), parts: sameReply(live, event.reply), writing: { name: event.name, chars: event.chars } };
    case "call_state":
      return callState(live, event);
    case "call_progress":
      return callProgress(live, event);
    case "waiting":
      return { ...live, waiting: event };
    case "retrying":
      return { ...live, retrying: { ...event, at: now + event.inMs }, waiting: undefined };
    case "tombstone":
      return live.reply === event.reply ? { ...live, parts: [], writing: undefined } : live;
    default:
      return assertNever(event);
  }
}

/** Tail after a durable event: what that event shows from now on is dropped here. */
export function settleLive(live: LiveTail, event: SessionEvent): LiveTail {
  switch (event.type) {
    case "reply_completed":
    case "reply_withdrawn":
      if (live.reply !== event.reply && live.reply !== undefined) return live;
      return { ...live, parts: [], finished: finishedTexts(live.parts), writing: undefined, waiting: undefined, retrying: undefined };
    case "call_settled": {
      const { [event.call]: settled, ...others } = live.calls;
      return settled === undefined ? live : { ...live, calls: others };
    }
    case "turn_complete":
    case "rolled_back":
      return { ...NO_LIVE, finished: live.finished };
    default:
      return live;
  }
}

function finishedTexts(parts: readonly LivePart[]): readonly FinishedText[] {
  return parts.flatMap((part) => {
    if (part.kind !== "text") return [];
    const { done, tail } = part.blocks;
    return [{ text: part.text, blocks: tail.trim() === "" ? done : [...done, tail] }];
  });
}

function spoken(live: LiveTail, reply: ReplyId): LiveTail {
  return { ...live, reply, waiting: undefined, retrying: undefined };
}

function sameReply(live: LiveTail, reply: ReplyId): readonly LivePart[] {
  return live.reply === reply ? live.parts : [];
}

function withText(parts: readonly LivePart[], event: Extract<LiveEvent, { type: "text_delta" | "thinking_delta" }>): readonly LivePart[] {
  const last = parts.at(-1);
  if (event.type === "thinking_delta") {
    return last?.kind === "thinking" ? [...parts.slice(0, -1), { ...last, text: last.text + event.text }] : [...parts, { kind: "thinking", text: event.text }];
  }
  if (last?.kind === "text") return [...parts.slice(0, -1), { ...last, text: last.text + event.text, blocks: appendBlocks(last.blocks, event.text) }];
  return [...parts, { kind: "text", text: event.text, blocks: appendBlocks(NO_BLOCKS, event.text) }];
}

function callState(live: LiveTail, event: Extract<LiveEvent, { type: "call_state" }>): LiveTail {
  const { call, tool, state, input } = event;
  const known = live.calls[call];
  const next: LiveCall = known === undefined ? { tool, input, state, output: "", note: undefined, fraction: undefined } : { ...known, tool, input, state };
  const parts: readonly LivePart[] = known === undefined ? [...live.parts, { kind: "call", call }] : live.parts;
  return { ...live, parts, writing: undefined, waiting: undefined, calls: { ...live.calls, [call]: next } };
}

function callProgress(live: LiveTail, { call, progress }: Extract<LiveEvent, { type: "call_progress" }>): LiveTail {
  const known = live.calls[call];
  if (known === undefined) return live;
  return { ...live, calls: { ...live.calls, [call]: { ...known, ...progressed(known, progress) } } };
}

function progressed(known: LiveCall, progress: Extract<LiveEvent, { type: "call_progress" }>["progress"]): Partial<LiveCall> {
  switch (progress.kind) {
    case "output":
      return { output: tailOf(known.output + progress.text, OUTPUT_KEPT_CHARS) };
    case "fraction":
      return { fraction: { done: progress.done, of: progress.of } };
    case "note":
      return { note: progress.text };
    default:
      return assertNever(progress);
  }
}
