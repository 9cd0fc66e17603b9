// What a new session begins with that goes on from a point of another one (K8). Only what is on the way to that point comes along:
// no branch that was left, nothing that came later (E11). Pure; the two share nothing afterwards.
import { type Block, toolUsesOf } from "#shared/chat/blocks.ts";
import type { SessionEvent, StoredEvent } from "#shared/events/durable.ts";
import type { CopyOf } from "#shared/events/session.ts";
import type { CallId, CheckpointId, EntryId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { ancestors } from "#shared/session/branches.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduceAll } from "#shared/session/reduce.ts";
import type { Entry, SessionView } from "#shared/session/view.ts";

/** `prompt`: to before this message, so that it can be said otherwise; `end`: all of the conversation. */
export type ForkPoint =
  | { readonly kind: "checkpoint"; readonly id: CheckpointId }
  | { readonly kind: "prompt"; readonly entry: EntryId }
  | { readonly kind: "end" };
export type Fork = {
  readonly events: readonly SessionEvent[];
  /** the message at which it was forked: back in the composer */
  readonly prompt: readonly Block[] | undefined;
};
export type ForkSpec = {
  readonly session: SessionId;
  readonly point: ForkPoint;
  readonly place?: { readonly cwd: string; readonly copyOf?: CopyOf } | undefined;
};

const GOES_ON: TurnEnd = { why: "interrupted", notice: { key: "notices.forked" }, steps: 0, requests: 0, lostSteps: 0 };

/** Undefined: there is no such point in this conversation. */
export function forkOf(stored: readonly StoredEvent[], { session, point, place }: ForkSpec): Fork | undefined {
  const parent = stored.find((one) => one.event.type === "session_created")?.event;
  if (parent?.type !== "session_created") return undefined;
  const view = reduceAll(emptyView(parent.session), stored);
  const at = pointOf(view, stored, point);
  if (at === undefined) return undefined;
  const kept = keeperOf(view, at);
  const events: SessionEvent[] = [beginning(view, session, point, place)];
  for (const { seq, event } of stored) if (seq <= at.upTo && kept(event)) events.push(event);
  return { events: [...events, ...openTurn(view, at)], prompt: at.prompt };
}

type Point = { readonly head: EntryId | null; readonly upTo: number; readonly stone: CheckpointId | undefined; readonly prompt: readonly Block[] | undefined };

function pointOf(view: SessionView, stored: readonly StoredEvent[], point: ForkPoint): Point | undefined {
  const seqOf = (wanted: (event: SessionEvent) => boolean): number | undefined => stored.find((one) => wanted(one.event))?.seq;
  const last = stored.at(-1)?.seq ?? 0;
  switch (point.kind) {
    case "end":
      return { head: view.head, upTo: last, stone: view.current, prompt: undefined };
    case "checkpoint": {
      const node = view.trail.find((one) => one.checkpoint.id === point.id);
      const upTo = seqOf((event) => event.type === "checkpoint_taken" && event.checkpoint.id === point.id);
      return node === undefined || upTo === undefined ? undefined : { head: node.head, upTo, stone: point.id, prompt: undefined };
    }
    case "prompt": {
      const entry = view.entries[point.entry];
      const seq = seqOf((event) => event.type === "prompt_submitted" && event.entry === point.entry);
      if (entry?.kind !== "prompt" || seq === undefined) return undefined;
      const before = stored.findLast((one) => one.seq < seq && one.event.type === "checkpoint_taken")?.event;
      return { head: entry.parent, upTo: seq - 1, stone: before?.type === "checkpoint_taken" ? before.checkpoint.id : undefined, prompt: entry.blocks };
    }
  }
}

function beginning(view: SessionView, session: SessionId, point: ForkPoint, place: ForkSpec["place"]): SessionEvent {
  const { title, mode, maker } = view;
  const from = { session: view.session, ...(point.kind === "checkpoint" ? { checkpoint: point.id } : {}) };
  const where = place ?? { cwd: view.cwd, ...(view.copyOf === undefined ? {} : { copyOf: view.copyOf }) };
  return { v: 1, type: "session_created", session, title: nextTitle(title), ...where, mode, maker, forkedFrom: from };
}

/** "Mend the dates" → "Mend the dates 2" → "Mend the dates 3" */
function nextTitle(title: string): string {
  if (title === "") return "";
  const [, name = title, number] = /^(.*\S) (\d{1,3})$/.exec(title) ?? [];
  return `${name} ${number === undefined ? 2 : Number(number) + 1}`;
}

function keeperOf(view: SessionView, at: Point): (event: SessionEvent) => boolean {
  const path = [...ancestors(view.entries, at.head)];
  const entries = new Set<EntryId>(path.map((entry) => entry.id));
  const turns = new Set<TurnId>(path.map((entry) => entry.turn));
  const own = callsOf(path);
  const everyCall = callsOf(Object.values(view.entries));
  const stones = stonesTo(view, at.stone);
  const hasCall = (turn: TurnId, call: CallId) => turns.has(turn) && (own.has(call) || !everyCall.has(call));
  const isWhole = (turn: TurnId) => turns.has(turn) && turn !== cutTurn(view, at);
  return (event) => {
    switch (event.type) {
      case "prompt_submitted":
      case "steer_added":
      case "reply_completed":
      case "results_added":
      case "note_added":
      case "compacted":
        return entries.has(event.entry);
      case "call_started":
      case "call_intended":
      case "call_settled":
      case "outcome_told":
      case "permission_answered":
      case "permission_refused":
      case "person_answered":
        return hasCall(event.turn, event.call);
      case "permission_asked":
      case "person_asked":
        return hasCall(event.turn, event.question.call);
      case "turn_complete":
        return isWhole(event.turn);
      case "loop_transition":
        return turns.has(event.turn);
      case "warning_raised":
        return event.turn !== undefined && turns.has(event.turn);
      case "checkpoint_taken":
        return stones.has(event.checkpoint.id);
      case "checkpoint_marked":
        return stones.has(event.checkpoint);
      case "todos_changed":
      case "goal_changed":
      case "hypotheses_changed":
      case "repository_seen":
        return true;
      default:
        return false;
    }
  };
}

function callsOf(entries: readonly Entry[]): ReadonlySet<CallId> {
  return new Set(entries.flatMap((entry) => (entry.kind === "reply" ? toolUsesOf(entry.blocks).map((use) => use.id) : [])));
}

function stonesTo({ trail }: SessionView, stone: CheckpointId | undefined): ReadonlySet<CheckpointId> {
  const byId = new Map(trail.map((node) => [node.checkpoint.id, node]));
  const found = new Set<CheckpointId>();
  for (let id = stone; id !== undefined && !found.has(id); id = byId.get(id)?.parent) found.add(id);
  return found;
}

/** The turn in the middle of which the point lies; its end in the parent is not the end here. */
function cutTurn(view: SessionView, { head, upTo }: Point): TurnId | undefined {
  const entry = head === null ? undefined : view.entries[head];
  if (entry === undefined) return undefined;
  const ended = view.rows.find((row) => row.kind === "turn_end" && row.turn === entry.turn);
  return ended?.kind === "turn_end" && ended.entry === head && Number(ended.id) <= upTo ? undefined : entry.turn;
}

function openTurn(view: SessionView, at: Point): readonly SessionEvent[] {
  const turn = cutTurn(view, at);
  return turn === undefined ? [] : [{ v: 1, type: "turn_complete", turn, end: GOES_ON, ms: 0, waitedForPerson: false }];
}
