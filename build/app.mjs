// What start, demo, pictures, bench and test have in common: packages, system packages, a build and an Electron.
import { ensureBuilt } from "./build.mjs";
import { hasDisplay } from "./display.mjs";
import { resolveElectron, sandboxArgs } from "./electron-path.mjs";
import { ensureInstalled } from "./install.mjs";
import { isInstalled, runBin } from "./process.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

/** Installs what is missing. The compiler is wanted only where node-pty has still to be built. */
export async function prepare({ virtualDisplay = !hasDisplay() } = {}) {
  await ensureSystemPackages({ virtualDisplay, compiler: !isInstalled() });
  await ensureInstalled();
}

/** Installs and builds for the headless command, which needs neither a window nor an Electron. */
export async function prepareHeadless() {
  await ensureInstalled();
  await ensureBuilt();
}

/** Builds when needed and finds the Electron to run. */
export async function ready() {
  await ensureBuilt();
  return resolveElectron();
}

/** The environment by which the stories find the app. */
export const appEnv = (electron) => ({
  CAIRN_ELECTRON: electron.executable,
  ELECTRON_OVERRIDE_DIST_PATH: electron.dist,
  CAIRN_ELECTRON_ARGS: sandboxArgs().join(" "),
});

/**
 * Runs stories through the window on the display of `env`; their output is passed on as it comes.
 * @param {readonly string[]} args
 * @param {{ electron: { executable: string, dist: string }, env: Record<string, string | undefined>, timeoutMs: number, reporter: string }} options
 */
export function runStories(args, { electron, env, timeoutMs, reporter }) {
  return runBin("@playwright/test", ["test", "--config", "build/playwright.config.mjs", `--reporter=${reporter}`, ...args], {
    command: "playwright",
    // The app under test shall see the environment of a person, not our wish for plain output.
    env: { NO_COLOR: undefined, ...env, ...appEnv(electron) },
    timeoutMs,
    show: true,
  });
}
