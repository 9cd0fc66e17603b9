// Scheduling of the calls of one reply (T6, T7). Batch is "add all, then close"; streaming adds while the reply flows.
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { PreparedCall } from "#electron/pipeline/contract.ts";

export interface TurnScheduler {
  add(call: PreparedCall): void;
  /** the reply has ended well: calls that may write can start */
  close(): void;
  /** true once any call has started: the reply is committed (DESIGN decision C) */
  readonly started: boolean;
  /** stops running calls; those that never started get an "aborted" outcome, so that each added call has one */
  abort(cause: AbortCause): void;
  /** the attempt is dropped before any call started: queued calls vanish without a result (L22); throws if one has started */
  discard(): void;
  /** outcomes in call order, one per added call; ends when closed or aborted and all are settled */
  results(): AsyncIterable<ToolOutcome>;
}

export interface SlotView {
  readonly state: "queued" | "executing" | "completed" | "yielded";
  readonly concurrencySafe: boolean;
}

export type KeySet = { readonly shared: readonly string[]; readonly alone: readonly string[] };

/** `withoutSlot`: it only waits for the person, so it must not keep others from running (DESIGN decision A). */
export type Entry = KeySet & { readonly withoutSlot?: boolean };

/** Conflict keys held across all loops on one folder: shared by readers, alone by writers (T6). */
export interface Admission {
  /** Resolves when pool slot and keys are held; rejects never; answers undefined when the signal aborted first. */
  enter(keys: Entry, signal: AbortSignal): Promise<Disposable | undefined>;
}
