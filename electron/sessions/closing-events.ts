// What an interrupted turn still owes its log: answers to open questions and a result for every call (L18, S2).
// Pure: used when a turn ends and when a session is opened after a crash.
import { toolUsesOf } from "#shared/chat/blocks.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { CallId, EntryId } from "#shared/lib/ids.ts";
import { isPermission } from "#shared/questions/question.ts";
import type { SessionView } from "#shared/session/view.ts";
import { type HashesNow, judge, openCalls, outcomeOfInterrupted } from "./interrupted.ts";

/** Events that complete the history of the running turn; none when nothing is owed. `entry`: id for the results entry. */
export function closingEvents(view: SessionView, entry: EntryId, hashes: HashesNow): readonly SessionEvent[] {
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
  const open = new Set<CallId>([...ids.filter((id) => view.calls[id]?.outcome === undefined), ...openCalls(view).map((call) => call.id)]);
  const settled = [...open].map(
    (call): SessionEvent => ({
      v: 1,
      type: "call_settled",
      turn: turn.id,
      call,
      tool: view.calls[call]?.tool ?? "",
      outcome: outcomeOfInterrupted(call, judge(view.calls[call], hashes)),
    }),
  );
  if (ids.length === 0) return [...answers, ...settled];
  return [...answers, ...settled, { v: 1, type: "results_added", entry, turn: turn.id, step: turn.step, calls: [...ids] }];
}
