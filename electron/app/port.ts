// One port per page load, given only to the main frame of our own page (G11); a reload ends the old one.
import { ipcMain, MessageChannelMain, type BrowserWindow, type MessagePortMain } from "electron";
import type { Transport } from "#shared/ipc/transport.ts";
import { isOwnPage } from "./window.ts";

const READY = "cairn-ready";
const PORT = "cairn-port";

/** Calls `connect` for each page load with its transport; what it answers is disposed when the page goes. */
export function offerPorts(window: BrowserWindow, devUrl: string | undefined, connect: (transport: Transport) => Disposable): void {
  let current: { readonly service: Disposable; readonly port: MessagePortMain } | undefined;
  const end = () => {
    current?.service[Symbol.dispose]();
    current?.port.close();
    current = undefined;
  };
  const onReady = (event: Electron.IpcMainEvent) => {
    const frame = event.senderFrame;
    if (event.sender !== window.webContents || frame === null || frame !== window.webContents.mainFrame || !isOwnPage(frame.url, devUrl)) return;
    end();
    const { port1, port2 } = new MessageChannelMain();
    current = { service: connect(portTransport(port1)), port: port1 };
    window.webContents.postMessage(PORT, null, [port2]);
  };
  ipcMain.on(READY, onReady);
  window.webContents.on("render-process-gone", end);
  window.on("closed", () => {
    ipcMain.removeListener(READY, onReady);
    end();
  });
}

function portTransport(port: MessagePortMain): Transport {
  return {
    send: (frame) => port.postMessage(frame),
    listen(onFrame, onClose) {
      port.on("message", (event) => onFrame(event.data));
      port.on("close", onClose);
      port.start();
    },
    close: () => port.close(),
  };
}
