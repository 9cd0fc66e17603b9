// The desktop app: one instance, one window, the engine's services behind one port.
import "#electron/app/polyfills.ts";
import { join } from "node:path";
import { app, type BrowserWindow, Menu, nativeTheme, net, session } from "electron";
import { createAttentionDesktop } from "#electron/app/attention-desktop.ts";
import { giveContextMenu } from "#electron/app/context-menu.ts";
import { createDesktop } from "#electron/app/desktop.ts";
import { createKeyVault } from "#electron/app/key-vault.ts";
import { launchArgs, linkIn } from "#electron/app/launch-args.ts";
import { setMenu } from "#electron/app/menu.ts";
import { type AppTexts, appTexts } from "#electron/app/menu-texts.ts";
import { offerPorts } from "#electron/app/port.ts";
import { declareScheme, servePages } from "#electron/app/protocol.ts";
import { createWindow } from "#electron/app/window.ts";
import { createWindowCommands } from "#electron/app/window-commands.ts";
import { readWindowState, watchWindowState, type WindowStateKeeper } from "#electron/app/window-state.ts";
import type { AttentionDesktop } from "#electron/bridge/contract.ts";
import type { CommandId } from "#shared/commands/commands.ts";
import { commandOfLink, type WindowCommand } from "#shared/commands/window-command.ts";
import type { Settings } from "#shared/settings/settings.ts";
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

const commands = createWindowCommands();
let window: BrowserWindow | undefined;
let services: Promise<Services> | undefined;
let keeper: WindowStateKeeper | undefined;
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
  const heed = (settings: Settings) => {
    nativeTheme.themeSource = settings.theme;
    applyZoom(settings.zoom);
    session.defaultSession.setSpellCheckerEnabled(settings.spellCheck);
    const run = (id: CommandId) => commands.send({ kind: "command", id });
    setMenu({ texts: appTexts(settings.language, app.getLocale()), keys: settings.keys, platform: process.platform, run });
  };
  heed(made.settings.current());
  made.settings.follow(heed);
  const { watchAttention } = await import("#electron/boot/attention.ts");
  watchAttention({ sessions: made.sessions, settings: made.settings.current, desktop: attentionDesktop(made), clock: createSystemClock() });
  return made;
}

/** A page that is still loading would begin at its own size again. */
function applyZoom(percent: number): void {
  const page = window?.webContents;
  const apply = () => page?.setZoomFactor(percent / 100);
  if (page?.isLoading() === true) page.once("did-finish-load", apply);
  apply();
}

function textsOf(made: Services): AppTexts {
  return appTexts(made.settings.current().language, app.getLocale());
}

function attentionDesktop(made: Services): AttentionDesktop {
  return createAttentionDesktop({
    window: () => window,
    texts: () => textsOf(made),
    open(id) {
      focusWindow();
      commands.send({ kind: "open_session", session: id, link: false });
    },
  });
}

function followLink(command: WindowCommand | undefined): void {
  focusWindow();
  if (command !== undefined) commands.send(command);
}

async function openWindow(): Promise<void> {
  servePages(join(OUT, "renderer"));
  const stateFile = join(data, "window.json");
  // The real menu comes with the settings; until then there is none rather than Electron's own.
  if (process.platform !== "darwin") Menu.setApplicationMenu(null);
  window = createWindow({ preload: join(OUT, "preload", "index.cjs"), icon: undefined, state: await readWindowState(stateFile), devUrl: args.devUrl });
  keeper = watchWindowState(window, stateFile);
  services = startServices();
  services.catch((error: unknown) => report(`the engine did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
  services.then((made) => window !== undefined && giveContextMenu(window, () => textsOf(made).menu)).catch(() => {});
  followLink(linkIn(process.argv));
  const desktop = createDesktop(() => window, args, commands);
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
  await keeper?.keep();
  await services?.then((made) => made.close()).catch((error: unknown) => report(`closing failed: ${String(error)}`));
  app.exit(0);
}

if (app.requestSingleInstanceLock()) {
  process.on("uncaughtException", (error) => report(`uncaught: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (reason) => report(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`));
  app.on("second-instance", (_event, argv) => followLink(linkIn(argv)));
  app.on("open-url", (event, url) => {
    event.preventDefault();
    followLink(commandOfLink(url));
  });
  // Only an installed app may say to the system that such links are its own.
  if (app.isPackaged) app.setAsDefaultProtocolClient("cairn");
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
