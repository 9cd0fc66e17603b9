// The conversation as messages: the way from the newest compaction to the head, and nothing of branches that were left (L2).
import type { Block, Message } from "#shared/chat/blocks.ts";
import { repairHistory } from "#shared/chat/history-repair.ts";
import { noteBlock } from "#shared/chat/note.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { ancestors } from "#shared/session/branches.ts";
import type { Entry, SessionView } from "#shared/session/view.ts";

/** Pure. What a crash or an old log left undone is repaired, so the answer can always be sent. */
export function projectHistory(view: SessionView): readonly Message[] {
  const way: Entry[] = [];
  for (const entry of ancestors(view.entries, view.head)) {
    way.push(entry);
    if (entry.kind === "compaction") break;
  }
  const messages: Message[] = [];
  for (const entry of way.reverse()) {
    for (const message of messagesOf(entry, view)) add(messages, message);
  }
  return repairHistory(messages);
}

function messagesOf(entry: Entry, view: SessionView): readonly Message[] {
  switch (entry.kind) {
    case "prompt":
    case "steer":
      return [{ role: "user", blocks: entry.blocks }];
    case "note":
      return [{ role: "user", blocks: [noteBlock({ source: entry.source, text: entry.text })] }];
    case "reply":
      return [{ role: "assistant", blocks: entry.blocks }];
    case "results":
      return [{ role: "user", blocks: entry.calls.flatMap((call) => resultOf(view, call)) }];
    case "compaction":
      return entry.history;
    default:
      return assertNever(entry);
  }
}

function resultOf(view: SessionView, id: keyof SessionView["calls"]): readonly Block[] {
  const outcome = view.calls[id]?.outcome;
  return outcome === undefined ? [] : [{ type: "tool_result", id, content: outcome.forModel, isError: outcome.status === "failed" }];
}

/** Neighbours of one role become one message: providers want them to alternate. */
function add(messages: Message[], next: Message): void {
  const last = messages.at(-1);
  if (next.blocks.length === 0) return;
  if (last?.role === next.role) messages[messages.length - 1] = { role: next.role, blocks: [...last.blocks, ...next.blocks] };
  else messages.push(next);
}
