// Conversation events → entries and rows.
import { type Maker, plainText, toolUsesOf } from "#shared/chat/blocks.ts";
import { addUsage, type Usage, windowTokens } from "#shared/chat/usage.ts";
import type { EventOf, StoredEvent } from "#shared/events/durable.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { isBlank, oneLine } from "#shared/lib/text.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { Grow } from "./grow.ts";
import type { Attention, CallView, Entry, Row, SessionView } from "./view.ts";

const TITLE_CHARS = 60;
type At = Pick<StoredEvent, "seq" | "at">;

export type ConversationEvent = EventOf<
  | "prompt_submitted"
  | "note_added"
  | "steer_added"
  | "reply_completed"
  | "usage_counted"
  | "results_added"
  | "compacted"
  | "loop_transition"
  | "reply_withdrawn"
  | "warning_raised"
  | "turn_complete"
>;

export function reduceConversation(view: SessionView, { seq, at }: At, event: ConversationEvent, grow: Grow): SessionView {
  switch (event.type) {
    case "prompt_submitted":
      return promptSubmitted(view, { seq, at }, event, grow);
    case "steer_added": {
      const entry: Entry = { kind: "steer", id: event.entry, parent: view.head, turn: event.turn, at, blocks: event.blocks };
      return withRows(
        withEntry(view, entry, grow),
        [{ kind: "prompt", id: `${seq}`, entry: entry.id, turn: event.turn, at, blocks: event.blocks, left: false }],
        grow,
      );
    }
    case "note_added":
      return withEntry(view, { kind: "note", id: event.entry, parent: view.head, turn: event.turn, at, text: event.text, source: event.source }, grow);
    case "reply_completed":
      return replyCompleted(view, { seq, at }, event, grow);
    case "usage_counted":
      return withSpent(view, event.by, event.usage);
    case "results_added":
      return withEntry(view, { kind: "results", id: event.entry, parent: view.head, turn: event.turn, at, calls: event.calls }, grow);
    case "compacted": {
      const { entry: id, turn, before, after } = event;
      const next = withEntry(view, { kind: "compaction", id, parent: view.head, turn, at, before, after, history: event.history }, grow);
      return withRows({ ...next, windowUsed: after }, [{ kind: "compaction", id: `${seq}`, entry: id, turn, at, before, after, left: false }], grow);
    }
    case "warning_raised":
      return withRows(view, [{ kind: "warning", id: `${seq}`, entry: view.head, turn: event.turn, at, notice: event.notice, left: false }], grow);
    case "loop_transition":
      return view.turn?.id === event.turn ? { ...view, turn: { ...view.turn, step: event.step } } : view;
    case "reply_withdrawn":
      return replyWithdrawn(view, event);
    case "turn_complete":
      return turnComplete(view, { seq, at }, event, grow);
    default:
      return assertNever(event);
  }
}

function promptSubmitted(view: SessionView, { seq, at }: At, event: EventOf<"prompt_submitted">, grow: Grow): SessionView {
  const entry: Entry = { kind: "prompt", id: event.entry, parent: view.head, turn: event.turn, at, blocks: event.blocks };
  const row: Row = { kind: "prompt", id: `${seq}`, entry: entry.id, turn: event.turn, at, blocks: event.blocks, left: false };
  return {
    ...withRows(withEntry(view, entry, grow), [row], grow),
    // What goes on is no longer out of the way.
    filed: { ...view.filed, archived: false },
    title: view.title === "" ? oneLine(plainText(event.blocks), TITLE_CHARS) : view.title,
    turn: { id: event.turn, startedAt: at, step: 0 },
    attention: "working",
    lastEnd: undefined,
    undoable: undefined,
    returnedPrompt: undefined,
  };
}

function replyCompleted(view: SessionView, { seq, at }: At, event: EventOf<"reply_completed">, grow: Grow): SessionView {
  const { entry: id, turn, reply, by, blocks, stop, usage, partial } = event;
  let calls = view.calls;
  for (const use of toolUsesOf(blocks)) {
    if (calls[use.id] !== undefined) continue;
    const call: CallView = {
      id: use.id,
      turn,
      tool: use.name,
      input: use.input,
      state: "proposed",
      startedAt: undefined,
      outcome: undefined,
      forModel: undefined,
    };
    calls = grow.add(calls, use.id, call);
  }
  const next = withEntry(view, { kind: "reply", id, parent: view.head, turn, at, reply, by, blocks, stop, usage, partial }, grow);
  const used = windowTokens(usage);
  return {
    ...withRows(withSpent(next, by, usage), replyRows(event, `${seq}`, at), grow),
    calls,
    windowUsed: used > 0 ? used : view.windowUsed,
    turn: view.turn?.id === turn ? { ...view.turn, step: event.step } : view.turn,
  };
}

/** Kept by model, because each has its price; what was withdrawn later was paid for as well. */
function withSpent(view: SessionView, by: Maker, usage: Usage): SessionView {
  const known = view.spent.find((one) => one.by.provider === by.provider && one.by.model === by.model);
  const grown = { by, usage: known === undefined ? usage : addUsage(known.usage, usage) };
  return { ...view, usage: addUsage(view.usage, usage), spent: [...view.spent.filter((one) => one !== known), grown] };
}

/** The newest reply is taken back from screen, view and memory (L22); what else stood there stays. */
function replyWithdrawn(view: SessionView, event: EventOf<"reply_withdrawn">): SessionView {
  const head = view.head === null ? undefined : view.entries[view.head];
  if (head?.kind !== "reply" || head.reply !== event.reply) return view;
  const isShown = (row: Row) => (row.kind === "text" || row.kind === "thinking" || row.kind === "call") && row.entry === head.id;
  return { ...view, head: head.parent, rows: view.rows.filter((row) => !isShown(row)) };
}

function replyRows(event: EventOf<"reply_completed">, prefix: string, at: number): readonly Row[] {
  const { entry, turn } = event;
  return event.blocks.flatMap((block, index): readonly Row[] => {
    const id = `${prefix}.${index}`;
    if (block.type === "text" || block.type === "thinking")
      return isBlank(block.text) ? [] : [{ kind: block.type, id, entry, turn, at, text: block.text, left: false }];
    if (block.type === "tool_use") return [{ kind: "call", id, entry, turn, at, call: block.id, left: false }];
    return [];
  });
}

function turnComplete(view: SessionView, { seq, at }: At, event: EventOf<"turn_complete">, grow: Grow): SessionView {
  const row: Row = { kind: "turn_end", id: `${seq}`, entry: view.head, turn: event.turn, at, end: event.end, ms: event.ms, left: false };
  return { ...withRows(view, [row], grow), turn: undefined, pending: [], lastEnd: event.end, attention: attentionAfter(event.end) };
}

function attentionAfter(end: TurnEnd): Attention {
  if (end.why === "answered" || end.why === "let_go") return "done";
  return end.why === "aborted" ? "idle" : "failed";
}

function withEntry(view: SessionView, entry: Entry, grow: Grow): SessionView {
  return { ...view, entries: grow.add(view.entries, entry.id, entry), head: entry.id };
}

function withRows(view: SessionView, rows: readonly Row[], grow: Grow): SessionView {
  return rows.length === 0 ? view : { ...view, rows: grow.push(view.rows, rows) };
}
