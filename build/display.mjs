// A display for windows: the person's own, or an Xvfb of ours on a free number that is ended by its pid.
import { spawn } from "node:child_process";

const START_MS = 15_000;
const SCREEN = "1920x1200x24";

/** Whether windows can be shown here without a virtual display. */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Starts an Xvfb that picks a free display number itself. Throws with the next step when there is none to start.
 * @returns {Promise<{ env: Record<string, string | undefined>, stop: () => void }>} `env` for the programs that shall use it
 */
export function startVirtualDisplay() {
  return new Promise((resolve, reject) => {
    // Xvfb writes the number it took to file descriptor 3.
    const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp", "-dpi", "96"], { stdio: ["ignore", "ignore", "pipe", "pipe"] });
    let said = "";
    const stop = () => void child.kill("SIGTERM");
    const timer = setTimeout(() => fail(new Error(`Xvfb did not start within ${START_MS / 1000} s. ${said}`)), START_MS);
    const fail = (error) => {
      clearTimeout(timer);
      stop();
      reject(error);
    };
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    child.once("error", () => fail(new Error("There is no display and no Xvfb to make one. Install it: apt-get install xvfb")));
    child.once("exit", (code) => fail(new Error(`Xvfb ended with ${code}. ${said}`)));
    child.stdio[3]?.once("data", (chunk) => {
      clearTimeout(timer);
      child.unref();
      process.once("exit", stop);
      resolve({ env: { DISPLAY: `:${String(chunk).trim()}`, WAYLAND_DISPLAY: undefined }, stop });
    });
  });
}

/** Runs `work` with the environment of a display: the present one, or a virtual one that ends afterwards. */
export async function withDisplay(work, { virtual = !hasDisplay() } = {}) {
  if (!virtual) return work({});
  const display = await startVirtualDisplay();
  try {
    return await work(display.env);
  } finally {
    display.stop();
  }
}
