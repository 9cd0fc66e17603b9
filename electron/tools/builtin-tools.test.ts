// Over all file tools: declarations, names, sizes, stable bytes. Guards what a new tool must not break (T1, T2, T20).
import { describe, expect, it } from "vitest";
import { openAllTools } from "#electron/testkit/all-tools.ts";
import { BUILTIN_ORDER } from "./builtin-order.ts";
import { createReadState } from "./read-state.ts";
import { cacheOrderFaults, declarationFaults, type Example } from "#electron/tools/testkit/declarations.ts";
import { definitionsOf } from "./definitions.ts";
import { createFileTools } from "./file-tools.ts";
import { createRegistry } from "./registry.ts";
import { isRecord } from "./schema.ts";

const MAX_DEFINITION_BYTES = 6_000;
const place = { cwd: "/ws", home: "/home/u" };
const facts = { absolute: "/ws/a", real: "/ws/a", lookAlikes: [] };

function make() {
  return createFileTools({
    readState: createReadState(),
    ripgrep: { run: async () => ({ kind: "aborted" }) },
    blobs: { put: async () => "ref" },
    onTodos: async () => undefined,
    intend: async () => undefined,
    scaleImage: async () => undefined,
    readPdf: async () => ({ total: 0, pages: [] }),
    web: { fetch: globalThis.fetch, lookup: async () => [] },
  });
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  read: { input: { file_path: "a" }, place, facts },
  write: { input: { file_path: "a", content: "x" }, place, facts },
  edit: { input: { file_path: "a", old_string: "x", new_string: "y" }, place, facts },
  ls: { input: {}, place, facts },
  glob: { input: { pattern: "*" }, place, facts },
  grep: { input: { pattern: "x" }, place, facts },
  todo_write: { input: { todos: [] }, place },
  web_fetch: { input: { url: "https://example.com" }, place },
  notebook_edit: { input: { file_path: "a.ipynb", cell: 1, new_source: "" }, place, facts },
};

describe("the file tools", () => {
  it("are declared whole and without contradictions", () => {
    expect(declarationFaults(make(), EXAMPLES)).toEqual([]);
  });

  it("have the names and parameters that models know (T20)", () => {
    const parameters = definitionsOf(createRegistry(make())).map(({ name, schema }) => [
      name,
      isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [],
      schema["required"],
    ]);
    expect(parameters).toEqual([
      ["read", ["file_path", "offset", "limit"], ["file_path"]],
      ["write", ["file_path", "content"], ["file_path", "content"]],
      ["edit", ["file_path", "old_string", "new_string", "replace_all", "edits"], ["file_path"]],
      ["ls", ["path"], undefined],
      ["glob", ["pattern", "path"], ["pattern"]],
      ["grep", ["pattern", "path", "glob", "case_insensitive", "context", "output_mode", "head_limit"], ["pattern"]],
      ["todo_write", ["todos"], ["todos"]],
      ["web_fetch", ["url"], ["url"]],
      ["notebook_edit", ["file_path", "cell", "new_source", "cell_type", "edit_mode"], ["file_path", "cell"]],
    ]);
  });

  it("stand with all other tools at fixed places, under names of their own, with the same bytes on every build", async () => {
    const [one, two] = [await openAllTools(), await openAllTools()];
    expect(cacheOrderFaults(one.tools, two.tools)).toEqual([]);
    expect(declarationFaults(one.tools, {}).filter((fault) => !fault.includes("one example input"))).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  it("keep their places in what is sent: names are only ever appended (T2)", () => {
    const sentSoFar = "read write edit ls glob grep bash bash_output bash_input bash_kill todo_write ask_user web_fetch task plan_exit hypothesis goal";
    const more = "tool_search skill notebook_edit";
    expect(BUILTIN_ORDER.join(" ").startsWith(`${sentSoFar} ${more}`), "a place in BUILTIN_ORDER moved: that breaks the provider's cache; append instead").toBe(
      true,
    );
  });

  it("are found by the names that other agents use", () => {
    const registry = createRegistry(make());
    const asked = {
      Read: "read",
      read_file: "read",
      Write: "write",
      write_file: "write",
      Edit: "edit",
      MultiEdit: "edit",
      replace: "edit",
      LS: "ls",
      list_directory: "ls",
      Glob: "glob",
      Grep: "grep",
      search_file_content: "grep",
      TodoWrite: "todo_write",
      WebFetch: "web_fetch",
      NotebookEdit: "notebook_edit",
    };
    expect(Object.fromEntries(Object.keys(asked).map((name) => [name, registry.find(name)?.name]))).toEqual(asked);
  });

  it("give the same bytes on every build, within their budget", () => {
    const [one, two] = [JSON.stringify(definitionsOf(createRegistry(make()))), JSON.stringify(definitionsOf(createRegistry([...make()].reverse())))];
    expect(one).toBe(two);
    expect(one).not.toContain("$schema");
    expect(Buffer.byteLength(one)).toBeLessThan(MAX_DEFINITION_BYTES);
  });
});
