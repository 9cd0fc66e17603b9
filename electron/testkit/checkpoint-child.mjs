// A process of its own that holds a folder's checkpoints through the built worker, to be killed in the middle of its work.
// Standard input: one JSON line per question {verb, input}; standard output: one JSON line per answer.
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

const worker = new Worker(process.argv[2]);
let id = 0;
worker.on("message", (message) => {
  if (message.kind !== "progress") process.stdout.write(`${JSON.stringify(message)}\n`);
});
createInterface({ input: process.stdin }).on("line", (line) => {
  const { verb, input } = JSON.parse(line);
  worker.postMessage({ kind: "call", id: (id += 1), verb, input: { ...input, config: { ...input.config, pid: process.pid } } });
});
