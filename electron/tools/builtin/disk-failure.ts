// System errors as the model reads them: what could not be done, why, and what to do (T4, C15).
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { errorCode } from "#electron/lib/real-path.ts";
import { nearest } from "#electron/tools/edit-distance.ts";

const MEANING: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space or write less",
  EDQUOT: "the disk quota is used up. Free some space or write less",
  EACCES: "the permissions of the file or its folder do not allow it. Do not change permissions unasked; tell the person",
  EPERM: "the system does not allow it. Do not change permissions unasked; tell the person",
  EROFS: "the file system is read-only. Choose another place or tell the person",
  ENOENT: "it or its folder does not exist. Check the path with ls or glob",
  ENOTDIR: "part of the path is a file, not a folder. Check the path with ls or glob",
  EEXIST: "part of the path is a file, not a folder. Check the path with ls or glob",
  EISDIR: "it is a folder, not a file. List it with ls",
  ELOOP: "its links lead in a ring. Check them with ls",
  ENAMETOOLONG: "the name is too long for this file system. Choose a shorter one",
  EBUSY: "another program holds it. Try again, or tell the person which program that may be",
  ETXTBSY: "it is a program that is running. Stop it first",
  EMFILE: "too many files are open. Try again",
  EIO: "the disk reported a read or write error. Tell the person",
};

/** `doing`: "read src/a.ts". The system's own code stays in the text. */
export function diskFailure(error: unknown, doing: string): ToolFailure {
  const code = errorCode(error);
  const meaning = code === undefined ? undefined : MEANING[code];
  const message = error instanceof Error ? error.message : "unknown error";
  const why = meaning === undefined ? message : meaning.replace(/\. |$/, (end) => ` (${code})${end}`);
  return {
    kind: code === "ENOENT" || code === "ENOTDIR" ? "not_found" : "tool_error",
    retryable: code === "EBUSY" || code === "EMFILE",
    message: `Could not ${doing}: ${why}.`,
  };
}

const MAX_SUGGESTIONS = 3;

/** A file that is not there, with the names near to it or the last folder of its path that exists. */
export async function missingFile(real: string, shown: string, showPath: (file: string) => string): Promise<ToolFailure> {
  const failure = (rest: string): ToolFailure => ({ kind: "not_found", retryable: false, message: `${shown} does not exist. ${rest}` });
  const folder = path.dirname(real);
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined)
    return failure(`Its folder does not exist either; the nearest one that does is "${showPath(await lastExisting(folder))}". List it with ls.`);
  const near = nearest(path.basename(real), names, MAX_SUGGESTIONS).map((name) => showPath(path.join(folder, name)));
  return failure(near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Find it with glob, or list ${showPath(folder)} with ls.`);
}

async function lastExisting(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  if (parent === folder) return folder;
  const there = await readdir(parent).then(
    () => true,
    () => false,
  );
  return there ? parent : lastExisting(parent);
}
