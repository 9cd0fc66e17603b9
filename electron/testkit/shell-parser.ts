// The shell grammar from node_modules, for tests that analyse without a worker.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createParser } from "#electron/permissions/shell/parser.ts";
import type { Parse } from "#electron/permissions/shell/tree.ts";

const resolve = createRequire(import.meta.url).resolve;

/** Paths of the two WebAssembly files as they lie in node_modules. */
export const SHELL_WASM = { runtime: resolve("web-tree-sitter/web-tree-sitter.wasm"), bash: resolve("tree-sitter-bash/tree-sitter-bash.wasm") };

export async function loadShellParser(): Promise<Parse> {
  const [runtime, bash] = await Promise.all([readFile(SHELL_WASM.runtime), readFile(SHELL_WASM.bash)]);
  return createParser({ runtime, bash });
}
