// The desktop app: one instance, one window, the engine's services behind one port.
import "#electron/app/polyfills.ts";
import { join } from "node:path";
import { app, type BrowserWindow, Menu, nativeTheme, net } from "electron";
import { createDesktop } from "#electron/app/desktop.ts";
import { createKeyVault } from "#electron/app/key-vault.ts";
import { launchArgs } from "#electron/app/launch-args.ts";
import { offerPorts } from "#electron/app/port.ts";
import { declareScheme, servePages } from "#electron/app/protocol.ts";
import { createWindow } from "#electron/app/window.ts";
import { homeFolder } from "#electron/lib/home-folder.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { dataFolder } from "#electron/boot/data-folder.ts";
import { createReporter } from "#electron/boot/report.ts";
import type { Services } from "#electron/boot/contract.ts";

const OUT = join(__dirname, "..");
const QUIT_GRACE_MS = 8_000;

const args = launchArgs(process.argv, process.env);
const data = dataFolder({
  platform: process.platform,
  home: homeFolder(),
  environment: process.env,
  override: args.dataDir ?? process.env["CAIRN_DATA_DIR"],
  cwd: process.cwd(),
});
const report = createReporter(join(data, "logs", "main.log"), homeFolder());
app.setPath("userData", data);
app.setName("Cairn");
declareScheme();

let window: BrowserWindow | undefined;
let services: Promise<Services> | undefined;
let quitting = false;

function focusWindow(): void {
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** The engine is loaded after the window began to load, so that the first paint does not wait for it. */
async function startServices(): Promise<Services> {
  const { createServices } = await import("#electron/boot/services.ts");
  const made = await createServices({
    dataDir: data,
    out: OUT,
    environment: process.env,
    home: homeFolder(),
    platform: process.platform,
    face: { kind: "window" },
    vault: createKeyVault(),
    fetch: (input, init) => net.fetch(input instanceof Request ? input : String(input), init),
    report,
  });
  nativeTheme.themeSource = made.settings.current().theme;
  made.settings.follow((settings) => {
    nativeTheme.themeSource = settings.theme;
  });
  return made;
}

async function openWindow(): Promise<void> {
  servePages(join(OUT, "renderer"));
  if (process.platform !== "darwin") Menu.setApplicationMenu(null);
  window = createWindow({ preload: join(OUT, "preload", "index.cjs"), icon: undefined, devUrl: args.devUrl });
  services = startServices();
  services.catch((error: unknown) => report(`the engine did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
  const desktop = createDesktop(() => window, args.pickFolder);
  const facts = {
    platform: process.platform,
    version: app.getVersion(),
    electron: process.versions.electron ?? "",
    systemLanguage: app.getLocale(),
    home: homeFolder(),
    dataFolder: data,
  };
  const { connectWindow } = await import("#electron/boot/connect-window.ts");
  offerPorts(window, args.devUrl, (transport) => connectWindow({ services, transport, desktop, facts, report }));
  window.on("closed", () => {
    window = undefined;
  });
}

/** Everything that was started is ended before the app goes; a second request does not skip it. */
async function shutDown(): Promise<void> {
  using _deadline = createSystemClock().schedule(QUIT_GRACE_MS, () => app.exit(0));
  await services?.then((made) => made.close()).catch((error: unknown) => report(`closing failed: ${String(error)}`));
  app.exit(0);
}

if (app.requestSingleInstanceLock()) {
  process.on("uncaughtException", (error) => report(`uncaught: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (reason) => report(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`));
  app.on("second-instance", focusWindow);
  app.on("window-all-closed", () => app.quit());
  app.on("before-quit", (event) => {
    event.preventDefault();
    if (quitting) return;
    quitting = true;
    void shutDown();
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => app.quit());
  void app.whenReady().then(openWindow);
} else {
  app.exit(0);
}
