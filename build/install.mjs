// Makes sure that the packages of package-lock.json are there, with nothing but Node and npm at hand.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT, run } from "./process.mjs";

const INSTALL_MS = 900_000;
const OLDEST_NODE = [20, 11];

/**
 * Packages of the lock file that are not installed in that version. What is optional may be missing: it belongs to other platforms.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} lock package-lock.json
 * @param {{ packages: Record<string, { version?: string }> } | undefined} installed npm's own note in node_modules
 */
export function missingPackages(lock, installed) {
  const wanted = Object.entries(lock.packages).filter(([place, { optional, devOptional, link }]) => place !== "" && !optional && !devOptional && !link);
  return wanted.filter(([place, { version }]) => installed?.packages[place]?.version !== version).map(([place]) => place.replace(/^.*node_modules\//, ""));
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

export function isSupportedNode(version, oldest = OLDEST_NODE) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * Installs with `npm ci` when packages are missing or of another version. Says what it does on stderr.
 * Throws with the reason and the next step when it cannot.
 */
export async function ensureInstalled(root = ROOT) {
  if (!isSupportedNode(process.version))
    throw new Error(`Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.version}. Get one from https://nodejs.org and try again.`);
  const missing = missingPackages(readJson(path.join(root, "package-lock.json")), readJson(path.join(root, "node_modules/.package-lock.json")));
  if (missing.length === 0) return;
  process.stderr.write(`Installing packages (npm ci; ${missing.length} are missing or of another version) …\n`);
  const npm = process.env.npm_execpath;
  const [command, before] = npm?.endsWith(".js") ? [process.execPath, [npm]] : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const { code, stderr } = await run(command, [...before, "ci", "--no-audit", "--no-fund"], { cwd: root, timeoutMs: INSTALL_MS, show: "stderr" });
  if (code !== 0)
    throw new Error(
      `npm ci failed (${code}). ${/gyp ERR/.test(stderr) ? "node-pty could not be compiled: it needs python3, make and a C++ compiler." : "See the lines above."}`,
    );
}
