// Preloaded into a measured process: how late its event loop came to its turns, in ms, written at the exit to the file LOOP_DELAY_FILE.
// The loading of the program itself is left out, nobody waits for anything then.
const { monitorEventLoopDelay } = require("node:perf_hooks");
const { writeFileSync } = require("node:fs");

const STARTED_AFTER_MS = 400;
const RESOLUTION_MS = 5;
const PER_MS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
setTimeout(() => delay.enable(), STARTED_AFTER_MS).unref();
process.on("exit", () => {
  const of = (p) => Math.max(0, delay.percentile(p) / PER_MS - RESOLUTION_MS);
  writeFileSync(process.env.LOOP_DELAY_FILE, JSON.stringify({ p99: of(99), max: of(100) }));
});
