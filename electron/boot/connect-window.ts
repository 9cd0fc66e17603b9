// Joins one page to the services: the contract is served on its port until the page goes.
import { contract } from "#shared/ipc/contract.ts";
import { serve } from "#shared/ipc/server.ts";
import type { Transport } from "#shared/ipc/transport.ts";
import type { AppFacts, Desktop } from "#electron/bridge/contract.ts";
import { createHandlers } from "#electron/bridge/handlers.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import type { Report } from "./report.ts";
import type { Services } from "./contract.ts";

export type WindowConnection = {
  readonly services: Promise<Services> | undefined;
  readonly transport: Transport;
  readonly desktop: Desktop;
  readonly facts: Omit<AppFacts, "keyStore">;
  readonly report: Report;
};

/** Frames that come before the services are there wait in the port. */
export function connectWindow({ services, transport, desktop, facts, report }: WindowConnection): Disposable {
  let served: Disposable | undefined;
  let gone = false;
  void services?.then(
    (made) => {
      if (gone) return;
      const handlers = createHandlers({ ...made, desktop, facts: { ...facts, keyStore: made.keyStore } }, createSystemClock());
      served = serve(contract, handlers, transport, { newAbort, report });
    },
    () => transport.close(),
  );
  return {
    [Symbol.dispose]() {
      gone = true;
      served?.[Symbol.dispose]();
    },
  };
}

function newAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
