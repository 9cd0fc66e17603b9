// The read tool (T12): what a file holds, with what is needed to change it later, and a record of what was seen.
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import type { ReadState } from "#electron/tools/read-state.ts";
import { READS_ONE_FILE } from "./declared.ts";
import { fileKindOf, sizeText } from "./file-kind.ts";
import { READ_TEXT } from "./file-tools.text.ts";
import { READ_DEFAULT_LINES, type LineWindow } from "./line-window.ts";
import { hashOf, headOfFile, readAtMost, withRegularFile, type NamedFile, type OpenedFile } from "./open-file.ts";
import { ambiguousName, PathInput, settlePath, shownPath } from "./path-facts.ts";
import { PDF_DEFAULT_PAGES, readNotebook, readPdf, type Pages, type ReadPdf } from "./read-pages.ts";
import { readPicture, type ScaleImage, type SentPicture } from "./read-picture.ts";
import { readText, type TextPage } from "./read-text.ts";

export type ReadDeps = {
  readonly readState: ReadState;
  /** keeps a picture's bytes for requests; answers the name to put into a block */
  readonly blobs: { put(bytes: Uint8Array, mediaType: string): Promise<string> };
  /** makes a picture smaller that is over the limits of the providers */
  readonly scaleImage: ScaleImage;
  readonly readPdf: ReadPdf;
};

const Input = z.strictObject({
  file_path: PathInput,
  offset: z.int().min(1).optional().describe("First line (page, cell), from 1"),
  limit: z.int().min(1).max(1_000_000).optional().describe("How many"),
});
type Input = z.infer<typeof Input>;

const MAX_PDF_BYTES = 64 * 1024 * 1024;
const MAX_NOTEBOOK_BYTES = 32 * 1024 * 1024;
const HEAD_BYTES = 512;

export function createReadTool(deps: ReadDeps): Tool {
  return defineTool({
    name: "read",
    aliases: ["read_file", "view", "view_file", "cat", "open_file"],
    schemaVersion: 1,
    input: Input,
    text: READ_TEXT,
    ...READS_ONE_FILE,
    call: (input, cx) => callRead(deps, input, cx),
  });
}

async function callRead(deps: ReadDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const settled = await settlePath(input.file_path, cx, { looseName: true });
  if (!settled.ok) return { ok: false, failure: settled.error };
  const facts = settled.value;
  const ambiguous = ambiguousName(input.file_path, facts);
  if (ambiguous !== undefined) return { ok: false, failure: ambiguous };
  const show = (real: string) => shownPath(real, cx.place);
  const file: NamedFile = { real: facts.real, shown: show(facts.real), show };
  const read = await withRegularFile(file, (opened) => readKind(deps, { input, cx, file, opened }));
  if (!read.ok) return { ok: false, failure: read.error };
  return facts.lookAlikes.length === 0
    ? read.value
    : withNote(
        read.value,
        `[${input.file_path} does not exist; this is ${JSON.stringify(file.shown)}, whose name only looks the same. Use that exact name from here on.]`,
      );
}

type Reading = { readonly input: Input; readonly cx: ToolContext; readonly file: NamedFile; readonly opened: OpenedFile };
type Answer = Extract<ToolReturn, { ok: true }>;

async function readKind(deps: ReadDeps, reading: Reading): Promise<Result<Answer, ToolFailure>> {
  const { file, opened, input } = reading;
  const kind = fileKindOf(await headOfFile(opened.handle, HEAD_BYTES));
  if (kind?.kind === "image") return answerPicture(deps, reading, kind.mediaType);
  if (kind?.kind === "pdf") return answerPdf(deps, reading);
  if (/\.ipynb$/i.test(file.real)) {
    const pages = await answerNotebook(deps, reading);
    if (pages !== undefined) return pages;
  }
  const range = { offset: input.offset ?? 1, limit: input.limit ?? READ_DEFAULT_LINES };
  const page = await readText(opened, file.shown, range, reading.cx.scope.signal);
  return page.ok ? answerText(deps, reading, page.value) : page;
}

async function answerPicture(deps: ReadDeps, { file, opened, cx }: Reading, mediaType: string): Promise<Result<Answer, ToolFailure>> {
  const picture = await readPicture(opened, { file: file.shown, mediaType, scale: deps.scaleImage, signal: cx.scope.signal });
  if (!picture.ok) return picture;
  const sent = picture.value;
  const ref = await deps.blobs.put(sent.bytes, sent.mediaType);
  const head = `[${file.shown}: ${pictureText(sent)}]`;
  return ok({
    ok: true,
    forModel: [
      { type: "text", text: head },
      { type: "image", ref, mediaType: sent.mediaType },
    ],
    view: { kind: "text", text: head },
  });
}

/** Places in a scaled picture are told in its own pixels, so both sizes are said. */
function pictureText({ mediaType, width, height, original, bytes }: SentPicture): string {
  if (original === undefined) return `${mediaType}, ${width} x ${height} pixels`;
  const before = `${original.width} x ${original.height} pixels, ${sizeText(original.bytes)}`;
  return `${before}; scaled down and sent as ${mediaType}, ${width} x ${height} pixels, ${sizeText(bytes.length)}`;
}

