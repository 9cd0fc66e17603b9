// Finds the Electron to run, in this order: the folder named by ELECTRON_OVERRIDE_DIST_PATH, the pinned package's own binary, its
// official download, the old fallback runtime from the package registry. Which step comes next is a pure function of what is known.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { cacheRoot, FALLBACK, fallbackDist, installFallback, isComplete } from "./electron-fallback.mjs";
import { ROOT, run } from "./process.mjs";

const PROBE_MS = 3_000;
const DOWNLOAD_MS = 300_000;
/** So long a failed download is not tried again: a network that swallows packets would cost seconds at every start. */
const REMEMBER_FAILURE_MS = 3_600_000;

const END_OF_LIFE = [
  `NOTICE: using Electron ${FALLBACK.version} from the package registry. It is past its END OF LIFE: Chromium 114 with known`,
  "vulnerabilities. Use it for tests and offline trials only, never for a release or on pages you do not trust.",
].join("\n");

/** Where the executable lies inside a distribution folder. */
export function executableIn(dist, platform = process.platform) {
  if (platform === "darwin") return path.join(dist, "Electron.app/Contents/MacOS/Electron");
  return path.join(dist, platform === "win32" ? "electron.exe" : "electron");
}

/**
 * @typedef {object} Facts
 * @property {{ dist: string, hasBinary: boolean } | undefined} override what ELECTRON_OVERRIDE_DIST_PATH names
 * @property {{ dist: string, version: string, distVersion: string | undefined, hasBinary: boolean }} pinned the installed package
 * @property {string} download `untried`, `switched_off`, `failed_lately` or `failed`
 * @property {string} downloadReason why it failed or was not tried
 * @property {boolean} allowFallback
 * @property {string} platform as in `linux-x64`
 * @property {string} fallback `untried` or `failed`
 * @property {string} fallbackReason
 * @property {string | undefined} fallbackDist the runtime in the cache
 *
 * @typedef {{ kind: "use", dist: string, source: "override" | "pinned" | "fallback" } | { kind: "download" } | { kind: "fallback" } | { kind: "fail", why: string }} Step
 */

/** The next step. Pure: called again after each step with what was learned. @param {Facts} facts @returns {Step} */
export function nextStep(facts) {
  const { override, pinned } = facts;
  if (override !== undefined) {
    if (override.hasBinary) return { kind: "use", dist: override.dist, source: "override" };
    return { kind: "fail", why: `ELECTRON_OVERRIDE_DIST_PATH is ${override.dist}, but there is no Electron in it. Correct the path or unset the variable.` };
  }
  if (pinned.hasBinary && pinned.distVersion === pinned.version) return { kind: "use", dist: pinned.dist, source: "pinned" };
  if (facts.download === "untried") return { kind: "download" };
  return fallbackStep(facts);
}

/** @param {Facts} facts @returns {Step} */
function fallbackStep(facts) {
  const missing = `Electron ${facts.pinned.version} is not there and its download ${facts.downloadReason}.`;
  const out = "Run `node node_modules/electron/install.js` on an open network, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with Electron.";
  if (!facts.allowFallback) return { kind: "fail", why: `${missing} The old fallback runtime is not good enough here. ${out}` };
  if (facts.platform !== FALLBACK.platform)
    return { kind: "fail", why: `${missing} There is a fallback only for ${FALLBACK.platform}, this is ${facts.platform}. ${out}` };
  if (facts.fallbackDist !== undefined) return { kind: "use", dist: facts.fallbackDist, source: "fallback" };
  if (facts.fallback === "failed") return { kind: "fail", why: `${missing} The fallback failed as well: ${facts.fallbackReason}. ${out}` };
  return { kind: "fallback" };
}

/** Host and port that the official download starts at. */
export function downloadHost(env) {
  const mirror = env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror;
  if (!mirror || !URL.canParse(mirror)) return { host: "github.com", port: 443 };
  const url = new URL(mirror);
  return { host: url.hostname, port: Number(url.port) || (url.protocol === "http:" ? 80 : 443) };
}

const hasProxy = (env) => ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "ELECTRON_GET_USE_PROXY"].some((name) => env[name]);

/** Undefined when the host answers, otherwise why not. Bounded, so that a network that swallows packets does not hold us up. */
export function probe({ host, port }, ms = PROBE_MS) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: ms });
    const finish = (reason) => {
      socket.destroy();
      resolve(reason);
    };
    const timer = setTimeout(() => finish(`cannot reach ${host} within ${ms} ms`), ms);
    socket.once("connect", () => finish(undefined));
    socket.once("timeout", () => finish(`cannot reach ${host} within ${ms} ms`));
    socket.once("error", (error) => finish(`cannot reach ${host} (${String("code" in error ? error.code : error.message)})`));
    socket.once("close", () => clearTimeout(timer));
  });
}

