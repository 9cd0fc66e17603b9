// Worker thread that parses and analyses shell commands, so that no grammar runs on the main thread (P3, R2).
// workerData: { wasm } = folder with web-tree-sitter.wasm and tree-sitter-bash.wasm.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { serveWorker } from "#electron/lib/worker-call.ts";
import { analyseCommand } from "#electron/permissions/shell/analyse.ts";
import { createParser } from "#electron/permissions/shell/parser.ts";
import { SHELL_VERBS } from "#electron/permissions/shell-verbs.ts";

const { wasm } = z.object({ wasm: z.string() }).parse(workerData);
const read = (name: string) => readFile(join(wasm, name));
const parser = Promise.all([read("web-tree-sitter.wasm"), read("tree-sitter-bash.wasm")]).then(([runtime, bash]) => createParser({ runtime, bash }));

serveWorker(SHELL_VERBS, {
  analyse: async ({ command, cwd, home }) => analyseCommand(command, { cwd, home }, await parser),
});
