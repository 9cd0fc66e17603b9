// Makes sure that the packages of package-lock.json are there, with nothing but Node and npm at hand.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT, run } from "./process.mjs";

const INSTALL_MS = 900_000;
const OLDEST_NODE = [20, 11];
const MARK = "node_modules/.cache/cairn/lock-hash";

const lockHash = (root) =>
  createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");

/** What to do, from facts alone. A folder installed by hand (no mark yet) is taken as it is. */
export function planInstall({ installed, mark, lock }) {
  if (!installed) return "install";
  return mark === undefined || mark === lock ? "keep" : "install";
}

export function isSupportedNode(version, oldest = OLDEST_NODE) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

function writeMark(root) {
  const file = path.join(root, MARK);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lockHash(root));
}

/**
 * Installs with `npm ci` when packages are missing or the lock file has changed. Says what it does on stderr.
 * Throws with the reason and the next step when it cannot.
 */
export async function ensureInstalled(root = ROOT) {
  if (!isSupportedNode(process.version))
    throw new Error(`Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.version}. Get one from https://nodejs.org and try again.`);
  const markFile = path.join(root, MARK);
  const mark = existsSync(markFile) ? readFileSync(markFile, "utf8") : undefined;
  const installed = existsSync(path.join(root, "node_modules/.package-lock.json"));
  if (planInstall({ installed, mark, lock: lockHash(root) }) === "keep") {
    if (mark === undefined) writeMark(root);
    return;
  }
  process.stderr.write("Installing packages (npm ci) …\n");
  const npm = process.env.npm_execpath;
  const [command, before] = npm?.endsWith(".js") ? [process.execPath, [npm]] : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const { code, stderr } = await run(command, [...before, "ci", "--no-audit", "--no-fund"], { cwd: root, timeoutMs: INSTALL_MS, show: "stderr" });
  if (code !== 0)
    throw new Error(
      `npm ci failed (${code}). ${/gyp ERR/.test(stderr) ? "node-pty could not be compiled: it needs python3, make and a C++ compiler." : "See the lines above."}`,
    );
  writeMark(root);
}
