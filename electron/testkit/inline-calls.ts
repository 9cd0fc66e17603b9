// A worker's verbs served in the test's own thread: no isolation, no parallel work, values are shared and not cloned.
import type { Clock } from "#electron/lib/clock.ts";
import { connect, createServer, type Handlers, type Verbs, type WorkerCalls } from "#electron/lib/worker-call.ts";

export function createInlineCalls<V extends Verbs>(verbs: V, handlers: Handlers<V>, clock: Clock): WorkerCalls<V> {
  return connect(verbs, clock, (onAnswer) => {
    const serve = createServer(verbs, handlers, onAnswer);
    return { send: (request) => serve(request), busy: () => {}, end: async () => {} };
  });
}
