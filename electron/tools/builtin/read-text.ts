// Reads a range of a text file: small ones whole, big ones in a stream whose memory does not grow (T12).
import { createHash } from "node:crypto";
import iconv from "iconv-lite";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { decodeText, guessFormat, lineEndingOf, type LineEnding, type TextFormat } from "#electron/lib/text-file.ts";
import { fileKindOf, sizeText } from "./file-kind.ts";
import { createLineWindow, type LineWindow } from "./line-window.ts";
import { chunksOf, hashOf, headOfFile, readAtMost, type OpenedFile } from "./open-file.ts";

/** Up to here the file is decoded as one piece, which finds the encoding for sure. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/** Above this the rest of the file is not gone through only to count its lines. */
export const COUNTED_BYTES = 256 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

export type TextPage = {
  readonly window: LineWindow;
  readonly format: TextFormat;
  readonly ending: LineEnding;
  /** false: can be shown, but not written back without loss */
  readonly exact: boolean;
  /** undefined when the file was not gone through to its end */
  readonly hash: string | undefined;
  /** the whole text, of files small enough to keep as the base of a merge */
  readonly text: string | undefined;
};

export type Range = { readonly offset: number; readonly limit: number };

/** `file`: as shown, for messages. */
export async function readText(opened: OpenedFile, file: string, range: Range, signal: AbortSignal): Promise<Result<TextPage, ToolFailure>> {
  const bytes = opened.stats.size <= WHOLE_BYTES ? await readAtMost(opened.handle, WHOLE_BYTES) : undefined;
  return bytes === undefined ? streamText(opened, file, range, signal) : wholeText(bytes, file, range);
}

function wholeText(bytes: Buffer, file: string, range: Range): Result<TextPage, ToolFailure> {
  const decoded = decodeText(bytes);
  if (decoded.kind === "binary") return err(binaryFile(bytes, file, bytes.length));
  const ending = lineEndingOf(decoded.text);
  const reader = createLineWindow({ ...range, separator: ending === "cr" ? "\r" : "\n" });
  reader.push(decoded.text);
  return ok({ window: reader.end(), format: decoded.format, ending, exact: decoded.exact, hash: hashOf(bytes), text: decoded.text });
}

async function streamText({ handle, stats }: OpenedFile, file: string, range: Range, signal: AbortSignal): Promise<Result<TextPage, ToolFailure>> {
  const head = await headOfFile(handle, HEAD_BYTES);
  const format = guessFormat(head);
  if (format === undefined) return err(binaryFile(head, file, stats.size));
  const decoder = iconv.getDecoder(format.encoding, { stripBOM: true });
  const ending = lineEndingOf(iconv.decode(head, format.encoding));
  const reader = createLineWindow({ ...range, separator: ending === "cr" ? "\r" : "\n" });
  const hash = createHash("sha256");
  const counted = stats.size <= COUNTED_BYTES;
  let stopped = false;
  for await (const chunk of chunksOf(handle)) {
    if (signal.aborted) return err({ kind: "aborted", retryable: false, message: `Reading ${file} was stopped.` });
    if (counted) hash.update(chunk);
    reader.push(decoder.write(chunk));
    stopped = !counted && reader.done();
    if (stopped) break;
  }
  if (!stopped) reader.push(decoder.end() ?? "");
  return ok({ window: reader.end(), format, ending, exact: true, hash: counted ? hash.digest("hex") : undefined, text: undefined });
}

function binaryFile(head: Uint8Array, file: string, size: number): ToolFailure {
  const kind = fileKindOf(head);
  const name = kind?.kind === "other" ? kind.name : "unknown kind";
  return {
    kind: "tool_error",
    retryable: false,
    message: `${file} is a binary file (${name}, ${sizeText(size)}) and cannot be shown as text. Use a program that knows this kind of file.`,
  };
}
