// The grep tool (T14): file contents by regular expression, on ripgrep, bounded and in a stable order.
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Ripgrep } from "#electron/lib/ripgrep.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { SEARCH_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { looksThrough } from "./declared.ts";
import { GREP_TEXT } from "./file-tools.text.ts";
import { createFindings, type Findings, type FoundLine } from "./grep-records.ts";
import { PathInput } from "./path-facts.ts";
import { byName, runSearch, settleStart, shownHit, WHERE, type SearchEnd, type Start } from "./search-run.ts";

const DEFAULT_MATCHES = 250;
const DEFAULT_FILES = 1_000;
/** More than this is not collected; the search then runs again in order and stops at the limit. */
const MAX_COLLECTED = 20_000;
const MAX_PATTERN_CHARS = 10_000;
const SAMPLE = 20;

const Input = z.strictObject({
  pattern: z.string().min(1).max(MAX_PATTERN_CHARS),
  path: PathInput.optional().describe("File or folder; the workspace if left out"),
  glob: z.string().min(1).max(1_000).optional().describe("Only such files, as *.ts"),
  case_insensitive: z.boolean().optional(),
  context: z.int().min(0).max(50).optional().describe("Lines around each match"),
  output_mode: z.enum(["content", "files", "count"]).optional(),
  head_limit: z.int().min(1).max(10_000).optional().describe("Most matches (content) or files"),
});
type Input = z.infer<typeof Input>;

export function createGrepTool(deps: { readonly ripgrep: Ripgrep }): Tool {
  return defineTool({
    name: "grep",
    aliases: ["search_file_content", "grep_search", "search_files", "ripgrep", "search"],
    schemaVersion: 1,
    input: Input,
    text: GREP_TEXT,
    maxResultChars: SEARCH_RESULT_CHARS,
    ...looksThrough<Input>((input) => input.path ?? "."),
    call: (input, cx) => callGrep(deps.ripgrep, input, cx),
  });
}

type Answer = {
  readonly matches: number;
  readonly files: number;
  readonly shown: number;
  readonly lines: readonly string[];
  readonly more: boolean;
  readonly end: SearchEnd;
};

async function callGrep(ripgrep: Ripgrep, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const start = await settleStart(input.path ?? ".", cx);
  if (!start.ok) return { ok: false, failure: start.error };
  const search: Search = { ripgrep, input, cx, start: start.value };
  const answer = (input.output_mode ?? "content") === "content" ? await searchContent(search) : await searchFiles(search);
  if (!answer.ok) return { ok: false, failure: answer.error };
  const { matches, files, lines, more, end } = answer.value;
  const text = [headline(input, start.value, answer.value), ...lines, ...notesOf(end)].join("\n");
  return {
    ok: true,
    forModel: [{ type: "text", text }],
    view: { kind: "search", pattern: input.pattern, matches, files, cut: more, sample: lines.slice(0, SAMPLE) },
  };
}

type Search = { readonly ripgrep: Ripgrep; readonly input: Input; readonly cx: ToolContext; readonly start: Start };

function argsOf({ input, start }: Search, mode: readonly string[]): readonly string[] {
  return [
    ...mode,
    ...WHERE,
    "--engine=auto",
    input.case_insensitive === true ? "--ignore-case" : "--case-sensitive",
    // A pattern that names a line break can only match across lines.
    ...(/\n|\\n/.test(input.pattern) ? ["--multiline"] : []),
    ...globArgs(input.glob),
    "-e",
    input.pattern,
    "--",
    ...(start.only === undefined ? ["./"] : [start.only]),
  ];
}

/** As a file type, because an including glob would lift .gitignore; types know names only, so paths stay globs. */
function globArgs(glob: string | undefined): readonly string[] {
  if (glob === undefined) return [];
  return glob.includes("/") || glob.startsWith("!") ? ["--glob", glob] : ["--type-add", `wanted:${glob}`, "--type", "wanted"];
}

async function searchContent(search: Search): Promise<Result<Answer, ToolFailure>> {
  const { input, cx, start } = search;
  const limit = input.head_limit ?? DEFAULT_MATCHES;
  const mode = ["--json", ...(input.context === undefined ? [] : ["--context", String(input.context)])];
  let findings = createFindings(MAX_COLLECTED);
  let end = await runOne(search, argsOf(search, mode), 10, findings.add);
  if (end.ok && end.value.enough) {
    // Which files come first depends on the threads; in order the same ones are shown every time.
    findings = createFindings(limit + 1);
    end = await runOne(search, argsOf(search, [...mode, "--sort", "path"]), 10, findings.add);
  }
  if (!end.ok) return end;
  const lines = contentLines(findings, limit, (file) => shownHit(start, file, cx), input.context !== undefined && input.context > 0);
  return ok({
    matches: findings.matches,
    files: findings.files.size,
    shown: Math.min(limit, findings.matches),
    lines,
    more: findings.matches > limit,
    end: end.value,
  });
}

