// The write tool (T13): a new file, or the whole content of one that the model has read.
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { lineEndingOf, NEW_FILE_FORMAT, type TextFormat } from "#electron/lib/text-file.ts";
import { defineTool } from "#electron/tools/define.ts";
import { said } from "./answers.ts";
import { changeCard, type PlannedChange } from "./change-card.ts";
import { changedSinceRead, commitChange, encodeFor, isBinary, loadCurrent, neverRead, readInPart, type ChangeDeps, type CurrentFile } from "./change-file.ts";
import { CHANGES_ONE_FILE } from "./declared.ts";
import type { EditIntent } from "./edit-intent.ts";
import { fileDiff, unifiedText } from "./file-diff.ts";
import { WRITE_TEXT } from "./file-tools.text.ts";
import { type NamedFile, namedFile } from "./open-file.ts";
import { PathInput, settlePath } from "./path-facts.ts";

const Input = z.strictObject({ file_path: PathInput, content: z.string() });
type Input = z.infer<typeof Input>;

export function createWriteTool(deps: ChangeDeps): Tool {
  return defineTool({
    name: "write",
    aliases: ["write_file", "create_file", "write_to_file"],
    schemaVersion: 1,
    input: Input,
    text: WRITE_TEXT,
    ...CHANGES_ONE_FILE,
    askCard: (input, place) => changeCard("overwrite_file", input.file_path, place, (file) => planWrite(file, input.content)),
    call: (input, cx) => callWrite(deps, input, cx),
  });
}

type Planned = PlannedChange & { readonly format: TextFormat; readonly intent: EditIntent };

async function planWrite(file: NamedFile, content: string): Promise<Result<Planned, ToolFailure>> {
  const loaded = await loadCurrent(file);
  if (!loaded.ok) return loaded;
  const current = loaded.value;
  if (current === undefined) return ok(planned(file, undefined, content, NEW_FILE_FORMAT));
  if (current.text === undefined) return err(isBinary(file.shown));
  return ok(planned(file, current, likeBefore(content, current.text, current.format), current.format));
}

function planned(file: NamedFile, current: CurrentFile | undefined, after: string, format: TextFormat): Planned {
  const before = current?.text ?? "";
  const regions = before === after ? [] : [{ start: 0, end: before.length, old: before, new: after }];
  return { current, before, after, format, intent: { path: file.real, baseHash: current?.hash, regions, newlines: "keep", mode: "keep" } };
}

/** The file's line ending and byte-order mark stay, unless the new content has endings of its own (C01, C04). */
function likeBefore(content: string, before: string, format: TextFormat): string {
  const text = format.bom && content.startsWith("\ufeff") ? content.slice(1) : content;
  return lineEndingOf(before) === "crlf" && !text.includes("\r") ? text.replaceAll("\n", "\r\n") : text;
}

async function callWrite(deps: ChangeDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const settled = await settlePath(input.file_path, cx, { looseName: false });
  if (!settled.ok) return { ok: false, failure: settled.error };
  const file = namedFile(settled.value.real, cx.place);
  const plan = await planWrite(file, input.content);
  if (!plan.ok) return { ok: false, failure: plan.error };
  const refused = mayReplace(deps, file, plan.value.current);
  if (refused !== undefined) return { ok: false, failure: refused };
  const { current, before, after, format, intent } = plan.value;
  if (current !== undefined && intent.regions.length === 0) return said(`${file.shown} has exactly this content already; nothing was written.`);
  const bytes = encodeFor(file, after, format);
  if (!bytes.ok) return { ok: false, failure: bytes.error };
  const written = await commitChange(deps, { call: cx.call, file, current, bytes: bytes.value });
  if (!written.ok) return { ok: false, failure: written.error };
  deps.readState.wrote(file.real, { hash: written.value, text: after, complete: true });
  const diff = fileDiff(file.shown, before, after);
  const created = current === undefined;
  const text = created
    ? `Created ${file.shown} (${diff.added} lines).`
    : `Replaced the content of ${file.shown} (+${diff.added} -${diff.removed}).\n${unifiedText(diff)}`;
  return { ok: true, forModel: [{ type: "text", text }], view: { kind: "file_change", change: created ? "created" : "written", diff } };
}

function mayReplace(deps: ChangeDeps, file: NamedFile, current: CurrentFile | undefined): ToolFailure | undefined {
  if (current === undefined) return undefined;
  const seen = deps.readState.seen(file.real);
  if (seen === undefined) return neverRead(file.shown);
  if (seen.hash !== current.hash) return changedSinceRead(file.shown, "");
  return seen.complete ? undefined : readInPart(file.shown);
}
