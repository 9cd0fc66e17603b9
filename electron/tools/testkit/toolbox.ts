// A workspace on disk and the file tools over it, run the way the pipeline does: parse, analyse, classify, call.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { contentText, type ModelContent } from "#shared/chat/blocks.ts";
import { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { TodoItem } from "#shared/loop/work-state.ts";
import type { FileIntent } from "#shared/tools/recovery.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope, type Scope } from "#electron/lib/scope.ts";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import type { CallTraits, Place, Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { extractPages } from "#electron/tools/builtin/read-pages.ts";
import { scalePicture } from "#electron/tools/builtin/scale-picture.ts";
import { classify } from "#electron/tools/classify.ts";
import { createFileTools, type FileToolsDeps } from "#electron/tools/file-tools.ts";
import { parseInput } from "#electron/tools/parse-input.ts";
import { createReadState, type ReadState } from "#electron/tools/read-state.ts";

export type Ran = { readonly returned: ToolReturn; readonly text: string; readonly traits: CallTraits; readonly facts: unknown };

export interface Toolbox {
  readonly dir: string;
  readonly outside: string;
  readonly place: Place;
  readonly tools: readonly Tool[];
  readonly deps: FileToolsDeps;
  readonly readState: ReadState;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly todos: readonly (readonly TodoItem[])[];
  readonly intended: readonly FileIntent[];
  readonly scope: Scope;
  tool(name: string): Tool;
  context(facts?: unknown): ToolContext;
  /** Analysis, then `between`, then the call; the text is what the model gets, the message when it failed. */
  run(name: string, input: unknown, between?: () => Promise<void>): Promise<Ran>;
  put(file: string, content: string | Uint8Array): Promise<string>;
  bytes(file: string): Promise<Buffer>;
  text(file: string): Promise<string>;
  close(): Promise<void>;
}

export async function openToolbox(change: Partial<FileToolsDeps> = {}): Promise<Toolbox> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "toolbox-")));
  const dir = path.join(root, "ws");
  const outside = path.join(root, "out");
  const home = path.join(root, "home");
  for (const folder of [dir, outside, home]) await mkdir(folder);
  const place: Place = { cwd: dir, home };
  const clock = createSystemClock();
  const scope = createScope("test");
  const readState = change.readState ?? createReadState();
  const blobs = new Map<string, Uint8Array>();
  const todos: (readonly TodoItem[])[] = [];
  const intended: FileIntent[] = [];
  const deps: FileToolsDeps = {
    readState,
    ripgrep: createRipgrep(ripgrepPath()),
    blobs: { put: async (bytes) => (blobs.set(`blob${blobs.size}`, bytes), `blob${blobs.size - 1}`) },
    onTodos: async (items) => void todos.push(items),
    intend: async (_call, files) => void intended.push(...files),
    scaleImage: scalePicture,
    readPdf: extractPages,
    ...change,
  };
  const tools = createFileTools(deps);
  const tool = (name: string): Tool => {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  const context = (facts?: unknown): ToolContext => ({
    session: SessionId.parse("s"),
    turn: TurnId.parse("t"),
    call: CallId.parse("c"),
    place,
    scope,
    clock,
    facts,
  });
  return {
    dir,
    outside,
    place,
    tools,
    deps,
    readState,
    blobs,
    todos,
    intended,
    scope,
    tool,
    context,
    async run(name, raw, between) {
      const parsed = parseInput(tool(name), raw);
      if (!parsed.ok)
        return {
          returned: { ok: false, failure: { kind: "invalid_input", retryable: true, message: parsed.error } },
          text: parsed.error,
          traits: classify(tool(name), {}, place, undefined),
          facts: undefined,
        };
      const facts = await tool(name)
        .analyse?.(parsed.value, place)
        .catch(() => undefined);
      const traits = classify(tool(name), parsed.value, place, facts);
      await between?.();
      const returned = await tool(name).call(parsed.value, context(facts), () => undefined);
      return { returned, text: textOf(returned), traits, facts };
    },
    async put(file, content) {
      const target = path.resolve(dir, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
      return target;
    },
    bytes: (file) => readFile(path.resolve(dir, file)),
    text: (file) => readFile(path.resolve(dir, file), "utf8"),
    async close() {
      await scope.close({ by: "shutdown" });
      await rm(root, { recursive: true, force: true });
    },
  };
}

function textOf(returned: ToolReturn): string {
  const content: ModelContent = returned.ok ? returned.forModel : [];
  return returned.ok ? contentText(content) : returned.failure.message;
}
