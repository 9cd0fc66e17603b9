// Hands the one port to the page and nothing else: no function, no channel, no Node (R1, G11).
import { ipcRenderer } from "electron";

const READY = "cairn-ready";
const PORT = "cairn-port";

window.addEventListener("message", (event) => {
  if (event.source === window && event.data === READY) ipcRenderer.send(READY);
});
ipcRenderer.on(PORT, (event) => {
  const ports: readonly unknown[] = event.ports;
  window.postMessage(PORT, "*", ports);
});
