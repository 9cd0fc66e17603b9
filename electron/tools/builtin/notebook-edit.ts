// The notebook_edit tool (T16): one cell of a Jupyter notebook changed, the rest of the file byte for byte as it was.
import { randomBytes } from "node:crypto";
import { applyEdits, modify, type JSONPath } from "jsonc-parser";
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { changeCard, type PlannedChange } from "./change-card.ts";
import { changedSinceRead, commitChange, encodeFor, loadCurrent, neverRead, type ChangeDeps, type CurrentFile } from "./change-file.ts";
import { CHANGES_ONE_FILE } from "./declared.ts";
import { missingFile } from "./disk-failure.ts";
import { fileDiff, unifiedText } from "./file-diff.ts";
import { NOTEBOOK_EDIT_TEXT } from "./file-tools.text.ts";
import { type NamedFile, namedFile } from "./open-file.ts";
import { PathInput, settlePath } from "./path-facts.ts";
import { parseJson } from "./parse-json.ts";
import { Notebook } from "./read-pages.ts";

const Input = z
  .strictObject({
    file_path: PathInput,
    cell: z.int().min(0).describe("Number as read shows it; insert puts the new cell after it, 0 = first"),
    new_source: z.string().optional(),
    cell_type: z.enum(["code", "markdown"]).optional(),
    edit_mode: z.enum(["replace", "insert", "delete"]).optional(),
  })
  .superRefine((input, cx) => {
    if (input.edit_mode !== "delete" && input.new_source === undefined)
      cx.addIssue({ code: "custom", path: ["new_source"], message: "expected a string, got nothing (required unless edit_mode is delete)" });
    if (input.edit_mode !== "insert" && input.cell === 0)
      cx.addIssue({ code: "custom", path: ["cell"], message: "expected the number of a cell, from 1, got number 0" });
  });
type Input = z.infer<typeof Input>;

export function createNotebookEditTool(deps: ChangeDeps): Tool {
  return defineTool({
    name: "notebook_edit",
    aliases: ["notebookedit", "edit_notebook"],
    schemaVersion: 1,
    input: Input,
    text: NOTEBOOK_EDIT_TEXT,
    ...CHANGES_ONE_FILE,
    askCard: (input, place) => changeCard("edit_file", input.file_path, place, (file) => planNotebook(deps, file, input)),
    call: (input, cx) => callNotebook(deps, input, cx),
  });
}

type Planned = PlannedChange & { readonly current: CurrentFile };

async function planNotebook(deps: ChangeDeps, file: NamedFile, input: Input): Promise<Result<Planned, ToolFailure>> {
  const loaded = await loadCurrent(file);
  if (!loaded.ok) return loaded;
  const current = loaded.value;
  if (current === undefined) return err(await missingFile(file.real, file.shown, file.show));
  const notebook = Notebook.safeParse(parseJson(current.text ?? ""));
  if (current.text === undefined || !notebook.success) return err(refused(`${file.shown} is not a Jupyter notebook of format 4. Change it with edit instead`));
  const seen = deps.readState.seen(file.real);
  if (seen === undefined) return err(neverRead(file.shown));
  if (seen.hash !== current.hash) return err(changedSinceRead(file.shown, ""));
  const { cells } = notebook.data;
  if (input.cell > cells.length)
    return err(refused(`${file.shown} has ${cells.length} cells, so there is no cell ${input.cell}. Read it again for the numbers`));
  const after = changeCells(current.text, input, cells[input.cell - 1]?.cell_type ?? "code");
  return after === current.text
    ? err(refused("The cell has exactly this content already, so there is no change to make"))
    : ok({ current, before: current.text, after });
}

function refused(message: string): ToolFailure {
  return { kind: "tool_error", retryable: true, message: `${message}. Nothing was changed.` };
}

function changeCells(text: string, input: Input, type: string): string {
  const at = input.cell - 1;
  switch (input.edit_mode ?? "replace") {
    case "delete":
      return put(text, ["cells", at], undefined);
    case "insert":
      return put(text, ["cells", at + 1], newCell(text, input), { insert: true });
    case "replace": {
      const wanted = input.cell_type ?? type;
      let next = put(text, ["cells", at, "source"], sourceLines(input.new_source ?? ""));
      if (wanted !== type) next = put(next, ["cells", at, "cell_type"], wanted);
      // What ran before was another source: its outputs would now be wrong.
      next = put(next, ["cells", at, "outputs"], wanted === "code" ? [] : undefined);
      return put(next, ["cells", at, "execution_count"], wanted === "code" ? null : undefined);
    }
  }
}

/** Notebooks keep the source as lines with their ends. */
function sourceLines(source: string): readonly string[] {
  return source === "" ? [] : source.split(/(?<=\n)/);
}

function newCell(text: string, input: Input): Readonly<Record<string, unknown>> {
  const type = input.cell_type ?? "code";
  const format = z.object({ nbformat_minor: z.number().catch(0) }).safeParse(parseJson(text));
  // Cells have names of their own since format 4.5.
  const id = format.success && format.data.nbformat_minor >= 5 ? { id: randomBytes(4).toString("hex") } : {};
  const code = type === "code" ? { execution_count: null, outputs: [] } : {};
  return { cell_type: type, ...id, metadata: {}, ...code, source: sourceLines(input.new_source ?? "") };
}

/** Changes this one value in the text; everything around it stays, down to its spaces. */
function put(text: string, path: JSONPath, value: unknown, options: { readonly insert?: boolean } = {}): string {
  const indent = /\n([ \t]+)/.exec(text)?.[1] ?? " ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: options.insert === true }));
}

async function callNotebook(deps: ChangeDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const settled = await settlePath(input.file_path, cx, { looseName: false });
  if (!settled.ok) return { ok: false, failure: settled.error };
  const file = namedFile(settled.value.real, cx.place);
  const plan = await planNotebook(deps, file, input);
  if (!plan.ok) return { ok: false, failure: plan.error };
  const { current, before, after } = plan.value;
  const bytes = encodeFor(file, after, current.format);
  const written = bytes.ok ? await commitChange(deps, { call: cx.call, file, current, bytes: bytes.value }) : bytes;
  if (!written.ok) return { ok: false, failure: written.error };
  deps.readState.wrote(file.real, { hash: written.value, text: after, complete: false });
  const diff = fileDiff(file.shown, before, after);
  const done = { replace: "Replaced", insert: "Inserted a cell after", delete: "Deleted" }[input.edit_mode ?? "replace"];
  return {
    ok: true,
    forModel: [{ type: "text", text: `${done} cell ${input.cell} of ${file.shown}. Later cells may have new numbers.\n${unifiedText(diff)}` }],
    view: { kind: "file_change", change: "edited", diff },
  };
}
