// Worker thread that parses and analyses shell commands, so that no grammar runs on the main thread (P3, R2).
// workerData: { runtime, bash } = paths of web-tree-sitter.wasm and tree-sitter-bash.wasm.
import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { serveWorker } from "#electron/lib/worker-call.ts";
import { analyseCommand } from "#electron/permissions/shell/analyse.ts";
import { createParser } from "#electron/permissions/shell/parser.ts";
import { SHELL_VERBS } from "#electron/permissions/shell-verbs.ts";

const { runtime, bash } = z.object({ runtime: z.string(), bash: z.string() }).parse(workerData);
const parser = Promise.all([readFile(runtime), readFile(bash)]).then(([runtimeBytes, bashBytes]) => createParser({ runtime: runtimeBytes, bash: bashBytes }));

serveWorker(SHELL_VERBS, {
  analyse: async ({ command, cwd, home }) => analyseCommand(command, { cwd, home }, await parser),
});
