// The one reducer: durable events in, the session's view out. Pure, same code in both processes; replay can execute nothing (S1).
import type { EventOf, StoredEvent } from "#shared/events/durable.ts";
import type { EntryId } from "#shared/lib/ids.ts";
import { ancestors, headFor, markRows, markTrail } from "./branches.ts";
import { COPYING, type Grow, growingInPlace } from "./grow.ts";
import { reduceCalls } from "./reduce-calls.ts";
import { reduceConversation } from "./reduce-conversation.ts";
import type { Row, SessionView } from "./view.ts";

/** View after one more event. Events must come in order of `seq`; an event already seen changes nothing. */
export function reduce(view: SessionView, stored: StoredEvent): SessionView {
  return reduceWith(view, stored, COPYING);
}

/** View after all these events: the same as one after the other, at a cost that grows with their number only. */
export function reduceAll(view: SessionView, events: Iterable<StoredEvent>): SessionView {
  const grow = growingInPlace();
  let next = view;
  for (const stored of events) next = reduceWith(next, stored, grow);
  return next;
}

/**
 * The reducer for one holder that keeps only the newest view: its collections grow in place, so a long session costs the
 * same per event as a short one. Earlier views it gave share those collections and must not be kept.
 */
export function createGrowingReducer(): typeof reduce {
  const grow = growingInPlace();
  return (view, stored) => reduceWith(view, stored, grow);
}

function reduceWith(view: SessionView, stored: StoredEvent, grow: Grow): SessionView {
  if (stored.seq <= view.seq) return view;
  const updatedAt = stored.event.type === "session_filed" ? view.updatedAt : stored.at;
  return { ...apply(view, stored, grow), seq: stored.seq, updatedAt };
}

function apply(view: SessionView, stored: StoredEvent, grow: Grow): SessionView {
  const { event, at } = stored;
  switch (event.type) {
    case "session_created":
      return { ...view, session: event.session, title: event.title, cwd: event.cwd, mode: event.mode, maker: event.maker, createdAt: at, copyOf: event.copyOf };
    case "session_renamed":
      return { ...view, title: event.title };
    case "session_filed":
      return { ...view, filed: { pinned: event.pinned ?? view.filed.pinned, archived: event.archived ?? view.filed.archived } };
    case "folder_moved":
      return { ...view, cwd: event.cwd, repository: undefined };
    case "repository_seen":
      return { ...view, repository: view.repository ?? event.repository };
    case "mode_changed":
      return { ...view, mode: event.mode };
    case "model_changed":
      return { ...view, maker: event.maker };
    case "prompt_queued":
      return { ...view, queue: [...view.queue, { id: event.id, at, blocks: event.blocks }] };
    case "prompt_unqueued":
      return { ...view, queue: view.queue.filter((item) => item.id !== event.id) };
    case "todos_changed":
      return { ...view, todos: event.items };
    case "goal_changed":
      return { ...view, goal: event.goal ?? undefined };
    case "hypotheses_changed":
      return { ...view, hypotheses: event.items };
    case "checkpoint_taken":
      return checkpointTaken(view, event, grow);
    case "checkpoint_missing":
      return { ...view, missingCheckpoints: [...view.missingCheckpoints, { at, label: event.label, why: event.why }] };
    case "checkpoint_marked":
      return checkpointMarked(view, event);
    case "rolled_back":
      return rolledBack(view, stored, event);
    case "brought_over":
      return { ...view, broughtOver: [...view.broughtOver, { at, files: event.files, before: event.before, upTo: event.upTo }] };
    case "bring_undone":
      return { ...view, broughtOver: view.broughtOver.slice(0, -1) };
    case "conversation_moved":
      return { ...view, head: event.to, rows: markRows(view.rows, view.entries, event.to), undoable: undefined, returnedPrompt: undefined };
    case "call_started":
    case "call_intended":
    case "call_settled":
    case "outcome_told":
    case "permission_asked":
    case "permission_answered":
    case "permission_refused":
    case "person_asked":
    case "person_answered":
      return reduceCalls(view, stored, event, grow);
    default:
      return reduceConversation(view, stored, event, grow);
  }
}

function checkpointTaken(view: SessionView, { checkpoint }: EventOf<"checkpoint_taken">, grow: Grow): SessionView {
  const known = view.trail.some((node) => node.checkpoint.id === checkpoint.id);
  const trail = known ? view.trail : grow.push(view.trail, [{ checkpoint, parent: view.current, head: headFor(view, checkpoint), left: false }]);
  return { ...view, trail, current: checkpoint.id };
}

function checkpointMarked(view: SessionView, { checkpoint, name, pinned }: EventOf<"checkpoint_marked">): SessionView {
  const trail = view.trail.map((node) =>
    node.checkpoint.id === checkpoint ? { ...node, ...(name === undefined ? {} : { name }), ...(pinned === undefined ? {} : { pinned }) } : node,
  );
  return { ...view, trail };
}

function rolledBack(view: SessionView, { seq, at }: StoredEvent, event: EventOf<"rolled_back">): SessionView {
  const { target, scope, before, undo, files, partial = false } = event;
  const row: Row = {
    kind: "rolled_back",
    id: `${seq}`,
    at,
    target,
    scope,
    before,
    undo,
    partial,
    files,
    lasting: event.lasting ?? [],
    turn: undefined,
    left: false,
  };
  const movesFiles = scope !== "conversation" && !partial;
  const current = movesFiles ? target : view.current;
  const head = event.conversationTo === undefined ? view.head : event.conversationTo;
  return {
    ...view,
    head,
    current,
    rows: [...markRows(view.rows, view.entries, head), row],
    trail: movesFiles ? markTrail(view.trail, current) : view.trail,
    undoable: undo ? undefined : before,
    undoHead: view.head,
    returnedPrompt: undo || head === view.head ? undefined : promptTakenBack(view, head),
    attention: "idle",
  };
}

/** The oldest prompt that is no longer part of the conversation: it goes back to the composer. */
function promptTakenBack(view: SessionView, head: EntryId | null): SessionView["returnedPrompt"] {
  let taken: SessionView["returnedPrompt"];
  for (const entry of ancestors(view.entries, view.head)) {
    if (entry.id === head) break;
    if (entry.kind === "prompt") taken = entry.blocks;
  }
  return taken;
}
