// Nothing that a call waits for may outlive its abort: a tool, a disk or a hook that hangs is left behind, and the call gets its result.
import type { PipelineDeps } from "./deps.ts";

/** What `work` gives; undefined when it has not ended `abortGraceMs` after the abort. Rejects as it does. */
export async function orGiveUp<T>(work: Promise<T>, deps: Pick<PipelineDeps, "clock" | "abortGraceMs">, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  let onAbort = () => {};
  const gaveUp = new Promise<undefined>((resolve) => {
    onAbort = () => void deps.clock.sleep(deps.abortGraceMs, done.signal).then(() => resolve(undefined));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, gaveUp]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    done.abort();
    work.catch(() => {}); // a late rejection of what was given up has no reader
  }
}
