// npm run build: makes out/ from the sources, unless it is up to date already.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureInstalled } from "./install.mjs";
import { main, ROOT } from "./process.mjs";

export const OUT = path.join(ROOT, "out");
const stampOf = (out) => path.join(out, "build-stamp");
const INPUT_FOLDERS = ["shared", "electron", "renderer"];
const INPUT_FILES = ["package.json", "package-lock.json", "tsconfig.json", "build/build.mjs", "build/targets.mjs", "build/icons/icon.png"];
const NOT_INPUT = new Set(["testkit", "node_modules", "README.md"]);
const IS_TEST = /\.test\.tsx?$/;

function collect(folder, lines) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_INPUT.has(entry.name) || IS_TEST.test(entry.name)) continue;
    const full = `${folder}/${entry.name}`;
    if (entry.isDirectory()) collect(full, lines);
    else lines.push(lineOf(full));
  }
}

function lineOf(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

/** Changes when any file does that the build reads. Names, sizes and times only, so that it costs a few milliseconds. */
export function fingerprint(root = ROOT) {
  const lines = [];
  for (const folder of INPUT_FOLDERS) if (existsSync(`${root}/${folder}`)) collect(`${root}/${folder}`, lines);
  for (const file of INPUT_FILES) if (existsSync(`${root}/${file}`)) lines.push(lineOf(`${root}/${file}`));
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

/** Whether out/ was made from the sources as they are. */
export function isBuilt(out = OUT, root = ROOT) {
  const stamp = stampOf(out);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(root);
}

async function buildNode(vite, program, out) {
  const { nodeConfig } = await import("./targets.mjs");
  await vite.build(nodeConfig(program, out));
  if (program.banner) await chmod(path.join(out, program.folder, "index.cjs"), 0o755);
}

/** Copies what goes along unchanged. Nothing is optional: a missing file would be missed only when someone needs it. */
export async function copyFiles(out) {
  const { COPIES } = await import("./targets.mjs");
  for (const [from, to] of COPIES) {
    await rm(path.join(out, to), { recursive: true, force: true });
    await mkdir(path.dirname(path.join(out, to)), { recursive: true });
    await cp(path.join(ROOT, from), path.join(out, to), { recursive: true });
  }
}

/** A sandboxed preload can load nothing but Electron: whatever else slipped in would only fail when a window opens. */
async function checkPreload(out) {
  const file = path.join(out, "preload/index.cjs");
  const required = [...(await readFile(file, "utf8")).matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) => name);
  const foreign = required.filter((name) => !["electron", "events", "timers", "url"].includes(name));
  if (foreign.length > 0) throw new Error(`The preload script may only use Electron, but it loads ${foreign.join(", ")}.`);
}

/** Builds everything into `out`. Vite's own output goes to stderr, so that stdout stays the caller's. */
export async function buildAll(out = OUT) {
  const started = performance.now();
  const before = fingerprint();
  await rm(stampOf(out), { force: true });
  const vite = await import("vite");
  const { nodePrograms, pageConfig } = await import("./targets.mjs");
  await undisturbed(async () => {
    for (const program of nodePrograms()) await buildNode(vite, program, out);
    await vite.build(await pageConfig(out));
  });
  await copyFiles(out);
  await checkPreload(out);
  await writeFile(stampOf(out), before);
  process.stderr.write(`build: done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Vite talks to stdout and makes the whole process a production one; neither must outlive the build. */
async function undisturbed(work) {
  const { log, info } = console;
  const { NODE_ENV } = process.env;
  console.log = console.error;
  console.info = console.error;
  try {
    await work();
  } finally {
    console.log = log;
    console.info = info;
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** One build at a time: a second starter waits for the first and then finds nothing left to do. */
async function locked(work) {
  await mkdir(OUT, { recursive: true });
  const { default: lockfile } = await import("proper-lockfile");
  const release = await lockfile.lock(OUT, { stale: 30_000, update: 5_000, retries: { retries: 240, factor: 1, minTimeout: 500, maxTimeout: 500 } });
  try {
    await work();
  } finally {
    await release();
  }
}

/** Builds when needed. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await locked(async () => {
    if (isBuilt()) return;
    process.stderr.write("build: sources have changed, building …\n");
    await buildAll();
  });
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    await ensureInstalled();
    if (process.argv.includes("--if-needed")) await ensureBuilt();
    else await locked(() => buildAll());
  });
