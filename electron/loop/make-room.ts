// Makes the history fit and tells it (C2, C4, C5): what was measured, what came back, and honestly when it did not work.
import type { FitMode, FitOutcome } from "#electron/context/contract.ts";
import { createBell } from "./bell.ts";
import { onceOnly } from "./continue-with.ts";
import type { EndCore, LoopEvent, LoopState } from "./contract.ts";
import { WAITING_SHOWN_AFTER_MS } from "./limits.ts";
import { endWith, notice } from "./notices.ts";
import { addNotes } from "./say.ts";
import { grow } from "./state.ts";
import { modelOf, type Turn } from "./turn.ts";

export type Room = { readonly state: LoopState; readonly failed: Extract<FitOutcome, { kind: "failed" }> | undefined };

export async function* makeRoom(state: LoopState, turn: Turn, mode: FitMode): AsyncGenerator<LoopEvent, Room, void> {
  const { deps } = turn;
  const outcome = yield* waitedFor(deps.context.fit(state.history, modelOf(state, deps).info, mode, turn.signal), turn);
  switch (outcome.kind) {
    case "fits":
      return { state, failed: undefined };
    case "compacted": {
      const { before, after, layers, history } = outcome;
      yield { type: "compacted", before, after, layers, history };
      deps.trace.emit({ name: "cache_break", why: "compaction" });
      const shorter = grow(state, { history });
      return { state: yield* addNotes(shorter, await deps.context.returningNotes(history)), failed: undefined };
    }
    case "failed":
      if (outcome.why === "breaker_open") deps.trace.emit({ name: "guard_fired", guard: "compaction_breaker" });
      return { state: mode === "thresholds" ? yield* warned(state, outcome) : state, failed: outcome };
  }
}

/** The request may still go through, so this is a warning, and said once a turn. */
function* warned(state: LoopState, failed: NonNullable<Room["failed"]>): Generator<LoopEvent, LoopState, void> {
  if (failed.why === "aborted" || failed.why === "breaker_open") return state;
  const next = onceOnly(state, "context_warned");
  if (next === "spent") return state;
  yield { type: "warning", notice: notice(failed.why === "fixed_part_too_big" ? "compaction_off" : "compaction_failed", { biggest: biggestOf(failed) }) };
  return next;
}

/** The end of a turn whose history cannot be made to fit. */
export function contextFull(failed: Room["failed"], detail?: string): EndCore {
  const end =
    failed === undefined
      ? endWith("failed", "context_full_plain", "new_session")
      : endWith("failed", "context_full", "new_session", { biggest: biggestOf(failed) });
  return { ...end, ...(detail === undefined ? {} : { detail }) };
}

function biggestOf({ biggest }: NonNullable<Room["failed"]>): string {
  return biggest.map((part) => `${part.name} (${part.tokens})`).join(", ");
}

/** A summary takes a while; the person sees what is waited for. */
async function* waitedFor(work: Promise<FitOutcome>, turn: Turn): AsyncGenerator<LoopEvent, FitOutcome, void> {
  const { clock, turn: id } = turn.deps;
  const bell = createBell();
  const begun = clock.monotonic();
  let done: { readonly outcome: FitOutcome } | { readonly error: unknown } | undefined;
  work
    .then(
      (outcome) => (done = { outcome }),
      (error: unknown) => (done = { error }),
    )
    .finally(bell.ring);
  for (;;) {
    const timer = clock.schedule(WAITING_SHOWN_AFTER_MS, bell.ring);
    await bell.rung();
    timer[Symbol.dispose]();
    if (done !== undefined && "outcome" in done) return done.outcome;
    if (done !== undefined) throw done.error;
    yield { type: "live", event: { type: "waiting", turn: id, what: "compaction", forMs: clock.monotonic() - begun, canRetryNow: false } };
  }
}
