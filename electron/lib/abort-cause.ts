// Why a signal was aborted, as scopes say it.
import { AbortBy, type AbortCause } from "#shared/loop/turn-end.ts";

/** A reason that is no cause of ours counts as the person's wish. */
export function abortCauseOf(signal: AbortSignal): AbortCause {
  const reason: unknown = signal.reason;
  if (typeof reason !== "object" || reason === null || !("by" in reason)) return { by: "person" };
  const by = AbortBy.safeParse(reason.by);
  if (!by.success) return { by: "person" };
  return "detail" in reason && typeof reason.detail === "string" ? { by: by.data, detail: reason.detail } : { by: by.data };
}
