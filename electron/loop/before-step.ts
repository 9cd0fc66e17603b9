// The boundary before a request: what waits to be delivered, what limits say, and whether the history fits and is whole.
import { repairHistory } from "#shared/chat/history-repair.ts";
import type { NoteDraft } from "#shared/chat/note.ts";
import { onceOnly } from "./continue-with.ts";
import type { EndCore, LoopEvent, LoopState } from "./contract.ts";
import { makeRoom } from "./make-room.ts";
import { softReminder, SPEND_LIMIT_SUMMARY, STEP_LIMIT_SUMMARY } from "./notes.text.ts";
import { endWith, notice } from "./notices.ts";
import { addNotes } from "./say.ts";
import { grow, withUserBlocks } from "./state.ts";
import type { Turn } from "./turn.ts";

/** `finish` without an end: the turn was aborted, its cause is the scope's. `last_words`: one more request for a summary, then the end (L11). */
export type Ready = { readonly state: LoopState } & ({ readonly kind: "go" } | Stop);
type Stop = { readonly kind: "finish"; readonly end: EndCore | undefined } | { readonly kind: "last_words"; readonly end: EndCore; readonly note: NoteDraft };

export async function* beforeStep(begun: LoopState, turn: Turn): AsyncGenerator<LoopEvent, Ready, void> {
  const { deps } = turn;
  if (turn.signal.aborted) return { kind: "finish", state: begun, end: undefined };
  const stop = deps.hookStop?.();
  if (stop !== undefined) return { kind: "finish", state: begun, end: { ...endWith("let_go", "hook_stopped", "go_on"), detail: stop } };
  let state = yield* steered(begun, turn);
  if (turn.signal.aborted) return { kind: "finish", state, end: undefined };
  const limit = yield* limited(state, turn);
  if (limit !== undefined) return { ...limit, state };
  state = yield* reminded(state, turn);
  const room = yield* makeRoom(state, turn, "thresholds");
  if (turn.signal.aborted) return { kind: "finish", state: room.state, end: undefined };
  state = yield* addNotes(room.state, deps.stepNotes?.(room.state.history) ?? []);
  return { kind: "go", state: grow(state, { step: state.step + 1, history: sendable(state, turn) }) };
}

/** Whatever happened before, the request is one that the provider takes (L18). */
export function sendable(state: LoopState, turn: Turn): LoopState["history"] {
  return turn.check(state.history, true).length === 0 ? state.history : repairHistory(state.history, true);
}

async function* steered(state: LoopState, turn: Turn): AsyncGenerator<LoopEvent, LoopState, void> {
  const steering = await turn.deps.takeSteering();
  if (steering === undefined || turn.signal.aborted) return state;
  const { blocks, queueIds, notes, refused } = steering;
  for (const one of refused) yield { type: "steer_refused", ...one };
  if (blocks.length === 0) return state;
  yield { type: "steer", blocks, queueIds };
  return yield* addNotes(grow(state, { history: withUserBlocks(state.history, blocks) }), notes);
}

function* reminded(state: LoopState, turn: Turn): Generator<LoopEvent, LoopState, void> {
  const after = turn.deps.limits.reminderAfterSteps;
  if (after <= 0 || state.step < after) return state;
  const next = onceOnly(state, "soft_reminder");
  if (next === "spent") return state;
  yield { type: "warning", notice: notice("many_steps", { steps: state.step }) };
  return yield* addNotes(next, [softReminder(state.step)]);
}

async function* limited(state: LoopState, turn: Turn): AsyncGenerator<LoopEvent, Stop | undefined, void> {
  const { limits, trace } = turn.deps;
  if (limits.maxSteps !== undefined && state.step >= limits.maxSteps) {
    trace.emit({ name: "guard_fired", guard: "step_limit" });
    const end = endWith("step_limit", "step_limit", "go_on", { steps: state.step, lost: state.lostSteps });
    return { kind: "last_words", end, note: STEP_LIMIT_SUMMARY };
  }
  return yield* spendLimit(turn);
}

/** Warns, then pauses and asks; without a person the turn ends after a summary (L11). */
async function* spendLimit(turn: Turn): AsyncGenerator<LoopEvent, Stop | undefined, void> {
  const { spend, askPerson, trace } = turn.deps;
  const verdict = spend?.check();
  if (spend === undefined || verdict === undefined || verdict.kind === "ok") return undefined;
  trace.emit({ name: "guard_fired", guard: "spend_limit" });
  if (verdict.kind === "warn") {
    yield { type: "warning", notice: verdict.notice };
    return undefined;
  }
  const end: EndCore = { why: "spend_limit", notice: verdict.notice, action: "open_settings" };
  if (askPerson === undefined) return { kind: "last_words", end, note: SPEND_LIMIT_SUMMARY };
  const question = verdict.notice.key.endsWith("_tokens") ? "ask_spend_limit_tokens" : "ask_spend_limit";
  const answer = await askPerson(notice(question, verdict.notice.params), turn.signal);
  if (turn.signal.aborted) return { kind: "finish", end: undefined };
  if (answer === "stop") return { kind: "finish", end };
  spend.lift();
  return undefined;
}
