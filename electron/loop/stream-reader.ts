// Reads a provider's stream one event at a time without ever being blocked by it: the next event is asked for only when the last
// one was taken (back-pressure, L1), and a stream that hangs or throws cannot hold or break the loop.
import type { ModelEvent, ProviderFailure } from "#electron/providers/contract.ts";
import type { Bell } from "./bell.ts";

export type Taken = { readonly kind: "nothing" } | { readonly kind: "event"; readonly event: ModelEvent } | { readonly kind: "over" };

export interface StreamReader {
  take(): Taken;
  /** Lets go of the stream without waiting for it. */
  drop(): void;
}

const NOTHING: Taken = { kind: "nothing" };
const OVER: Taken = { kind: "over" };

/** An exception out of `stream` is a bug of the adapter; it is told as one failure. */
function brokenAdapter(error: unknown): ProviderFailure {
  const words = error instanceof Error ? error.message : String(error);
  return { kind: "protocol", retryable: false, code: "adapter_threw", message: `internal error in the provider adapter: ${words}` };
}

export function createStreamReader(open: () => AsyncIterable<ModelEvent>, bell: Bell): StreamReader {
  let iterator: AsyncIterator<ModelEvent> | undefined;
  let ready: Taken = NOTHING;
  let dropped = false;

  const arrived = (taken: Taken) => {
    ready = taken;
    bell.ring();
  };
  const failed = (error: unknown) => arrived({ kind: "event", event: { type: "failed", failure: brokenAdapter(error) } });
  const ask = () => {
    try {
      iterator ??= open()[Symbol.asyncIterator]();
      iterator.next().then((next) => arrived(next.done === true ? OVER : { kind: "event", event: next.value }), failed);
    } catch (error) {
      failed(error);
    }
  };
  ask();
  return {
    take() {
      const taken = ready;
      if (taken.kind !== "event" || dropped) return taken;
      ready = NOTHING;
      if (taken.event.type !== "stopped" && taken.event.type !== "failed") ask();
      return taken;
    },
    drop() {
      dropped = true;
      try {
        iterator?.return?.().then(undefined, () => {});
      } catch {
        // an iterator whose return throws has nothing left to give
      }
    },
  };
}
