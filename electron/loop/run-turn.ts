// The loop (L1): control flow only. One generator, one state, one way to continue, one way to end.
// step → append → decide → tools | recovery | gates | end; each of these is a file of its own.
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { checkLadder } from "#electron/ladder/rungs.ts";
import { afterReply, appended, stopped } from "./after-reply.ts";
import type { Next } from "./after-tools.ts";
import { beforeStep, sendable, type Ready } from "./before-step.ts";
import type { LoopDeps, LoopEvent, LoopState, TurnStart } from "./contract.ts";
import { contextFull, makeRoom } from "./make-room.ts";
import { failedEnd, notice } from "./notices.ts";
import { addNotes } from "./say.ts";
import { grow, initialState, withReply } from "./state.ts";
import { runStep, type StepOutcome } from "./step.ts";
import { openTurn, transition, type Turn } from "./turn.ts";

/** Runs one turn to its end. Yields what happens; the value returned says how it ended. Never throws: a bug ends the turn as `failed`. */
export async function* runTurn(start: TurnStart, deps: LoopDeps): AsyncGenerator<LoopEvent, TurnEnd, void> {
  const turn = openTurn(start, deps);
  let state = initialState(start);
  let reached = false;
  try {
    yield* ladderWarning(turn);
    state = yield* addNotes(state, await deps.context.turnNotes(state.history));
    for (;;) {
      const ready = yield* beforeStep(state, turn);
      state = ready.state;
      if (ready.kind === "last_words") state = yield* lastWords(ready, turn);
      if (ready.kind === "finish" && ready.end !== undefined) turn.end.set(ready.end);
      if (ready.kind !== "go") break;
      const outcome = yield* runStep(state, turn);
      state = outcome.state;
      const next = yield* afterStep(outcome, turn);
      state = next.state;
      if (next.kind === "finish" && next.end !== undefined) turn.end.set(next.end);
      if (next.kind === "finish") break;
    }
    reached = true;
  } catch (error) {
    turn.end.error(error);
  } finally {
    close(state, turn, reached);
  }
  return turn.end.result(state);
}

/** Rungs that do not grow hide which of them fired, and why (L19). */
function* ladderWarning(turn: Turn): Generator<LoopEvent, void, void> {
  const [first] = checkLadder(turn.ladder);
  if (first !== undefined) yield { type: "warning", notice: notice("ladder_order", { lower: first.lower, upper: first.upper }) };
}

async function* afterStep(outcome: StepOutcome, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  const { state } = outcome;
  switch (outcome.kind) {
    case "reply":
      return yield* afterReply(state, outcome.open, outcome.broke, turn);
    case "aborted":
      return yield* interrupted(outcome, turn);
    case "overflow":
      return yield* overflowed(outcome, turn);
    case "gave_up":
      turn.deps.breaker?.failed();
      return { kind: "finish", state: yield* kept(outcome), end: outcome.end };
  }
}

/** Stopped while the reply came: its words are kept, its calls are answered as cancelled (L17). */
async function* interrupted({ state, open }: Extract<StepOutcome, { kind: "aborted" }>, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  if (open === undefined) return { kind: "finish", state, end: undefined };
  await open.intake.prepared(false);
  if (open.reply.blocks.length === 0) return yield* stopped(state, open, turn, undefined);
  return yield* stopped(yield* appended(state, open, true, turn), open, turn, undefined);
}

/** Too long for the model: compacted once and sent again; the error is shown only if that does not help (L10). */
async function* overflowed({ state, failure }: Extract<StepOutcome, { kind: "overflow" }>, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  const lost = grow(state, { lostSteps: state.lostSteps + 1 });
  const next = yield* transition(lost, turn, { reason: "reactive_compact" });
  if (next === "spent") return { kind: "finish", state: lost, end: failedEnd(failure, lost.requests) };
  const room = yield* makeRoom(next, turn, "overflow");
  if (turn.signal.aborted) return { kind: "finish", state: room.state, end: undefined };
  if (room.failed === undefined) return { kind: "go", state: room.state };
  turn.deps.breaker?.failed();
  const end = failure.kind === "too_large" ? failedEnd(failure, lost.requests) : contextFull(room.failed, failure.message);
  return { kind: "finish", state: room.state, end };
}

function* kept({ state, kept: reply }: Extract<StepOutcome, { kind: "gave_up" }>): Generator<LoopEvent, LoopState, void> {
  const lost = grow(state, { lostSteps: state.lostSteps + 1 });
  if (reply === undefined) return lost;
  yield { type: "reply", step: state.step, reply, partial: true };
  return grow(lost, { history: withReply(state.history, reply.blocks) });
}

/** One more request, for a summary; its calls are not run (L11). */
async function* lastWords(ready: Extract<Ready, { kind: "last_words" }>, turn: Turn): AsyncGenerator<LoopEvent, LoopState, void> {
  if (ready.end.why === "step_limit") turn.end.stepLimit(ready.end);
  const noted = yield* addNotes(ready.state, [ready.note]);
  const outcome = yield* runStep(grow(noted, { history: sendable(noted, turn) }), turn);
  if (ready.end.why !== "step_limit" && !turn.signal.aborted) turn.end.set(ready.end);
  if (outcome.kind === "aborted") return (yield* interrupted(outcome, turn)).state;
  if (outcome.kind === "gave_up") return yield* kept(outcome);
  if (outcome.kind === "overflow") return outcome.state;
  await outcome.open.intake.prepared(outcome.open.reply.stop.kind === "max_tokens");
  const told = yield* appended(outcome.state, outcome.open, outcome.broke, turn);
  return (yield* stopped(told, outcome.open, turn, undefined)).state;
}

/** Runs on every way out, `return()` of the consumer included: nothing keeps running, and the end is measured once (O1). */
function close(state: LoopState, turn: Turn, reached: boolean): void {
  const { deps } = turn;
  const end = turn.end.result(state);
  deps.trace.emit({
    name: "turn_complete",
    why: end.why,
    ms: Math.max(0, deps.clock.monotonic() - turn.begunAt),
    steps: end.steps,
    requests: end.requests,
    waitedForPerson: deps.personWaitMs() > turn.personBefore,
    ...(end.abortedBy === undefined ? {} : { abortedBy: end.abortedBy }),
  });
  // An exception, or a consumer that let go in the middle, may leave a step's scope open.
  if (!reached) deps.scope.abort({ by: "shutdown", detail: "the turn did not reach its end" });
}