function contentLines(findings: Findings, limit: number, show: (file: string) => string, gaps: boolean): readonly string[] {
  const lines: string[] = [];
  let left = limit;
  for (const [file, found] of [...findings.files].sort(([a], [b]) => byName(a, b))) {
    if (left <= 0) break;
    lines.push(show(file));
    let last: FoundLine | undefined;
    for (const line of found.lines) {
      if (line.isMatch && left-- <= 0) break;
      if (gaps && last !== undefined && line.number > last.number + 1) lines.push("--");
      lines.push(`${line.number}${line.isMatch ? ":" : "-"}${line.text}`);
      last = line;
    }
    if (found.binary) lines.push("(a binary file; only its first match is known)");
  }
  return lines;
}

async function searchFiles(search: Search): Promise<Result<Answer, ToolFailure>> {
  const { input, cx, start } = search;
  const counting = input.output_mode === "count";
  const limit = input.head_limit ?? DEFAULT_FILES;
  const mode = counting ? ["--count-matches", "--null", "--with-filename"] : ["--files-with-matches", "--null"];
  const collect = async (max: number, extra: readonly string[]) => {
    const found: { readonly file: string; readonly count: number }[] = [];
    const end = await runOne(search, argsOf(search, [...mode, ...extra]), counting ? 10 : 0, (record) => {
      const [file = "", count = "1"] = record.split("\0");
      found.push({ file, count: Number(count) });
      return found.length < max;
    });
    return { found, end };
  };
  let { found, end } = await collect(MAX_COLLECTED, []);
  if (end.ok && end.value.enough) ({ found, end } = await collect(limit + 1, ["--sort", "path"]));
  if (!end.ok) return end;
  const sorted = found.sort((a, b) => byName(a.file, b.file));
  const lines = sorted.slice(0, limit).map(({ file, count }) => `${shownHit(start, file, cx)}${counting ? `: ${count}` : ""}`);
  const matches = sorted.reduce((sum, one) => sum + one.count, 0);
  return ok({ matches, files: sorted.length, shown: lines.length, lines, more: sorted.length > limit, end: end.value });
}

async function runOne(
  { ripgrep, cx, start, input }: Search,
  args: readonly string[],
  separator: 0 | 10,
  onRecord: (record: string) => boolean,
): Promise<Result<SearchEnd, ToolFailure>> {
  let any = false;
  const end = await runSearch(ripgrep, { args, cwd: start.cwd, separator, onRecord: (record) => ((any = true), onRecord(record)) }, cx);
  // Nothing found and an error: the pattern was refused, or the place could not be searched at all.
  if (end.ok && end.value.warning !== undefined && !any) return err(refused(input, end.value.warning));
  return end;
}

function refused(input: Input, warning: string): ToolFailure {
  const about = warning.replace(/^rg: /gm, "");
  if (/glob/i.test(about) && input.glob !== undefined)
    return {
      kind: "invalid_input",
      retryable: true,
      message: `The glob ${JSON.stringify(input.glob)} is not valid: ${about}\nWrite it like *.ts or src/**/*.{js,ts}.`,
    };
  if (!/regex|pattern|PCRE2|repetition|literal/i.test(about)) return { kind: "tool_error", retryable: true, message: `The search failed: ${about}` };
  return {
    kind: "invalid_input",
    retryable: true,
    message: `The pattern is not a valid regular expression: ${about}\nTo search for literal text, put a \\ before each of . * + ? ( ) [ ] { } ^ $ |.`,
  };
}

function headline(input: Input, start: Start, { matches, files, shown, more, end }: Answer): string {
  if (files === 0)
    return `[No matches for ${input.pattern} in ${start.shown}${input.glob === undefined ? "" : ` (${input.glob})`}. Files that .gitignore names are left out.]`;
  const content = (input.output_mode ?? "content") === "content";
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  const total =
    input.output_mode === "files" ? count(files, "file matches", "files match") : `${count(matches, "match", "matches")} in ${count(files, "file", "files")}`;
  if (!more) return `[${total}]`;
  const all = end.enough ? "more than can be counted" : total;
  return `[${all}; the first ${shown} ${content ? "matches" : "files"} by path are shown. Narrow the pattern, path or glob, or raise head_limit, for the others.]`;
}

function notesOf(end: SearchEnd): readonly string[] {
  const notes: string[] = [];
  if (end.warning !== undefined) notes.push(`[Not everything could be searched: ${end.warning}]`);
  if (end.dropped > 0) notes.push(`[${end.dropped} matching lines were too long to show.]`);
  return notes;
}
