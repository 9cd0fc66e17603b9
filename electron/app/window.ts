// The window: sandboxed, isolated, going nowhere and opening nothing by itself (R1, G05).
import { BrowserWindow, nativeTheme, type Session, session } from "electron";
import { HOME_URL } from "./protocol.ts";
import type { WindowState } from "./window-state.ts";

const WIDTH = 1280;
const HEIGHT = 800;
const LEAST_WIDTH = 720;
const LEAST_HEIGHT = 480;
const MOST_CRASHES = 5;
const PAPER = { light: "#faf8f5", dark: "#191715" };

export type WindowOptions = {
  readonly preload: string;
  readonly icon: string | undefined;
  /** where it stood last time */
  readonly state: WindowState | undefined;
  /** dev server of the page; the built page otherwise */
  readonly devUrl: string | undefined;
};

export function createWindow(options: WindowOptions): BrowserWindow {
  denyEverything(session.defaultSession);
  const window = new BrowserWindow({
    ...(options.state?.bounds ?? { width: WIDTH, height: HEIGHT }),
    autoHideMenuBar: true,
    minWidth: LEAST_WIDTH,
    minHeight: LEAST_HEIGHT,
    show: false,
    title: "Cairn",
    backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
    ...(options.icon === undefined ? {} : { icon: options.icon }),
    webPreferences: { preload: options.preload, sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: true },
  });
  const { webContents } = window;
  const home = options.devUrl ?? HOME_URL;
  webContents.setWindowOpenHandler(() => ({ action: "deny" }));
  webContents.on("will-navigate", (event) => event.preventDefault());
  // Chromium does not ask before it shows about:blank: the way back instead. It gets no port there (see port.ts).
  webContents.on("did-navigate", (_event, url) => void (isOwnPage(url, options.devUrl) || window.loadURL(home)));
  webContents.on("will-attach-webview", (event) => event.preventDefault());
  bringBack(window);
  if (options.state?.maximized === true) window.maximize();
  if (options.state?.fullScreen === true) window.setFullScreen(true);
  window.once("ready-to-show", () => window.show());
  void window.loadURL(home);
  return window;
}

/** A crashed page is loaded again: its sessions live in this process and went on (R2). A page that keeps crashing is left alone. */
function bringBack(window: BrowserWindow): void {
  let crashes = 0;
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    crashes += 1;
    if (crashes <= MOST_CRASHES) window.webContents.reload();
  });
}

/** Whether a page is ours: the built one or the dev server's. */
export function isOwnPage(url: string, devUrl: string | undefined): boolean {
  return url.startsWith(HOME_URL) || (devUrl !== undefined && url.startsWith(devUrl));
}

function denyEverything(own: Session): void {
  own.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === "clipboard-sanitized-write"));
  own.setPermissionCheckHandler((_contents, permission) => permission === "clipboard-sanitized-write");
  own.on("will-download", (event) => event.preventDefault());
}