const failureMark = (env) => path.join(cacheRoot(env), "download-failed");

async function failedLately(env) {
  const mark = await stat(failureMark(env)).catch(() => undefined);
  return mark !== undefined && Date.now() - mark.mtimeMs < REMEMBER_FAILURE_MS;
}

/** Runs Electron's own installer. Undefined when it worked, otherwise why not. */
async function download(env, root) {
  const unreachable = hasProxy(env) ? undefined : await probe(downloadHost(env));
  if (unreachable !== undefined) return unreachable;
  const { code, timedOut, stderr } = await run(process.execPath, ["install.js"], {
    cwd: path.join(root, "node_modules/electron"),
    timeoutMs: DOWNLOAD_MS,
    env,
  });
  if (code === 0) return undefined;
  return timedOut ? `took longer than ${DOWNLOAD_MS / 1000} s` : (/\w*Error: .*/.exec(stderr)?.[0] ?? `ended with ${code}`);
}

const textOf = (file) => (existsSync(file) ? readFileSync(file, "utf8").trim().replace(/^v/, "") : undefined);

function readPinned(root) {
  const folder = path.join(root, "node_modules/electron");
  const dist = path.join(folder, "dist");
  return {
    dist,
    version: JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")).version,
    distVersion: textOf(path.join(dist, "version")),
    hasBinary: existsSync(executableIn(dist)),
  };
}

function readOverride(env) {
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH;
  return dist ? { dist, hasBinary: existsSync(executableIn(dist)) } : undefined;
}

/** A failure is remembered only where the fallback can stand in; without it the download is always tried. */
async function firstDownloadState(env, allowFallback) {
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD) return { download: "switched_off", downloadReason: "is switched off by ELECTRON_SKIP_BINARY_DOWNLOAD" };
  if (allowFallback && (await failedLately(env)))
    return { download: "failed_lately", downloadReason: `failed less than an hour ago (remove ${failureMark(env)} to try again)` };
  return { download: "untried", downloadReason: "" };
}

/** What the steps do; the test gives its own. */
export function realActs(env = process.env, root = ROOT) {
  return {
    facts: async (allowFallback) => ({
      override: readOverride(env),
      pinned: readPinned(root),
      ...(await firstDownloadState(env, allowFallback)),
      allowFallback,
      platform: `${process.platform}-${process.arch}`,
      fallback: "untried",
      fallbackReason: "",
      fallbackDist: isComplete(fallbackDist(env)) ? fallbackDist(env) : undefined,
    }),
    download: async () => {
      const why = await download(env, root);
      await mkdir(cacheRoot(env), { recursive: true });
      if (why === undefined) await rm(failureMark(env), { force: true });
      else await writeFile(failureMark(env), why);
      return { why, pinned: readPinned(root) };
    },
    fallback: () => installFallback(env),
    say: (text) => void process.stderr.write(`${text}\n`),
  };
}

async function tryDownload(facts, acts) {
  acts.say(`Downloading Electron ${facts.pinned.version} …`);
  const { why, pinned } = await acts.download();
  const reason = why ?? "left no working binary behind";
  return { ...facts, pinned, download: "failed", downloadReason: `failed: ${reason}` };
}

async function tryFallback(facts, acts) {
  acts.say(`Electron ${facts.pinned.version} cannot be had (its download ${facts.downloadReason}). Fetching the fallback runtime from the package registry …`);
  try {
    return { ...facts, fallbackDist: await acts.fallback() };
  } catch (error) {
    return { ...facts, fallback: "failed", fallbackReason: error.message };
  }
}

/**
 * The Electron to run.
 * @param {{ allowFallback?: boolean, acts?: ReturnType<typeof realActs> }} [options] `allowFallback: false` for anything that is handed out
 * @returns {Promise<{ executable: string, dist: string, version: string | undefined, source: "override" | "pinned" | "fallback" }>} Throws with the reason and a way out.
 */
export async function resolveElectron({ allowFallback = true, acts = realActs() } = {}) {
  let facts = await acts.facts(allowFallback);
  for (;;) {
    const step = nextStep(facts);
    if (step.kind === "fail") throw new Error(step.why);
    if (step.kind === "use") {
      if (step.source === "fallback") acts.say(END_OF_LIFE);
      return { executable: executableIn(step.dist), dist: step.dist, version: textOf(path.join(step.dist, "version")), source: step.source };
    }
    facts = step.kind === "download" ? await tryDownload(facts, acts) : await tryFallback(facts, acts);
  }
}

/** Chromium refuses to run as root with its sandbox on; everyone else keeps it. */
export const sandboxArgs = (uid = process.getuid?.()) => (uid === 0 ? ["--no-sandbox"] : []);

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(JSON.stringify(await resolveElectron({ allowFallback: !process.argv.includes("--no-fallback") })));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
