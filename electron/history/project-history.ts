// The model's history as a projection of a session's entries (L2, S1): from the newest entry back to the last compaction, nothing else.
// The same entries always give the same bytes, and more entries only add at the end (C7).
import { text, toolUsesOf, type Block, type Message, type ToolResultBlock } from "#shared/chat/blocks.ts";
import { markedContent } from "#shared/chat/data-mark.ts";
import { repairHistory, UNKNOWN_OUTCOME } from "#shared/chat/history-repair.ts";
import { noteBlock } from "#shared/chat/note.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { Entry, SessionView } from "#shared/session/view.ts";

/** Always a history that any provider takes, but for its end: a new user message belongs there. */
export function projectHistory(view: SessionView): readonly Message[] {
  const messages: Message[] = [];
  const path = pathTo(view);
  path.forEach((entry, k) => {
    if (entry.kind === "compaction") messages.push(...entry.history);
    else add(messages, messageOf(entry, view));
    // A crash may come between the last outcome and the entry that joins them.
    if (entry.kind === "reply" && path[k + 1]?.kind !== "results")
      add(
        messages,
        resultsOf(
          toolUsesOf(entry.blocks).map((use) => use.id),
          view,
        ),
      );
  });
  return repairHistory(messages);
}

/** Entries from the last compaction (or the first entry) to the head, oldest first. */
function pathTo(view: SessionView): readonly Entry[] {
  const path: Entry[] = [];
  for (let id = view.head; id !== null; ) {
    const entry: Entry | undefined = view.entries[id];
    if (entry === undefined) break;
    path.push(entry);
    if (entry.kind === "compaction") break;
    id = entry.parent;
  }
  return path.reverse();
}

function messageOf(entry: Exclude<Entry, { kind: "compaction" }>, view: SessionView): Message {
  switch (entry.kind) {
    case "prompt":
    case "steer":
      return { role: "user", blocks: entry.blocks };
    case "note":
      return { role: "user", blocks: [noteBlock(entry)] };
    case "reply":
      return { role: "assistant", blocks: entry.blocks };
    case "results":
      return resultsOf(entry.calls, view);
    default:
      return assertNever(entry);
  }
}

function resultsOf(calls: readonly CallId[], view: SessionView): Message {
  return { role: "user", blocks: calls.map((id) => resultOf(id, view)) };
}

function resultOf(id: CallId, view: SessionView): ToolResultBlock {
  const call = view.calls[id];
  const content = call?.forModel ?? call?.outcome?.forModel;
  if (content === undefined) return { type: "tool_result", id, content: [text(UNKNOWN_OUTCOME)], isError: true };
  return { type: "tool_result", id, content: markedContent(content), isError: call?.outcome?.status !== "ok" };
}

/** Neighbouring user messages are one: results, notes and the person's words of one boundary were one message when they were sent. */
function add(messages: Message[], message: Message): void {
  const last = messages.at(-1);
  if (message.blocks.length === 0) return;
  if (last?.role !== message.role) messages.push(message);
  else messages[messages.length - 1] = { role: message.role, blocks: joined(last.blocks, message.blocks) };
}

function joined(a: readonly Block[], b: readonly Block[]): readonly Block[] {
  return [...a, ...b];
}
