// The scheduling rule, pure (T6, T7).
import type { SlotView } from "./contract.ts";

/**
 * Whether call `k` may start now. Once the reply has ended this equals greedy consecutive partitioning into parallel
 * batches; before that only concurrency-safe calls start.
 */
export function canStart(calls: readonly SlotView[], k: number, replyEnded: boolean): boolean {
  const me = calls[k];
  if (me?.state !== "queued" || !(replyEnded || me.concurrencySafe)) return false;
  return calls.slice(0, k).every((earlier) => earlier.state === "completed" || earlier.state === "yielded" || (earlier.concurrencySafe && me.concurrencySafe));
}
