// The built-in tools over files, made for one session. This is the only place that knows which powers each of them needs.
import type { TodoItem } from "#shared/loop/work-state.ts";
import type { AtomicDisk } from "#electron/lib/atomic-file.ts";
import type { Ripgrep } from "#electron/lib/ripgrep.ts";
import { createEditTool } from "#electron/tools/builtin/edit.ts";
import { createGlobTool } from "#electron/tools/builtin/glob.ts";
import { createGrepTool } from "#electron/tools/builtin/grep.ts";
import { createLsTool } from "#electron/tools/builtin/ls.ts";
import { createNotebookEditTool } from "#electron/tools/builtin/notebook-edit.ts";
import { createReadTool, type ReadDeps } from "#electron/tools/builtin/read.ts";
import { createSweeper, type ChangeDeps } from "#electron/tools/builtin/change-file.ts";
import { createTodoWriteTool } from "#electron/tools/builtin/todo-write.ts";
import { createWebFetchTool, type WebFetchDeps } from "#electron/tools/builtin/web-fetch.ts";
import { createWriteTool } from "#electron/tools/builtin/write.ts";
import type { Tool } from "./contract.ts";

export type FileToolsDeps = ReadDeps & {
  readonly ripgrep: Ripgrep;
  /** keeps the to-do list; resolves when it is kept */
  readonly onTodos: (items: readonly TodoItem[]) => Promise<void>;
  /** keeps what a call is about to write; resolves when it is kept (S2) */
  readonly intend: ChangeDeps["intend"];
  /** the disk that changes are written to; the real one unless a test gives another */
  readonly disk?: AtomicDisk;
  /** the way to the web; without it there is no web_fetch */
  readonly web?: WebFetchDeps;
};

/** read, write, edit, ls, glob, grep, todo_write, web_fetch, notebook_edit. One set per session, because of what the model has read. */
export function createFileTools(deps: FileToolsDeps): readonly Tool[] {
  const change = { readState: deps.readState, sweep: createSweeper(), intend: deps.intend, ...(deps.disk === undefined ? {} : { disk: deps.disk }) };
  return [
    createReadTool(deps),
    createWriteTool(change),
    createEditTool(change),
    createLsTool(),
    createGlobTool(deps),
    createGrepTool(deps),
    createTodoWriteTool(deps),
    ...(deps.web === undefined ? [] : [createWebFetchTool(deps.web)]),
    createNotebookEditTool(change),
  ];
}