async function answerPdf(deps: ReadDeps, { file, opened, input, cx }: Reading): Promise<Result<Answer, ToolFailure>> {
  const bytes = await readAtMost(opened.handle, MAX_PDF_BYTES);
  if (bytes === undefined)
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${file.shown} is a PDF of more than ${MAX_PDF_BYTES / 1024 / 1024} MB, too big to read here. Extract the pages you need with a program first.`,
    });
  const range = { offset: input.offset ?? 1, limit: input.limit ?? PDF_DEFAULT_PAGES, signal: cx.scope.signal };
  const pages = await readPdf(bytes, file.shown, range, deps.readPdf);
  return pages.ok ? ok(piecesAnswer(file, pages.value, "page")) : pages;
}

async function answerNotebook(deps: ReadDeps, { file, opened, input }: Reading): Promise<Result<Answer, ToolFailure> | undefined> {
  const bytes = await readAtMost(opened.handle, MAX_NOTEBOOK_BYTES);
  const pages = bytes === undefined ? undefined : readNotebook(bytes.toString("utf8"), { offset: input.offset ?? 1, limit: input.limit ?? READ_DEFAULT_LINES });
  if (bytes === undefined || pages === undefined) return undefined;
  // Outputs are left out or cut, so the model never has the whole file; its cells it has.
  deps.readState.saw({ path: file.real, hash: hashOf(bytes), from: pages.from, to: pages.to, total: pages.total + 1, shortened: false });
  return ok(piecesAnswer(file, pages, "cell"));
}

function piecesAnswer(file: NamedFile, pages: Pages, unit: "page" | "cell"): Answer {
  const head = `[${file.shown}: ${unit}s ${pages.from}-${pages.to} of ${pages.total}]`;
  const none = pages.to < pages.from ? `[There is no ${unit} ${pages.from}.]` : undefined;
  const more = pages.to < pages.total && none === undefined ? `[Read on with offset ${pages.to + 1}.]` : undefined;
  const text = [head, pages.text, none, more].filter((part) => part !== undefined && part !== "").join("\n");
  return { ok: true, forModel: [{ type: "text", text }], view: { kind: "file_read", path: file.shown, from: pages.from, to: pages.to, total: pages.total } };
}

function answerText(deps: ReadDeps, { file, input }: Reading, page: TextPage): Result<Answer, ToolFailure> {
  const { window, hash } = page;
  if (window.total > 0 && window.lines.length === 0) {
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${file.shown} has ${window.total} lines; line ${input.offset ?? 1} is beyond its end. Call again with a smaller offset.`,
    });
  }
  if (hash !== undefined) {
    const base = page.text === undefined ? {} : { text: page.text };
    deps.readState.saw({ path: file.real, hash, from: window.from, to: window.to, total: window.total, shortened: window.shortened > 0, ...base });
  }
  const numbered = window.lines.map((line, index) => `${window.from + index}\t${line}`);
  const text = [headerOf(file.shown, page), ...numbered, ...notesOf(page)].join("\n");
  return ok({
    ok: true,
    forModel: [{ type: "text", text }],
    view: { kind: "file_read", path: file.shown, from: window.from, to: window.to, total: window.total },
  });
}

const ENDINGS = { lf: "LF", crlf: "CRLF", cr: "CR", mixed: "mixed line endings", none: "no line ending" } as const;

function headerOf(shown: string, { window, format, ending, hash }: TextPage): string {
  const encoding = `${format.encoding}${format.bom ? " with BOM" : ""}`;
  if (window.total === 0) return `[${shown}: empty file, ${encoding}]`;
  const of = hash === undefined ? "more; the file was not read to its end" : `${window.total}`;
  return `[${shown}: lines ${window.from}-${window.to} of ${of}; ${encoding}, ${ENDINGS[ending]}${hash === undefined ? "" : `, sha256 ${hash.slice(0, 12)}`}]`;
}

function notesOf({ window, exact, hash }: TextPage): readonly string[] {
  const notes: string[] = [];
  const rest = hash === undefined || window.to < window.total;
  if (rest) notes.push(`[${whyStopped(window)} Read on with offset ${window.to + 1}.]`);
  if (!rest && window.total > 0 && !window.finalNewline) notes.push("[No newline at the end of the file.]");
  if (window.shortened > 0) notes.push(`[${window.shortened} long lines were cut; find places in them with grep.]`);
  if (!exact) notes.push("[Some bytes fit no known encoding: the file can be read but not edited without loss.]");
  return notes;
}

function whyStopped(window: LineWindow): string {
  return window.full ? "Stopped at the size limit of one answer." : "More lines follow.";
}

function withNote(answer: Answer, note: string): Answer {
  return { ...answer, forModel: [{ type: "text", text: note }, ...answer.forModel] };
}
