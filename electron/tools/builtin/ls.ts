// The ls tool (T14): what lies in one folder, ignored and hidden entries too.
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { LISTING_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { looksThrough } from "./declared.ts";
import { diskFailure, missingFile } from "./disk-failure.ts";
import { sizeText, specialKind } from "./file-kind.ts";
import { LS_TEXT } from "./file-tools.text.ts";
import { ambiguousName, isMissing, PathInput, settlePath, shownPath } from "./path-facts.ts";

const MAX_LISTED = 1_000;
const SAMPLE = 20;
const Input = z.strictObject({ path: PathInput.optional().describe("Folder; the workspace if left out") });
type Input = z.infer<typeof Input>;

export function createLsTool(): Tool {
  return defineTool({
    name: "ls",
    aliases: ["list_directory", "list_dir", "list_files", "dir"],
    schemaVersion: 1,
    input: Input,
    text: LS_TEXT,
    maxResultChars: LISTING_RESULT_CHARS,
    ...looksThrough<Input>((input) => input.path ?? "."),
    call: callLs,
  });
}

async function callLs(input: Input, cx: ToolContext): Promise<ToolReturn> {
  const given = input.path ?? ".";
  const settled = await settlePath(given, cx, { looseName: true });
  if (!settled.ok) return { ok: false, failure: settled.error };
  const ambiguous = ambiguousName(given, settled.value);
  if (ambiguous !== undefined) return { ok: false, failure: ambiguous };
  const { real } = settled.value;
  const names = await namesIn(real, cx);
  if (!names.ok) return { ok: false, failure: names.error };
  const shown = shownPath(real, cx.place);
  const listed = await Promise.all(names.value.slice(0, MAX_LISTED).map((name) => describeEntry(path.join(real, name), name)));
  const left = names.value.length - listed.length;
  const head = names.value.length === 0 ? `[${shown}: empty folder]` : `[${shown}: ${names.value.length} ${names.value.length === 1 ? "entry" : "entries"}]`;
  const more = left > 0 ? [`[${left} more entries are not shown; find files by name with glob.]`] : [];
  return {
    ok: true,
    forModel: [{ type: "text", text: [head, ...listed, ...more].join("\n") }],
    view: { kind: "listing", path: shown, count: names.value.length, cut: left > 0, sample: listed.slice(0, SAMPLE) },
  };
}

async function namesIn(real: string, cx: ToolContext): Promise<Result<readonly string[], ToolFailure>> {
  const show = (file: string) => shownPath(file, cx.place);
  try {
    const stats = await lstat(real);
    if (stats.isDirectory()) return ok((await readdir(real)).sort());
    const what = specialKind(stats) ?? "a file";
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${show(real)} is ${what}, not a folder.${what === "a file" ? " Look into it with read." : " Choose a folder."}`,
    });
  } catch (error) {
    return err(isMissing(error) ? await missingFile(real, show(real), show) : diskFailure(error, `list ${show(real)}`));
  }
}

/** One line; what vanishes while it is looked at is still named. */
async function describeEntry(file: string, name: string): Promise<string> {
  const safe = /[\u0000-\u001f\u007f]/.test(name) ? JSON.stringify(name) : name;
  try {
    const stats = await lstat(file);
    if (stats.isDirectory()) return `${safe}/`;
    if (stats.isSymbolicLink()) return `${safe} -> ${await readlink(file)}`;
    return `${safe}  ${specialKind(stats) ?? sizeText(stats.size)}`;
  } catch {
    return safe;
  }
}
