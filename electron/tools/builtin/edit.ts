// The edit tool (T13): exact text replaced in a file the model has read, on the version it read or merged onto a newer one.
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { NEW_FILE_FORMAT } from "#electron/lib/text-file.ts";
import { defineTool } from "#electron/tools/define.ts";
import { changeCard, type PlannedChange } from "./change-card.ts";
import { changedSinceRead, commitChange, encodeFor, isBinary, loadCurrent, neverRead, type ChangeDeps, type CurrentFile } from "./change-file.ts";
import { CHANGES_ONE_FILE } from "./declared.ts";
import { missingFile } from "./disk-failure.ts";
import type { EditIntent } from "./edit-intent.ts";
import { describeProblem } from "./edit-problem.ts";
import { fileDiff, unifiedText } from "./file-diff.ts";
import { EDIT_TEXT } from "./file-tools.text.ts";
import { mergeTexts } from "./merge-edit.ts";
import { type NamedFile, namedFile } from "./open-file.ts";
import { PathInput, settlePath } from "./path-facts.ts";
import { planEdit, type TextEdit } from "./plan-edit.ts";

const One = { old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() };
const Input = z
  .strictObject({
    file_path: PathInput,
    old_string: z.string().optional(),
    new_string: z.string().optional(),
    replace_all: z.boolean().optional(),
    edits: z.array(z.strictObject(One)).min(1).max(500).optional(),
  })
  .superRefine((input, cx) => {
    const single = input.old_string !== undefined || input.new_string !== undefined || input.replace_all !== undefined;
    if (input.edits !== undefined && single)
      cx.addIssue({ code: "custom", path: ["edits"], message: "give either edits or old_string and new_string, not both" });
    if (input.edits !== undefined) return;
    for (const field of ["old_string", "new_string"] as const) {
      if (input[field] === undefined)
        cx.addIssue({ code: "custom", path: [field], message: "expected a string, got nothing (required unless edits is given)" });
    }
  });
type Input = z.infer<typeof Input>;

export function createEditTool(deps: ChangeDeps): Tool {
  return defineTool({
    name: "edit",
    aliases: ["multi_edit", "multiedit", "edit_file", "replace", "str_replace", "search_replace"],
    schemaVersion: 1,
    input: Input,
    text: EDIT_TEXT,
    ...CHANGES_ONE_FILE,
    askCard: (input, place) => changeCard("edit_file", input.file_path, place, (file) => planOn(deps, file, editsOf(input))),
    call: (input, cx) => callEdit(deps, input, cx),
  });
}

function editsOf(input: Input): readonly TextEdit[] {
  return input.edits ?? [{ old_string: input.old_string ?? "", new_string: input.new_string ?? "", replace_all: input.replace_all }];
}

/** `before` and `after` are what is on the disk now and what will be; `merged`: somebody else's changes are in both. */
type Planned = PlannedChange & { readonly intent: EditIntent; readonly places: number; readonly merged: boolean };

async function planOn(deps: ChangeDeps, file: NamedFile, edits: readonly TextEdit[]): Promise<Result<Planned, ToolFailure>> {
  const loaded = await loadCurrent(file);
  if (!loaded.ok) return loaded;
  const current = loaded.value;
  if (current === undefined) return planNew(file, edits);
  if (current.text === undefined) return err(isBinary(file.shown));
  if (!current.exact)
    return err({
      kind: "tool_error",
      retryable: false,
      message: `Nothing was changed: some bytes of ${file.shown} fit no known encoding, so it cannot be written back without loss. Change it with a program that works on bytes, or tell the person.`,
    });
  const seen = deps.readState.seen(file.real);
  if (seen === undefined) return err(neverRead(file.shown));
  if (seen.hash === current.hash) return planPlaces(file, { current, base: current.text, baseHash: current.hash }, edits);
  const base = deps.readState.baseText(file.real);
  if (base === undefined) return err(changedSinceRead(file.shown, ""));
  return planMerged(file, { current, base, baseHash: seen.hash }, edits);
}

type Basis = { readonly current: CurrentFile; readonly base: string; readonly baseHash: string };

function planPlaces(file: NamedFile, { current, base, baseHash }: Basis, edits: readonly TextEdit[]): Result<Planned, ToolFailure> {
  const plan = planEdit(base, edits);
  if (!plan.ok) return err(describeProblem(plan.error, edits, file.shown));
  const { regions, text, replaced } = plan.value;
  return ok({
    current,
    intent: { path: file.real, baseHash, regions, newlines: "keep", mode: "keep" },
    before: base,
    after: text,
    places: replaced,
    merged: false,
  });
}

/** The places are found in the text that the model saw; what others changed since must lie elsewhere. */
function planMerged(file: NamedFile, basis: Basis, edits: readonly TextEdit[]): Result<Planned, ToolFailure> {
  const mine = planPlaces(file, basis, edits);
  if (!mine.ok) return err(changedSinceRead(file.shown, ""));
  const theirs = basis.current.text ?? "";
  const after = mergeTexts(basis.base, mine.value.after, theirs);
  if (after === undefined) return err(changedSinceRead(file.shown, "The changes touch the place that you want to edit. "));
  if (after === theirs) return err(changedSinceRead(file.shown, "It already holds what you want to write. "));
  return ok({ ...mine.value, before: theirs, after, merged: true });
}

async function planNew(file: NamedFile, edits: readonly TextEdit[]): Promise<Result<Planned, ToolFailure>> {
  const [only, ...others] = edits;
  if (only === undefined || others.length > 0 || only.old_string !== "") return err(await missingFile(file.real, file.shown, file.show));
  const regions = [{ start: 0, end: 0, old: "", new: only.new_string }];
  return ok({
    current: undefined,
    intent: { path: file.real, baseHash: undefined, regions, newlines: "as_given", mode: "keep" },
    before: "",
    after: only.new_string,
    places: 1,
    merged: false,
  });
}

async function callEdit(deps: ChangeDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const settled = await settlePath(input.file_path, cx, { looseName: false });
  if (!settled.ok) return { ok: false, failure: settled.error };
  const file = namedFile(settled.value.real, cx.place);
  const plan = await planOn(deps, file, editsOf(input));
  if (!plan.ok) return { ok: false, failure: plan.error };
  const { current, before, after } = plan.value;
  const bytes = encodeFor(file, after, current?.format ?? NEW_FILE_FORMAT);
  if (!bytes.ok) return { ok: false, failure: bytes.error };
  const complete = current === undefined || (deps.readState.seen(file.real)?.complete === true && !plan.value.merged);
  const written = await commitChange(deps, { call: cx.call, file, current, bytes: bytes.value });
  if (!written.ok) return { ok: false, failure: written.error };
  deps.readState.wrote(file.real, { hash: written.value, text: after, complete });
  const diff = fileDiff(file.shown, before, after);
  const text = [headline(file.shown, plan.value, diff), unifiedText(diff)].join("\n");
  return { ok: true, forModel: [{ type: "text", text }], view: { kind: "file_change", change: current === undefined ? "created" : "edited", diff } };
}

function headline(shown: string, plan: Planned, diff: { readonly added: number; readonly removed: number }): string {
  if (plan.current === undefined) return `Created ${shown} (${diff.added} lines).`;
  const places = plan.places === 1 ? "1 place" : `${plan.places} places`;
  const merged = plan.merged
    ? " The file had changed since you read it, in other places; those changes were kept. Read it again before you rely on the rest of it."
    : "";
  return `Edited ${shown} (${places}, +${diff.added} -${diff.removed}).${merged}`;
}
