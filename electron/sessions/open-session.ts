// Opening one session: lock, log, recovery of what a crash left, then the actor (S2, E01, E08, E14).
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EntryId, Seq, type SessionId } from "#shared/lib/ids.ts";
import type { SessionEvent, StoredEvent } from "#shared/events/durable.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduce, reduceAll } from "#shared/session/reduce.ts";
import type { SessionView } from "#shared/session/view.ts";
import { takeOwnerLock } from "#electron/lib/owner-lock.ts";
import { type ActorDeps, createActor } from "./actor.ts";
import { closingEvents } from "./closing-events.ts";
import { type HashesNow, hashesNow } from "./interrupted.ts";
import type { SessionActor } from "./contract.ts";
import { type LogDamage, openSessionLog } from "./log-file.ts";

export type OpenDeps = Omit<ActorDeps, "log" | "view" | "folder" | "release">;
export type Opened =
  | { readonly kind: "open"; readonly actor: SessionActor; readonly recovered: boolean; readonly damage: LogDamage }
  | { readonly kind: "locked"; readonly pid: number };

const LOG = "log.jsonl";

export const logPath = (folder: string): string => join(folder, LOG);

/** Opens the session in `folder`; `first`: the events of a new one. Rejects when the disk refuses. Nothing is executed. */
export async function openSession(session: SessionId, folder: string, deps: OpenDeps, first: readonly SessionEvent[]): Promise<Opened> {
  const { log, events, damage, lock } = await openLocked(folder, deps);
  if (lock.kind === "taken" || log === undefined) return { kind: "locked", pid: lock.kind === "taken" ? lock.pid : 0 };
  const before = viewOf(session, events);
  const owed = [...first, ...recoveryEvents(before, { damage, hashes: await hashesNow(before) }, EntryId.parse(deps.newId()))];
  if (owed.length > 0) await log.append(owed);
  const at = deps.clock.now();
  const head = log.head - owed.length;
  const view = owed.reduce((seen, event, index) => reduce(seen, { seq: Seq.parse(head + index + 1), at, event }), before);
  const actor = createActor({ ...deps, log, view, folder, release: lock.release });
  return { kind: "open", actor, recovered: before.turn !== undefined, damage };
}

async function openLocked(folder: string, deps: OpenDeps) {
  await mkdir(folder, { recursive: true });
  const lock = await takeOwnerLock(join(folder, "lock"));
  if (lock.kind === "taken") return { lock, log: undefined, events: [], damage: { tornBytes: 0, badLines: 0, unknown: 0 } };
  try {
    return { lock, ...(await openSessionLog(logPath(folder), deps.clock)) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

export function viewOf(session: SessionId, events: readonly StoredEvent[]): SessionView {
  return reduceAll(emptyView(session), events);
}

/** What a crash or a damaged log leaves to be written: answers for open calls, an end for the turn, a word to the person. Pure. */
export function recoveryEvents(
  view: SessionView,
  { damage, hashes }: { readonly damage: LogDamage; readonly hashes: HashesNow },
  entry: EntryId,
): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  if (damage.tornBytes > 0 || damage.badLines > 0) {
    events.push({ v: 1, type: "warning_raised", notice: { key: "notices.log_damaged", params: { lines: damage.badLines + (damage.tornBytes > 0 ? 1 : 0) } } });
  }
  if (view.turn === undefined) return events;
  const closing = closingEvents(view, entry, hashes);
  // Calls of sub-agents have no card of their own: the question stands on the card of the call that they worked for.
  const shown = new Set(closing.flatMap((event) => (event.type === "results_added" ? event.calls : [])));
  const unknown = closing.filter((event) => event.type === "call_settled" && event.outcome.interrupted === "unknown" && shown.has(event.call)).length;
  const notice = unknown === 0 ? { key: "notices.interrupted" } : { key: "notices.interrupted_unknown", params: { count: unknown } };
  const end = { why: "interrupted", notice, action: "retry", steps: view.turn.step, requests: 0, lostSteps: 0 } as const;
  return [...events, ...closing, { v: 1, type: "turn_complete", turn: view.turn.id, end, ms: 0, waitedForPerson: false }];
}
