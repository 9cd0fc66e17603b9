// Puts a planned change on the disk: compare and swap, as a whole, in the file's own encoding and mode (T13, C02, C07, C09, C15).
import { lstat, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { FileIntent } from "#shared/tools/recovery.ts";
import { replaceAtomically, sweepDrafts, type AtomicDisk, type Replaced } from "#electron/lib/atomic-file.ts";
import { realPathOf } from "#electron/lib/real-path.ts";
import { decodeText, encodeText, unencodable, type TextFormat } from "#electron/lib/text-file.ts";
import type { ReadState } from "#electron/tools/read-state.ts";
import { diskFailure } from "./disk-failure.ts";
import { sizeText } from "./file-kind.ts";
import { hashOf, readAtMost, withRegularFile, type NamedFile } from "./open-file.ts";
import { isMissing } from "./path-facts.ts";

/** What is loaded into memory to be changed, and what may be written. */
export const CHANGE_MAX_BYTES = 32 * 1024 * 1024;
const WRITE_BITS = 0o222;

export type ChangeDeps = {
  readonly readState: ReadState;
  /** the disk, for tests that let it fail */
  readonly disk?: AtomicDisk;
  /** told before the first write into a folder */
  readonly sweep: (folder: string) => Promise<void>;
  /** writes down what is about to be replaced; nothing is written before it resolves, or when it rejects (S2) */
  readonly intend: (call: CallId, files: readonly FileIntent[]) => Promise<void>;
};

/** A file as it is now; `text` is undefined for binary content. */
export type CurrentFile = {
  readonly hash: string;
  readonly replaced: Replaced;
  readonly text: string | undefined;
  readonly format: TextFormat;
  readonly exact: boolean;
};

/** Once per folder and run: what a killed writer left is removed before new drafts are made there. */
export function createSweeper(): ChangeDeps["sweep"] {
  const swept = new Set<string>();
  return async (folder) => {
    if (swept.has(folder)) return;
    swept.add(folder);
    await sweepDrafts(folder);
  };
}

/** Undefined when the file does not exist. */
export async function loadCurrent(file: NamedFile): Promise<Result<CurrentFile | undefined, ToolFailure>> {
  try {
    await lstat(file.real);
  } catch (error) {
    return isMissing(error) ? ok(undefined) : err(diskFailure(error, `read ${file.shown}`));
  }
  return withRegularFile(file, async ({ handle, stats }): Promise<Result<CurrentFile, ToolFailure>> => {
    const bytes = await readAtMost(handle, CHANGE_MAX_BYTES);
    if (bytes === undefined)
      return err({
        kind: "tool_error",
        retryable: false,
        message: `${file.shown} has ${sizeText(stats.size)}; files over ${sizeText(CHANGE_MAX_BYTES)} are not changed by this tool. Use a program made for big files.`,
      });
    const decoded = decodeText(bytes);
    const base = { hash: hashOf(bytes), replaced: { mode: stats.mode, uid: stats.uid, gid: stats.gid } };
    if (decoded.kind === "binary") return ok({ ...base, text: undefined, format: { encoding: "binary", bom: false }, exact: false });
    return ok({ ...base, text: decoded.text, format: decoded.format, exact: decoded.exact });
  });
}

/** Bytes of the new text; refuses what would not come back from the disk as it is. */
export function encodeFor(file: NamedFile, text: string, format: TextFormat): Result<Uint8Array, ToolFailure> {
  const bytes = encodeText(text, format);
  if (bytes !== undefined && bytes.length > CHANGE_MAX_BYTES) {
    return err({
      kind: "invalid_input",
      retryable: false,
      message: `The new content of ${file.shown} has ${sizeText(bytes.length)}, more than ${sizeText(CHANGE_MAX_BYTES)}. Write it in parts or let a program make it.`,
    });
  }
  if (bytes !== undefined) return ok(bytes);
  const char = unencodable(text, format);
  const code = char?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? "?";
  return err({
    kind: "tool_error",
    retryable: false,
    message: `Nothing was written: ${file.shown} is ${format.encoding}, which has no place for the character U+${code}. Write the text without it, or ask the person whether the file may become UTF-8.`,
  });
}

/** Bytes that are to stand in `file`, in place of what was loaded from it. */
export type Change = { readonly call: CallId; readonly file: NamedFile; readonly current: CurrentFile | undefined; readonly bytes: Uint8Array };

/** Writes, if the file is still as `current` says. `ok` holds the hash of what now stands there. */
export async function commitChange(deps: ChangeDeps, { call, file, current, bytes }: Change): Promise<Result<string, ToolFailure>> {
  // Renaming over it would get around the file's own protection, for which only the person can speak.
  if (current?.replaced !== undefined && (current.replaced.mode & WRITE_BITS) === 0) {
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${file.shown} is read-only (EACCES). Do not change its permissions unasked; tell the person.`,
    });
  }
  const folder = path.dirname(file.real);
  const after = hashOf(bytes);
  try {
    await deps.intend(call, [{ path: file.real, before: current?.hash ?? null, after }]);
    if (current === undefined) await mkdir(folder, { recursive: true });
    await deps.sweep(folder);
    const stillWanted = () => isUnchanged(file.real, current);
    const done = await replaceAtomically({ file: file.real, bytes, replaced: current?.replaced, stillWanted }, deps.disk);
    return done ? ok(after) : err(changedMeanwhile(file.shown));
  } catch (error) {
    return err(diskFailure(error, `write ${file.shown}`));
  }
}

/** Asked last: the same place (no link was put in its way), the same bytes. */
async function isUnchanged(real: string, current: CurrentFile | undefined): Promise<boolean> {
  if ((await realPathOf(real)) !== real) return false;
  if (current === undefined) return stat(real).then(() => false, isMissing);
  const now = await withRegularFile({ real, shown: real, show: (name) => name }, async ({ handle }) => ok(await readAtMost(handle, CHANGE_MAX_BYTES)));
  return now.ok && now.value !== undefined && hashOf(now.value) === current.hash;
}

/** Refusals of compare and swap: each says what to do to get through. */
export function neverRead(shown: string): ToolFailure {
  return {
    kind: "tool_error",
    retryable: true,
    message: `Nothing was changed: ${shown} exists and you have not read it in this session. Read it first, then call again.`,
    suggestion: `read ${shown}`,
  };
}
export function readInPart(shown: string): ToolFailure {
  return {
    kind: "tool_error",
    retryable: true,
    message: `Nothing was written: you have read only a part of ${shown}, and write replaces all of it. Read all of it first, or change it with edit.`,
    suggestion: `read ${shown}`,
  };
}
export function changedSinceRead(shown: string, detail: string): ToolFailure {
  return {
    kind: "tool_error",
    retryable: true,
    message: `Nothing was changed: ${shown} has changed since you read it, by the person or another program. ${detail}Read it again and make your change to what it is now.`,
    suggestion: `read ${shown}`,
  };
}
export function changedMeanwhile(shown: string): ToolFailure {
  return {
    kind: "tool_error",
    retryable: true,
    message: `Nothing was written: ${shown} was changed by somebody else at the same moment. Read it again, then call again.`,
    suggestion: `read ${shown}`,
  };
}
export function isBinary(shown: string): ToolFailure {
  return {
    kind: "tool_error",
    retryable: false,
    message: `Nothing was changed: ${shown} is a binary file, which text tools would destroy. Use a program that knows this kind of file.`,
  };
}
