// PDFs as text by page and notebooks by cell: both are read in numbered pieces, from one to the next (T12).
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import { headOf } from "#shared/lib/text.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { READ_MAX_CHARS } from "./line-window.ts";
import { parseJson } from "./parse-json.ts";

export const PDF_DEFAULT_PAGES = 20;
const MAX_OUTPUT_CHARS = 2_000;

/** Pieces shown, 1-based and inclusive; `to` < `from` when none was. */
export type Pages = { readonly text: string; readonly from: number; readonly to: number; readonly total: number };
/** Text of the pages from `from` on, at most `count`. Rejects when the file cannot be read. */
export type ReadPdf = (
  bytes: Uint8Array,
  from: number,
  count: number,
  signal?: AbortSignal,
) => Promise<{ readonly total: number; readonly pages: readonly string[] }>;

/** Runs in a worker: parsing holds its thread. The library is loaded with the first PDF. */
export const extractPages: ReadPdf = async (bytes, from, count) => {
  const { getDocumentProxy } = await import("unpdf");
  // The library keeps the bytes for itself, so it gets a copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    const pages: string[] = [];
    for (let number = from; number < from + count && number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      pages.push(content.items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join(""));
      page.cleanup();
    }
    return { total: document.numPages, pages };
  } finally {
    await document.destroy();
  }
};

/** `file`: as shown. */
export async function readPdf(
  bytes: Uint8Array,
  file: string,
  { offset, limit, signal }: { readonly offset: number; readonly limit: number; readonly signal: AbortSignal },
  read: ReadPdf,
): Promise<Result<Pages, ToolFailure>> {
  try {
    const { total, pages } = await read(bytes, offset, limit, signal);
    const texts = pages.map(
      (text, index) => `--- page ${offset + index} ---\n${text.trim() === "" ? "(no text on this page; it may be a scan)" : text.trimEnd()}`,
    );
    return ok(fitting(texts, offset, total));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown error";
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${file} could not be read as PDF: ${reason}. It may be damaged or protected by a password; tell the person.`,
    });
  }
}

const Lines = z.union([z.string(), z.array(z.string())]).transform((text) => (typeof text === "string" ? text : text.join("")));
const Output = z.looseObject({
  output_type: z.string().catch("output"),
  text: Lines.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});
const Cell = z.looseObject({
  id: z.string().optional().catch(undefined),
  cell_type: z.string(),
  source: Lines,
  outputs: z.array(Output).optional().catch(undefined),
});
/** The parts of a Jupyter notebook (format 4) that are read or changed; everything else is carried along. */
export const Notebook = z.looseObject({ nbformat: z.literal(4), cells: z.array(Cell) });
export type NotebookCell = z.infer<typeof Cell>;

/** Undefined when the text is no notebook; it is then shown as text. */
export function readNotebook(text: string, range: { readonly offset: number; readonly limit: number }): Pages | undefined {
  const parsed = Notebook.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { cells } = parsed.data;
  const texts = cells.slice(range.offset - 1, range.offset - 1 + range.limit).map((cell, index) => cellText(cell, range.offset + index));
  return fitting(texts, range.offset, cells.length);
}

function cellText(cell: NotebookCell, number: number): string {
  const id = cell.id === undefined ? "" : ` id=${cell.id}`;
  const outputs = (cell.outputs ?? []).map(outputText).filter((text) => text !== "");
  return [`--- cell ${number} (${cell.cell_type}${id}) ---`, cell.source, ...outputs.map((text) => `[output]\n${text}`)].join("\n");
}

function outputText(output: z.infer<typeof Output>): string {
  if (output.ename !== undefined) return `${output.ename}: ${output.evalue ?? ""}`;
  const plain = Lines.safeParse(output.data?.["text/plain"]);
  const text = output.text ?? (plain.success ? plain.data : "");
  const media = Object.keys(output.data ?? {}).filter((type) => type.startsWith("image/"));
  const cut = text.length > MAX_OUTPUT_CHARS ? `${headOf(text, MAX_OUTPUT_CHARS)} [output cut: ${text.length} characters in all]` : text.trimEnd();
  return [cut, ...media.map((type) => `(${type} not shown)`)].filter((line) => line !== "").join("\n");
}

/** As many pieces as fit into one answer; the first is shown in part rather than not at all. */
function fitting(texts: readonly string[], from: number, total: number): Pages {
  const shown: string[] = [];
  let chars = 0;
  for (const text of texts) {
    if (shown.length > 0 && chars + text.length > READ_MAX_CHARS) break;
    shown.push(text.length > READ_MAX_CHARS ? `${headOf(text, READ_MAX_CHARS)} [cut: ${text.length} characters in all]` : text);
    chars += text.length;
  }
  return { text: shown.join("\n"), from, to: from + shown.length - 1, total };
}
