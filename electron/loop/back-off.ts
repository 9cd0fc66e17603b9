// The pause between two attempts (L20, L21): ends at once on abort or when the person wants to try now.
import type { AgentTime } from "#electron/ladder/agent-time.ts";
import type { LoopDeps } from "./contract.ts";

/** Resolves with the ms really slept. */
export async function backOff(ms: number, deps: Pick<LoopDeps, "clock" | "scope" | "onRetryNow">, time: AgentTime): Promise<number> {
  const { clock, scope } = deps;
  const cut = new AbortController();
  const onAbort = () => cut.abort();
  if (scope.signal.aborted) cut.abort();
  else scope.signal.addEventListener("abort", onAbort, { once: true });
  const retryNow = deps.onRetryNow?.(() => cut.abort());
  const begun = clock.monotonic();
  try {
    await clock.sleep(ms, cut.signal);
    time.paused(ms, begun);
    return clock.monotonic() - begun;
  } finally {
    scope.signal.removeEventListener("abort", onAbort);
    retryNow?.[Symbol.dispose]();
  }
}
