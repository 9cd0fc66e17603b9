import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());

const cells = [
  { cell_type: "markdown", id: "m1", metadata: {}, source: ["# Title\n"] },
  {
    cell_type: "code",
    id: "c1",
    execution_count: 7,
    metadata: { scale: "KEEP" },
    outputs: [{ output_type: "stream", name: "stdout", text: ["1\n"] }],
    source: ["print(1)\n", "print(2)"],
  },
];
/** `1.0` and an odd key order would not survive being parsed and written again. */
const notebook = `${JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { version: "V" }, cells }, null, 1)
  .replace('"V"', "1.0")
  .replace('"KEEP"', "1.50")}\n`;
const edit = (input: object) => box.run("notebook_edit", { file_path: "n.ipynb", ...input });
const known = async (text = notebook) => {
  await box.put("n.ipynb", text);
  await box.run("read", { file_path: "n.ipynb" });
};
async function read() {
  const { text } = await box.run("read", { file_path: "n.ipynb" });
  return text.split("\n").slice(1).join("\n");
}

describe("notebook_edit", () => {
  it("replaces a cell, drops its old outputs, and keeps everything else byte for byte", async () => {
    await known();
    const ran = await edit({ cell: 2, new_source: "print(3)\nprint(4)" });
    const after = await box.text("n.ipynb");
    expect(ran.text).toMatch(/^Replaced cell 2 of n\.ipynb\./);
    expect(await read()).toBe("--- cell 1 (markdown id=m1) ---\n# Title\n\n--- cell 2 (code id=c1) ---\nprint(3)\nprint(4)");
    expect([after.includes('"version": 1.0'), after.includes('"scale": 1.50'), after.includes('"execution_count": null'), after.endsWith("}\n")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(after.slice(0, notebook.indexOf("execution_count"))).toBe(notebook.slice(0, notebook.indexOf("execution_count")));
  });

  it.each([
    [{ cell: 0, edit_mode: "insert", new_source: "first" }, /^--- cell 1 \(code id=[0-9a-f]{8}\) ---\nfirst\n--- cell 2 \(markdown/],
    [{ cell: 2, edit_mode: "insert", new_source: "*last*", cell_type: "markdown" }, /--- cell 3 \(markdown id=[0-9a-f]{8}\) ---\n\*last\*$/],
    [{ cell: 1, edit_mode: "delete" }, /^--- cell 1 \(code id=c1\) ---\nprint\(1\)/],
    [{ cell: 1, new_source: "x = 1", cell_type: "code" }, /^--- cell 1 \(code id=m1\) ---\nx = 1\n--- cell 2/],
    [{ cell: 2, new_source: "text", cell_type: "markdown" }, /--- cell 2 \(markdown id=c1\) ---\ntext$/],
  ])("%j", async (input, expected) => {
    await known();
    expect((await edit(input)).returned.ok).toBe(true);
    expect(await read()).toMatch(expected);
  });

  it("keeps CRLF, tabs and cells without names as they are", async () => {
    const old = JSON.stringify(
      { nbformat: 4, nbformat_minor: 2, metadata: {}, cells: [{ cell_type: "markdown", metadata: {}, source: [] }] },
      null,
      "\t",
    ).replaceAll("\n", "\r\n");
    await known(old);
    await edit({ cell: 1, edit_mode: "insert", new_source: "a" });
    const after = await box.text("n.ipynb");
    expect([after.replaceAll("\r\n", "").includes("\n"), /\r\n\t\t\{/.test(after), after.includes('"id"')]).toEqual([false, true, false]);
  });

  it("compare and swap as for every file", async () => {
    await box.put("n.ipynb", notebook);
    expect((await edit({ cell: 1, new_source: "x" })).text).toMatch(/have not read it/);
    await known();
    await box.put("n.ipynb", notebook.replace("Title", "Other"));
    expect((await edit({ cell: 1, new_source: "x" })).text).toMatch(/has changed since you read it/);
    expect(await box.text("n.ipynb")).toContain("Other");
    await known();
    expect([(await edit({ cell: 1, new_source: "x" })).returned.ok, (await edit({ cell: 1, new_source: "y" })).returned.ok]).toEqual([true, true]);
  });

  it("shows the person the change", async () => {
    await known();
    const input = { file_path: "n.ipynb", cell: 1, new_source: "x" };
    const tool = box.tool("notebook_edit");
    expect(await tool.askCard?.(input, box.place)).toMatchObject({
      verb: "edit_file",
      subject: "n.ipynb",
      detail: { kind: "diff", diff: { added: 1, removed: 1 } },
    });
    await box.put("n.ipynb", "{}");
    expect(await tool.askCard?.(input, box.place)).toEqual({
      verb: "edit_file",
      subject: "n.ipynb",
      detail: { kind: "path", path: path.join(box.dir, "n.ipynb") },
    });
  });

  it.each([
    [{ cell: 9, new_source: "x" }, /has 2 cells, so there is no cell 9/],
    [{ cell: 0, new_source: "x" }, /"cell": expected the number of a cell, from 1/],
    [{ cell: 1 }, /"new_source": expected a string, got nothing/],
    [{ cell: 1.5, new_source: "x" }, /whole number/],
    [{ cell: 1, new_source: "\0" }, /NUL/],
    [{ cell: 1, new_source: "x", edit_mode: "swap" }, /one of "replace", "insert", "delete"/],
    [{ cell: 1, new_source: "# Title\n" }, /no change to make/],
    [{ file_path: "gone.ipynb", cell: 1, new_source: "x" }, /gone\.ipynb does not exist/],
    [{ file_path: "plain.txt", cell: 1, new_source: "x" }, /not a Jupyter notebook/],
  ])("refuses %j and leaves the file", async (input, message) => {
    await known();
    await box.put("plain.txt", "{}");
    expect((await edit(input)).text).toMatch(message);
    expect(await box.text("n.ipynb")).toBe(notebook);
  });
});
