// Takes over the MessagePort that the preload script passes to the page (R1). Only a message of this very window counts.
import type { Transport } from "#shared/ipc/transport.ts";

const PORT_MESSAGE = "cairn-port";
/** Sent to the preload script once the page listens, so that the port cannot arrive too early. */
const READY_MESSAGE = "cairn-ready";

/** Resolves with the first port that arrives with a `cairn-port` message of this window. */
export function waitForPort(page: Window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent<unknown>): void => {
      const port = event.ports[0];
      if (event.source !== page || event.data !== PORT_MESSAGE || port === undefined) return;
      page.removeEventListener("message", onMessage);
      resolve(port);
    };
    page.addEventListener("message", onMessage);
    page.postMessage(READY_MESSAGE, page.location.origin === "null" ? "*" : page.location.origin);
  });
}

/** A MessagePort as transport; frames that come before `listen` wait in the port, because it is started there. */
export function portTransport(port: MessagePort): Transport {
  let onClosed: () => void = () => undefined;
  return {
    send: (frame) => port.postMessage(frame),
    listen: (onFrame, onClose) => {
      onClosed = onClose;
      port.addEventListener("message", (event: MessageEvent<unknown>) => onFrame(event.data));
      port.addEventListener("close", onClose);
      port.start();
    },
    close: () => {
      port.close();
      onClosed();
    },
  };
}
