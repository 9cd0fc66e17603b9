// The one place where a turn gets its end (L24). Idempotent; the cause is taken in fixed order:
// set explicitly, abort, step limit, error.
import type { AbortCause, Notice, TurnEnd } from "#shared/loop/turn-end.ts";
import type { EndCore, LoopState } from "./contract.ts";
import { notice } from "./notices.ts";

export interface Finaliser {
  /** The first one counts. */
  set(end: EndCore): void;
  /** the step limit was reached; `end` counts if nothing above it in the order speaks */
  stepLimit(end: EndCore): void;
  /** something threw: a bug of ours */
  error(error: unknown): void;
  /** The turn's end; later calls give the same. */
  result(state: LoopState): TurnEnd;
}

export type FinaliserDeps = {
  /** why the turn's scope was aborted, if it was */
  cause(): AbortCause | undefined;
  /** what the end says beside its cause (L16) */
  facts(): readonly Notice[];
};

export function createFinaliser({ cause, facts }: FinaliserDeps): Finaliser {
  let explicit: EndCore | undefined;
  let limit: EndCore | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let ended: TurnEnd | undefined;

  const core = (): EndCore => {
    const aborted = cause();
    if (explicit !== undefined) return explicit;
    if (aborted !== undefined) return { why: "aborted", abortedBy: aborted.by, notice: notice("stopped"), action: "none" };
    if (limit !== undefined) return limit;
    // Nothing said, nothing thrown: whoever consumed the turn let go of it.
    if (thrown === undefined) return { why: "aborted", abortedBy: "shutdown", notice: notice("stopped"), action: "none" };
    const detail = thrown.error instanceof Error ? thrown.error.message : String(thrown.error);
    return { why: "failed", notice: notice("internal_error"), action: "retry", detail };
  };
  return {
    set(end) {
      explicit ??= end;
    },
    stepLimit(end) {
      limit ??= end;
    },
    error(error) {
      thrown ??= { error };
    },
    result(state) {
      if (ended !== undefined) return ended;
      const end = core();
      const all = [...(end.facts ?? []), ...facts()];
      ended = { ...end, steps: state.step, requests: state.requests, lostSteps: state.lostSteps, ...(all.length === 0 ? {} : { facts: all }) };
      return ended;
    },
  };
}
