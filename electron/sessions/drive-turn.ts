// Consumes one turn of the loop: durable facts to the log, live ones to the screen, and exactly one end (L1, L24).
// The end is written here, outside the generator: a value yielded from a generator's `finally` has no reader.
import type { SessionEvent } from "#shared/events/durable.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { EntryId } from "#shared/lib/ids.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { LoopEvent, TurnStart } from "#electron/loop/contract.ts";
import type { TurnEnv } from "./contract.ts";
import { closingEvents } from "./closing-events.ts";
import { hashesNow } from "./interrupted.ts";

export type DriveDeps = {
  readonly clock: Clock;
  newId(): string;
  /** ms the loop gets to end by itself after an abort */
  readonly stopGraceMs: number;
  sync(): Promise<void>;
};

type Loop = AsyncGenerator<LoopEvent, TurnEnd, void>;

/** Never rejects. */
export async function driveTurn(open: () => Promise<(start: TurnStart) => Loop>, start: TurnStart, env: TurnEnv, deps: DriveDeps): Promise<TurnEnd> {
  const begun = deps.clock.monotonic();
  const end = await consume(open, start, env, deps);
  await env.scope.close(env.scope.cause ?? { by: "shutdown" });
  const ms = Math.max(0, deps.clock.monotonic() - begun);
  const waited = env.waits.totalMs() > 0;
  const hashes = await hashesNow(env.view());
  await env.append([
    ...closingEvents(env.view(), EntryId.parse(deps.newId()), hashes),
    { v: 1, type: "turn_complete", turn: env.turn, end, ms, waitedForPerson: waited },
  ]);
  await deps.sync();
  return end;
}

async function consume(open: () => Promise<(start: TurnStart) => Loop>, start: TurnStart, env: TurnEnv, deps: DriveDeps): Promise<TurnEnd> {
  let loop: Loop | undefined;
  try {
    loop = (await open())(start);
    for (;;) {
      const next = await nextOrGiveUp(loop, env, deps);
      if (next === undefined) {
        // Should it wake up after all, it ends and measures itself; nobody waits for that.
        void loop.return(abortedEnd(env)).catch(() => {});
        return abortedEnd(env);
      }
      if (next.done) return next.value;
      await take(next.value, env, deps);
    }
  } catch (error) {
    void loop?.return({ why: "failed", steps: 0, requests: 0, lostSteps: 0 }).catch(() => {});
    const detail = error instanceof Error ? error.message : String(error);
    return env.scope.signal.aborted
      ? abortedEnd(env)
      : { why: "failed", notice: { key: "notices.internal_error" }, action: "retry", detail, steps: 0, requests: 0, lostSteps: 0 };
  }
}

function abortedEnd(env: TurnEnv): TurnEnd {
  return {
    why: "aborted",
    abortedBy: env.scope.cause?.by ?? "person",
    notice: { key: "notices.stopped" },
    steps: env.view().turn?.step ?? 0,
    requests: 0,
    lostSteps: 0,
  };
}

// A loop that does not end after its abort cannot hold the session.
async function nextOrGiveUp(loop: Loop, env: TurnEnv, deps: DriveDeps): Promise<IteratorResult<LoopEvent, TurnEnd> | undefined> {
  const { signal } = env.scope;
  // Made only when there is something to cut short: this runs for every delta.
  let settled: AbortController | undefined;
  let onAbort = () => {};
  const gaveUp = new Promise<undefined>((resolve) => {
    onAbort = () => {
      settled = new AbortController();
      void deps.clock.sleep(deps.stopGraceMs, settled.signal).then(() => resolve(undefined));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  const next = loop.next();
  try {
    return await Promise.race([next, gaveUp]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    settled?.abort();
    next.catch(() => {});
  }
}

async function take(event: LoopEvent, env: TurnEnv, deps: DriveDeps): Promise<void> {
  if (event.type === "live") return env.live(event.event);
  return env.append(durable(event, env, deps));
}

function durable(event: Exclude<LoopEvent, { type: "live" }>, env: TurnEnv, deps: DriveDeps): readonly SessionEvent[] {
  const { turn } = env;
  const entry = () => EntryId.parse(deps.newId());
  switch (event.type) {
    case "reply": {
      const { id: reply, blocks, stop, usage, by } = event.reply;
      return [{ v: 1, type: "reply_completed", entry: entry(), turn, step: event.step, reply, by, blocks: [...blocks], stop, usage, partial: event.partial }];
    }
    case "results":
      return [{ v: 1, type: "results_added", entry: entry(), turn, step: event.step, calls: [...event.calls] }];
    case "note":
      return [{ v: 1, type: "note_added", entry: entry(), turn, step: event.step, text: event.text, source: event.source }];
    case "steer":
      return [
        { v: 1, type: "steer_added", entry: entry(), turn, blocks: [...event.blocks] },
        ...event.queueIds.map((id): SessionEvent => ({ v: 1, type: "prompt_unqueued", id, why: "sent" })),
      ];
    case "steer_refused":
      return [
        { v: 1, type: "prompt_unqueued", id: event.queueId, why: "refused" },
        { v: 1, type: "warning_raised", turn, notice: event.notice },
      ];
    case "compacted": {
      const history = event.history.map((message) => ({ role: message.role, blocks: [...message.blocks] }));
      return [{ v: 1, type: "compacted", entry: entry(), turn, before: event.before, after: event.after, layers: [...event.layers], history }];
    }
    case "transition":
      return [{ v: 1, type: "loop_transition", turn, step: event.step, reason: event.reason }];
    case "withdrawn":
      return [{ v: 1, type: "reply_withdrawn", turn, reply: event.reply, why: event.why }];
    case "used":
      return [{ v: 1, type: "usage_counted", turn, what: "dropped_attempt", by: event.by, usage: event.usage }];
    case "warning":
      return [{ v: 1, type: "warning_raised", turn, notice: event.notice }];
    default:
      return assertNever(event);
  }
}
