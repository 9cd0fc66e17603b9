// Checkpoints (DESIGN 8) against a tuned shadow repository of git on the same folder in the same run: the first protection, the next
// one after three changed files (told by the system, and found by a walk), going back over three files, and the size on disk.
import { randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";

export const name = "checkpoints against shadow git";

const MB = 1024 * 1024;
const ROUNDS = 7;
const FILES_A_FOLDER = 20;
const LIMITS = {
  maxFileBytes: 100 * MB,
  maxIgnoredFileBytes: MB,
  smallBlobBytes: 256 * 1024,
  chunkBytes: 128 * 1024,
  maxTextBytes: 2 * MB,
  diffTimeMs: 500,
  listedUncovered: 100,
  listedChanges: 1000,
  lockWaitMs: 10_000,
  maxStoreBytes: 2048 * MB,
  maxAgeMs: 1e12,
};
/** The folders of RIVALS E, and what DESIGN 8 asks there as a share of what git takes. */
const TREES = [
  { label: "10 000 files, 214 MB", files: 10_000, bytes: 9_400, binaries: 10, limits: { first: 0.6, told: 0.43, walk: 1.03, back: 0.69, size: 1.1 } },
  { label: "100 000 files", files: 100_000, bytes: 1_200, binaries: 0, limits: { first: 0.34, told: 0.13, walk: 1.76, back: 0.26, size: 1.1 } },
];
const WORDS =
  "const let function return import from export type readonly string number boolean await async if else for while new Map Set path line value".split(" ");

/** The same numbers each time. */
function createRandom() {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
}

function sourceText(random, length) {
  let text = "";
  while (text.length < length)
    text += `${WORDS[Math.floor(random() * WORDS.length)]}${random() < 0.15 ? "\n" : random() < 0.5 ? ` v${Math.floor(random() * 1e6)} ` : " "}`;
  return text;
}

const fileName = (n) => `src/m${Math.floor(n / 100)}/d${Math.floor(n / FILES_A_FOLDER) % 5}/f${n}.ts`;

async function makeTree(root, { files, bytes, binaries }) {
  const random = createRandom();
  for (let n = 0; n < files; n++) {
    const file = path.join(root, fileName(n));
    if (n % FILES_A_FOLDER === 0) await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, sourceText(random, Math.floor(bytes * (0.2 + 1.6 * random()))));
  }
  for (let n = 0; n < binaries; n++) await writeFile(path.join(root, `asset${n}.bin`), randomBytes(12 * MB));
}

async function sizeOf(folder) {
  let total = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    total += entry.isDirectory() ? await sizeOf(file) : (await stat(file)).size;
  }
  return total;
}

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
};

function createAsker(file, config) {
  const worker = new Worker(file);
  const waiting = new Map();
  let id = 0;
  worker.on("message", (message) => {
    if (message.kind === "progress") return;
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "done" && message.output?.ok !== false && message.output?.kind !== "failed") one.resolve(message.output);
    else one.reject(new Error(JSON.stringify(message)));
  });
  return {
    ask: (verb, input = {}) =>
      new Promise((resolve, reject) => {
        waiting.set((id += 1), { resolve, reject });
        worker.postMessage({ kind: "call", id, verb, input: { ...input, config } });
      }),
    end: () => worker.terminate(),
  };
}

/** @returns {Promise<{ first: number, told: number, walk: number, back: number, bytes: number }>} */
async function measureCairn(root, data, { out, quantile }) {
  const config = { root, folder: path.join(data, "store"), platform: process.platform, pid: process.pid, limits: LIMITS, excluded: [data] };
  const asker = createAsker(path.join(out, "workers/checkpoint-store.cjs"), config);
  let n = 0;
  const take = (kind) => asker.ask("take", { id: `m${(n += 1)}`, at: Date.now(), cause: { kind, label: "bench" }, session: "bench" });
  try {
    await asker.ask("open");
    const first = await timed(() => take("person"));
    const bytes = await sizeOf(data);
    const told = [];
    const walk = [];
    const back = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = n;
      await changeThree(root, `// told ${round}\n`);
      told.push((await timed(() => take("person"))).ms);
      const plan = { plan: `p${round}`, target: `m${start}`, scope: "files", session: "bench", exact: true, hunks: [], overwrite: [] };
      await asker.ask("plan", plan);
      back.push((await timed(() => asker.ask("apply", { plan: plan.plan, session: "bench", before: `m${(n += 1)}`, at: Date.now() }))).ms);
      await changeThree(root, `// walked ${round}\n`);
      // the start of a turn looks at everything
      walk.push((await timed(() => take("turn_start"))).ms);
    }
    return { first: first.ms, told: quantile(told, 0.5), walk: quantile(walk, 0.5), back: quantile(back, 0.5), bytes };
  } finally {
    await asker.ask("close");
    await asker.end();
  }
}

const THREE = [100, 5_045, 9_990].map(fileName);

async function changeThree(root, text) {
  for (const file of THREE) await appendFile(path.join(root, file), text);
}

const TUNED = [
  "core.compression=0",
  "core.fsync=none",
  "index.version=4",
  "core.untrackedCache=true",
  "gc.auto=0",
  "core.bigFileThreshold=1",
  "core.autocrlf=false",
];

async function measureGit(root, folder, { run, quantile }) {
  const git = async (...words) => {
    const args = [`--git-dir=${folder}`, `--work-tree=${root}`, ...TUNED.flatMap((setting) => ["-c", setting]), ...words];
    const { code, stdout, stderr } = await run("git", args, { cwd: root });
    if (code !== 0) throw new Error(`git ${words[0]}: ${stderr}`);
    return stdout.trim();
  };
  const first = await timed(async () => {
    await git("init", "-q");
    await git("add", "-A");
    await git("write-tree");
  });
  const bytes = await sizeOf(folder);
  const start = await git("write-tree");
  const told = [];
  const walk = [];
  const back = [];
  for (let round = 0; round < ROUNDS; round++) {
    await changeThree(root, `// git ${round}\n`);
    told.push((await timed(async () => (await git("add", "--", ...THREE), await git("write-tree")))).ms);
    await changeThree(root, `// git again ${round}\n`);
    walk.push((await timed(async () => (await git("add", "-A"), await git("write-tree")))).ms);
    back.push((await timed(() => git("read-tree", "--reset", "-u", start))).ms);
  }
  return { first: first.ms, told: quantile(told, 0.5), walk: quantile(walk, 0.5), back: quantile(back, 0.5), bytes };
}

async function measureTree(tree, tools) {
  const base = await mkdtemp(path.join(os.tmpdir(), "cairn-bench-"));
  const root = path.join(base, "project");
  try {
    await mkdir(root);
    await makeTree(root, tree);
    await sizeOf(root);
    const cairn = await measureCairn(root, path.join(base, "data"), tools);
    const git = await measureGit(root, path.join(base, "shadow.git"), tools);
    const row = (what, key, limit, unit = "ms") => ({
      what: `${tree.label}: ${what}`,
      unit,
      value: cairn[key],
      reference: { what: "git", value: git[key] },
      limit,
    });
    return [
      row("first protection", "first", tree.limits.first),
      row("next, told what changed", "told", tree.limits.told),
      row("next, verified by a walk", "walk", tree.limits.walk),
      row("going back over 3 files", "back", tree.limits.back),
      row("store", "bytes", tree.limits.size, "bytes"),
    ];
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

export async function run(tools) {
  const rows = [];
  for (const tree of TREES) rows.push(...(await measureTree(tree, tools)));
  return rows;
}
