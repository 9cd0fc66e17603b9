// Output of a command (DESIGN 8): 100 MB through the terminal against a plain reader in C on a pty in the same run, and the memory the
// app grows by. CAIRN_BENCH_LONG=1 adds 2 GB.
import { mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export const name = "shell output against a C reader on a pty";

const MB = 1_000_000;
const ROUNDS = 5;
const C_READER = `#include <pty.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int c, char **v) {
  int m; static char b[65536]; long n = 0; ssize_t r;
  if (!forkpty(&m, 0, 0, 0)) { execlp("bash", "bash", "-c", v[1], NULL); _exit(1); }
  while ((r = read(m, b, sizeof b)) > 0) n += r;
  wait(0);
  printf("%ld\\n", n);
}
`;

/** Lines of text, as a build prints them. */
async function makeText(file, bytes) {
  const block = Buffer.from(`0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/=-._\n`.repeat(15_000)).subarray(0, MB);
  const handle = await open(file, "w");
  for (let at = 0; at < bytes; at += block.length) await handle.write(block);
  await handle.close();
}

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
};

/** Runs the command through the product's own runner in a process of its own, and tells time and peak memory. */
async function measureCairn(command, dir, { run, root }) {
  const { code, stdout, stderr } = await run(process.execPath, [path.join(root, "build/bench/shell-output-child.mjs"), command, path.join(dir, "spool.txt")], {
    cwd: root,
  });
  if (code !== 0) throw new Error(`the runner failed: ${stderr}`);
  return JSON.parse(stdout);
}

async function measure(label, bytes, limits, tools) {
  const dir = await mkdtemp(path.join(os.tmpdir(), "cairn-bench-shell-"));
  try {
    const text = path.join(dir, "text.txt");
    await makeText(text, bytes);
    await writeFile(path.join(dir, "reader.c"), C_READER);
    const reader = path.join(dir, "reader");
    const compiled = await tools.run("cc", ["-O2", "-o", reader, `${reader}.c`, "-lutil"], { cwd: dir });
    if (compiled.code !== 0) throw new Error(`a C compiler is needed: ${compiled.stderr}`);
    const command = `cat ${text}`;
    const cairn = [];
    const c = [];
    const grown = [];
    for (let round = 0; round < limits.rounds; round++) {
      c.push((await timed(() => tools.run(reader, [command], { cwd: dir }))).ms);
      const { ms, grownBytes, total } = await measureCairn(command, dir, tools);
      const { size } = await stat(path.join(dir, "spool.txt"));
      if (total < bytes || size !== total) throw new Error("output was lost");
      cairn.push(ms);
      grown.push(grownBytes / MB);
    }
    return [
      { what: `${label}: time`, unit: "ms", value: tools.quantile(cairn, 0.5), reference: { what: "C reader", value: tools.quantile(c, 0.5) }, limit: 1.2 },
      { what: `${label}: memory added`, unit: "MB", value: tools.quantile(grown, 0.5), reference: { what: "budget", value: limits.memory }, limit: 1 },
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export async function run(tools) {
  if (!tools.onLinux) return [];
  const rows = await measure("100 MB", 100 * MB, { rounds: ROUNDS, memory: 30 }, tools);
  return process.env.CAIRN_BENCH_LONG === "1" ? [...rows, ...(await measure("2 GB", 2_000 * MB, { rounds: 1, memory: 50 }, tools))] : rows;
}
