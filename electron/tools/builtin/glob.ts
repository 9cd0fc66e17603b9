// The glob tool (T14): files by name pattern. Ripgrep walks, the pattern is matched here: given to ripgrep it would lift .gitignore.
import picomatch from "picomatch";
import path from "node:path";
import { z } from "zod";
import type { Ripgrep } from "#electron/lib/ripgrep.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { SEARCH_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { toolError } from "./answers.ts";
import { looksThrough } from "./declared.ts";
import { GLOB_TEXT } from "./file-tools.text.ts";
import { PathInput } from "./path-facts.ts";
import { byName, runSearch, settleStart, shownHit, WHERE } from "./search-run.ts";

const MAX_FILES = 1_000;
/** More matches than this are not even counted. */
const MAX_COUNTED = 100_000;
const MAX_PATTERN_CHARS = 1_000;
const SAMPLE = 20;

const Pattern = z
  .string()
  .min(1)
  .max(MAX_PATTERN_CHARS)
  .refine((text) => !splitPattern(text).rest.split("/").includes(".."), {
    error: "`..` may stand only at the beginning of a pattern; give the folder as path",
  });
const Input = z.strictObject({ pattern: Pattern, path: PathInput.optional().describe("Folder to search; the workspace if left out") });
type Input = z.infer<typeof Input>;

export function createGlobTool(deps: { readonly ripgrep: Ripgrep }): Tool {
  return defineTool({
    name: "glob",
    aliases: ["find_files", "file_search", "glob_files"],
    schemaVersion: 1,
    input: Input,
    text: GLOB_TEXT,
    maxResultChars: SEARCH_RESULT_CHARS,
    ...looksThrough<Input>(startOf),
    call: (input, cx) => callGlob(deps.ripgrep, input, cx),
  });
}

/** The folder that the pattern itself begins with belongs to the place that is searched, and is judged like it. */
function startOf(input: Input): string {
  const { folder } = splitPattern(input.pattern);
  if (folder === "") return input.path ?? ".";
  return path.isAbsolute(folder) || folder.startsWith("~") || input.path === undefined ? folder : `${input.path}/${folder}`;
}

/** `src/lib/*.ts` is `*.ts` in `src/lib`: what has no wild card is a folder, and only that is walked. */
function splitPattern(pattern: string): { readonly folder: string; readonly rest: string } {
  const steps = (path.sep === "\\" ? pattern.replaceAll("\\", "/") : pattern).split("/");
  const wild = steps.findIndex((step) => /[*?[\]{}()!+@\\]/.test(step));
  const at = wild < 0 ? steps.length - 1 : wild;
  const folder = steps.slice(0, at).join("/");
  return { folder: folder === "" && at > 0 ? "/" : folder, rest: steps.slice(at).join("/") };
}

/** Without a `/` it means files at any depth. A folder named `[id]` is found by its name, too. */
function matcherOf(pattern: string): (file: string) => boolean {
  const { rest } = splitPattern(pattern);
  const matches = picomatch(pattern.includes("/") ? rest : `**/${rest}`, { dot: true });
  return (file) => file === rest || matches(file);
}

/** `/*` must not walk the whole disk. */
function depthArgs(pattern: string): readonly string[] {
  const { rest } = splitPattern(pattern);
  return pattern.includes("/") && !rest.includes("**") ? [`--max-depth=${rest.split("/").length}`] : [];
}

async function callGlob(ripgrep: Ripgrep, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const start = await settleStart(startOf(input), cx);
  if (!start.ok) return { ok: false, failure: start.error };
  if (start.value.only !== undefined)
    return toolError(`${start.value.shown} is a file, not a folder. Look into it with read, or give the folder in which to look for names.`);
  const matches = matcherOf(input.pattern);
  const found: string[] = [];
  const onRecord = (file: string) => {
    if (matches(path.sep === "\\" ? file.replaceAll("\\", "/") : file)) found.push(file);
    return found.length < MAX_COUNTED;
  };
  const args = ["--files", "--null", ...depthArgs(input.pattern), ...WHERE];
  const end = await runSearch(ripgrep, { args, cwd: start.value.cwd, separator: 0, onRecord }, cx);
  if (!end.ok) return { ok: false, failure: end.error };
  const files = found
    .sort(byName)
    .slice(0, MAX_FILES)
    .map((file) => shownHit(start.value, file, cx));
  const text = [headOf(input, start.value.shown, found.length, end.value.enough), ...files, ...warningOf(end.value.warning)].join("\n");
  return {
    ok: true,
    forModel: [{ type: "text", text }],
    view: {
      kind: "search",
      pattern: input.pattern,
      matches: found.length,
      files: found.length,
      cut: found.length > files.length,
      sample: files.slice(0, SAMPLE),
    },
  };
}

function headOf(input: Input, shown: string, count: number, enough: boolean): string {
  if (count === 0) return `[No files match ${input.pattern} in ${shown}. Files that .gitignore names, and links, are left out.]`;
  const all = `${enough ? "more than " : ""}${count} ${count === 1 ? "file matches" : "files match"} ${input.pattern}`;
  return count > MAX_FILES ? `[${all}; the first ${MAX_FILES} by path are shown. Use a narrower pattern or path for the others.]` : `[${all}]`;
}

function warningOf(warning: string | undefined): readonly string[] {
  return warning === undefined ? [] : [`[Not everything could be searched: ${warning}]`];
}
