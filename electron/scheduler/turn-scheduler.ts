// Runs the calls of one reply by the rule of can-start (T6, T7) and yields their outcomes in call order.
// One implementation for batch and streaming; no polling: every state change asks the rule again.
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { PreparedCall, RunCall } from "#electron/pipeline/contract.ts";
import type { ToolContext } from "#electron/tools/contract.ts";
import type { Trace } from "#electron/trace/contract.ts";
import { canStart } from "./can-start.ts";
import type { SlotView, TurnScheduler } from "./contract.ts";
import { createWakeup, type Wakeup } from "./wakeup.ts";

export type SchedulerDeps = {
  readonly scope: Scope;
  readonly run: RunCall;
  contextFor(call: PreparedCall, scope: Scope): ToolContext;
  readonly trace: Trace;
};

type Slot = { readonly call: PreparedCall; readonly scope: Scope; state: SlotView["state"]; outcome: ToolOutcome | undefined };
type Board = { readonly slots: Slot[]; replyEnded: boolean; finished: boolean; started: boolean; readonly wakeup: Wakeup };

export function createTurnScheduler(deps: SchedulerDeps): TurnScheduler {
  const board: Board = { slots: [], replyEnded: false, finished: false, started: false, wakeup: createWakeup() };
  const advance = () => {
    startWhatCan(deps, board);
    board.wakeup.announce();
  };
  return {
    get started() {
      return board.started;
    },
    add(call) {
      if (board.finished || board.replyEnded) throw new Error("a call was added after the reply ended");
      board.slots.push({ call, scope: deps.scope.child(`call:${call.id}`), state: "queued", outcome: undefined });
      advance();
    },
    close() {
      board.replyEnded = true;
      advance();
    },
    abort(cause) {
      board.finished = true;
      board.replyEnded = true;
      for (const slot of board.slots) if (slot.outcome === undefined) slot.scope.abort(cause);
      advance();
    },
    discard() {
      if (board.started) throw new Error("a reply whose calls have started cannot be discarded");
      board.finished = true;
      for (const slot of board.slots.splice(0)) void slot.scope.close({ by: "watchdog" });
      board.wakeup.announce();
    },
    results: () => results(board),
  };
}

function startWhatCan(deps: SchedulerDeps, board: Board): void {
  let width = 0;
  for (let k = 0; k < board.slots.length; k++) {
    const slot = board.slots[k];
    const views = board.slots.map((each): SlotView => ({ state: each.state, concurrencySafe: each.call.traits.concurrencySafe }));
    if (slot === undefined || !canStart(views, k, board.replyEnded)) continue;
    board.started ||= slot.scope.cause === undefined;
    width += 1;
    void launch(deps, board, slot);
  }
  if (width > 0) deps.trace.emit({ name: "batch", width });
}

// `run` never rejects, so neither does this.
async function launch(deps: SchedulerDeps, board: Board, slot: Slot): Promise<void> {
  slot.state = "executing";
  const outcome = await deps.run(slot.call, deps.contextFor(slot.call, slot.scope));
  await slot.scope.close({ by: "shutdown" });
  slot.outcome = outcome;
  slot.state = "completed";
  if (outcome.status === "failed") skipLaterSiblings(deps, board, slot);
  startWhatCan(deps, board);
  board.wakeup.announce();
}

// A failing shell call skips the later shell calls of the same reply, nothing else (T8).
function skipLaterSiblings(deps: SchedulerDeps, board: Board, slot: Slot): void {
  const group = slot.call.tool?.siblingGroup;
  if (group === undefined) return;
  for (const later of board.slots.slice(board.slots.indexOf(slot) + 1)) {
    if (later.state !== "queued" || later.call.tool?.siblingGroup !== group || later.scope.cause !== undefined) continue;
    later.scope.abort({ by: "sibling", detail: "an earlier command of this reply failed" });
    deps.trace.emit({ name: "sibling_cancelled" });
  }
}

async function* results(board: Board): AsyncGenerator<ToolOutcome> {
  for (let k = 0; ; ) {
    const slot = board.slots[k];
    if (slot?.outcome !== undefined) {
      slot.state = "yielded";
      k += 1;
      yield slot.outcome;
    } else if (slot === undefined && (board.replyEnded || board.finished)) return;
    else await board.wakeup.next();
  }
}
