// The measured part of shell-output.bench.mjs: one command through the product's runner; prints time, size and growth as JSON.
import { runnerImport } from "vite";

const [command, spoolFile] = process.argv.slice(2);
const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: "silent" })).module;

const { createShellRunner } = await load("electron/shells/create-runner.ts");
const { programOf } = await load("electron/shells/shell-program.ts");
const { createSystemClock } = await load("electron/lib/clock.ts");

const runner = createShellRunner({ clock: createSystemClock(), shell: programOf("/bin/bash"), environment: () => ({ PATH: process.env.PATH }) });
const runOnce = (text, file) => runner.run({ command: text, cwd: process.cwd(), timeoutMs: 600_000, spoolFile: file }, new AbortController().signal, () => {});
await runOnce("head -c 5000000 /dev/zero | tr '\\0' a", `${spoolFile}.warm`);
globalThis.gc?.();

const before = process.memoryUsage().rss;
let peak = before;
const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
const start = performance.now();
const outcome = await runOnce(command, spoolFile);
const ms = performance.now() - start;
clearInterval(watching);
await runner.close();
process.stdout.write(JSON.stringify({ ms, grownBytes: peak - before, total: outcome.result.totalBytes }));
