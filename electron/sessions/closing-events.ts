// What an interrupted turn still owes its log: answers to open questions and a result for every call (L18, S2).
// Pure: used when a turn ends and when a session is opened after a crash.
import { toolUsesOf } from "#shared/chat/blocks.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { CallId, EntryId } from "#shared/lib/ids.ts";
import { isPermission } from "#shared/questions/question.ts";
import type { SessionView } from "#shared/session/view.ts";

/** Events that complete the history of the running turn; none when nothing is owed. `entry`: id for the results entry. */
export function closingEvents(view: SessionView, entry: EntryId): readonly SessionEvent[] {
  const { turn } = view;
  if (turn === undefined) return [];
  const answers = view.pending.map((open): SessionEvent => {
    const about = { v: 1 as const, turn: turn.id, question: open.id, call: open.call };
    return isPermission(open)
      ? { ...about, type: "permission_answered", answer: { behavior: "cancelled" } }
      : { ...about, type: "person_answered", answer: { kind: "cancelled" } };
  });
  const newest = view.head === null ? undefined : view.entries[view.head];
  const ids = newest?.kind === "reply" ? toolUsesOf(newest.blocks).map((use) => use.id) : [];
  const open = new Set<CallId>([...ids.filter((id) => view.calls[id]?.outcome === undefined), ...openCallsOf(view)]);
  const settled = [...open].map((id) => settledEvent(view, id, turn.id));
  if (ids.length === 0) return [...answers, ...settled];
  return [...answers, ...settled, { v: 1, type: "results_added", entry, turn: turn.id, step: turn.step, calls: [...ids] }];
}

function openCallsOf(view: SessionView): readonly CallId[] {
  return Object.values(view.calls).flatMap((call) => (call.state === "running" && call.turn === view.turn?.id ? [call.id] : []));
}

function settledEvent(view: SessionView, call: CallId, turn: NonNullable<SessionView["turn"]>["id"]): SessionEvent {
  const known = view.calls[call];
  const message =
    known?.startedAt === undefined
      ? "The call was interrupted before it ran. Nothing was done; make it again if it is still wanted."
      : "The call was interrupted while it ran, so its outcome is unknown: part of it may have happened. Check before you repeat it.";
  return {
    v: 1,
    type: "call_settled",
    turn,
    call,
    tool: known?.tool ?? "",
    outcome: {
      status: "failed",
      callId: call,
      metrics: { ms: 0, bytes: 0 },
      forModel: [{ type: "text", text: message }],
      display: "full",
      failure: { kind: "aborted", retryable: true, message },
    },
  };
}
