// Runs the calls of one reply by the rule of can-start (T6, T7) and yields their outcomes in call order.
// One implementation for batch and streaming; no polling: every state change asks the rule again.
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { PreparedCall, RunCall } from "#electron/pipeline/contract.ts";
import type { ToolContext } from "#electron/tools/contract.ts";
import type { Trace } from "#electron/trace/contract.ts";
import { canStart } from "./can-start.ts";
import type { SlotView, TurnScheduler } from "./contract.ts";

export type SchedulerDeps = {
  readonly scope: Scope;
  readonly run: RunCall;
  contextFor(call: PreparedCall, scope: Scope): ToolContext;
  readonly trace: Trace;
};

type Slot = { readonly call: PreparedCall; readonly scope: Scope; state: SlotView["state"]; outcome: ToolOutcome | undefined };

export function createTurnScheduler(deps: SchedulerDeps): TurnScheduler {
  const slots: Slot[] = [];
  let replyEnded = false;
  let finished = false;
  let started = false;
  let wake: () => void = () => {};
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });

  const announce = () => {
    wake();
    changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const views = (): readonly SlotView[] => slots.map((slot) => ({ state: slot.state, concurrencySafe: slot.call.traits.concurrencySafe }));
  const launch = async (slot: Slot) => {
    slot.state = "executing";
    slot.outcome = await deps.run(slot.call, deps.contextFor(slot.call, slot.scope));
    slot.state = "completed";
    await slot.scope.close({ by: "shutdown" });
    skipLaterSiblings(slot);
    startWhatCan();
    announce();
  };
  // A failing shell call skips the later shell calls of the same reply, nothing else (T8).
  const skipLaterSiblings = (slot: Slot) => {
    const group = slot.call.tool?.siblingGroup;
    if (group === undefined || slot.outcome?.status !== "failed") return;
    for (const later of slots.slice(slots.indexOf(slot) + 1)) {
      if (later.state !== "queued" || later.call.tool?.siblingGroup !== group || later.scope.cause !== undefined) continue;
      later.scope.abort({ by: "sibling", detail: "an earlier command of this reply failed" });
      deps.trace.emit({ name: "sibling_cancelled" });
    }
  };
  const startWhatCan = () => {
    let width = 0;
    for (let k = 0; k < slots.length; k++) {
      const slot = slots[k];
      if (slot === undefined || !canStart(views(), k, replyEnded)) continue;
      started ||= slot.scope.cause === undefined;
      width += 1;
      void launch(slot);
    }
    if (width > 0) deps.trace.emit({ name: "batch", width });
  };
  async function* results(): AsyncGenerator<ToolOutcome> {
    for (let k = 0; ; ) {
      const slot = slots[k];
      if (slot?.outcome !== undefined) {
        slot.state = "yielded";
        k += 1;
        yield slot.outcome;
      } else if (slot === undefined && (replyEnded || finished)) return;
      else await changed;
    }
  }
  return {
    get started() {
      return started;
    },
    add(call) {
      if (finished || replyEnded) throw new Error("a call was added after the reply ended");
      slots.push({ call, scope: deps.scope.child(`call:${call.id}`), state: "queued", outcome: undefined });
      startWhatCan();
      announce();
    },
    close() {
      replyEnded = true;
      startWhatCan();
      announce();
    },
    abort(cause: AbortCause) {
      finished = true;
      replyEnded = true;
      for (const slot of slots) if (slot.outcome === undefined) slot.scope.abort(cause);
      startWhatCan();
      announce();
    },
    discard() {
      if (started) throw new Error("a reply whose calls have started cannot be discarded");
      finished = true;
      for (const slot of slots.splice(0)) void slot.scope.close({ by: "watchdog" });
      announce();
    },
    results,
  };
}
