// What of a repository's folder is not committed, as differences (U7). Only read: nothing of the repository is written or locked.
import { join } from "node:path";
import { parsePatch } from "diff";
import type { Uncommitted } from "#shared/checkpoints/uncommitted.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { DiffHunk, FileDiff } from "#shared/tools/card.ts";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import { fileDiff, numbered } from "#electron/tools/builtin/file-diff.ts";
import { readStatus } from "./git-status.ts";
import { type GitParts, type SafeGit, safeGit } from "./safe-git.ts";

const LIMITS = { timeoutMs: 15_000, maxOutputBytes: 4_000_000 };
const MOST_FILES = 300;
const MOST_NEW_BYTES = 200_000;
const MOST_LINES = 4_000;

export type UncommittedFailure = { readonly kind: "no_repository" | "failed"; readonly message: string };

/** Never rejects. Files that are too many are counted, those too big or not text are named without their lines. */
export async function uncommittedOf(parts: GitParts, folder: string): Promise<Result<Uncommitted, UncommittedFailure>> {
  const git = await safeGit(parts, folder);
  if (git === "none") return err({ kind: "no_repository", message: "This folder is not a git repository." });
  if (git === "unknown") return err({ kind: "failed", message: "Git's settings in this folder could run programs, so it was not asked." });
  const status = await git.run(["status", "--no-renames", "--porcelain=v2", "--branch", "--untracked-files=all", "--ignore-submodules=all", "-z"], LIMITS);
  if (status.kind === "failed") return err({ kind: "failed", message: status.message });
  if (status.exitCode !== 0) return err({ kind: "failed", message: status.stderr.trim() });
  const { head, dirty } = readStatus(status.stdout.replaceAll("\0", "\n"));
  const isNew = (file: { readonly status: string }) => head === undefined || file.status === "??";
  const fresh = dirty.filter(isNew).map(({ path }) => path);
  const tracked = head === undefined ? [] : await trackedDiffs(git);
  if (!Array.isArray(tracked)) return err({ kind: "failed", message: tracked.message });
  const untracked = await Promise.all(fresh.slice(0, MOST_FILES).map((path) => newFile(folder, path)));
  const all = [...tracked, ...untracked].sort((a, b) => (a.path < b.path ? -1 : 1));
  return ok({ diffs: all.slice(0, MOST_FILES), more: Math.max(0, tracked.length + fresh.length - MOST_FILES) });
}

async function trackedDiffs(git: SafeGit): Promise<FileDiff[] | { readonly message: string }> {
  const flags = [
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
  ];
  const told = await git.run(["-c", "core.quotePath=false", "diff", ...flags, "HEAD", "--", "."], LIMITS);
  if (told.kind === "failed") return { message: told.message };
  if (told.exitCode !== 0) return { message: told.stderr.trim() };
  return readPatch(told.stdout);
}

/** Files of a patch as git prints it; a last one that was cut off in the middle is left out. */
export function readPatch(patch: string): FileDiff[] {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return parts.flatMap((part) => {
    const path = pathOf(part);
    if (path === undefined) return [];
    if (/^Binary files .* differ$/m.test(part)) return [{ path, added: 0, removed: 0, hunks: [], binary: true }];
    try {
      return parsePatch(part).map((file) => fileOf(path, file.hunks));
    } catch {
      return [];
    }
  });
}

/** From the lines that name one file each; the first line names two without saying where the first ends. */
function pathOf(part: string): string | undefined {
  const named = /^\+\+\+ b\/(.*?)\t?$/m.exec(part)?.[1] ?? /^--- a\/(.*?)\t?$/m.exec(part)?.[1];
  if (named !== undefined) return named;
  const both = /^diff --git a\/(.*)$/m.exec(part)?.[1] ?? "";
  const half = (both.length - " b/".length) / 2;
  return both.slice(half) === ` b/${both.slice(0, half)}` ? both.slice(0, half) : undefined;
}

type PatchHunk = { readonly oldStart: number; readonly newStart: number; readonly lines: readonly string[] };

function fileOf(path: string, given: readonly PatchHunk[]): FileDiff {
  const hunks: DiffHunk[] = [];
  let [added, removed, shown] = [0, 0, 0];
  for (const { oldStart, newStart, lines } of given) {
    const hunk = numbered(lines, oldStart, newStart);
    added += hunk.lines.filter((line) => line.kind === "add").length;
    removed += hunk.lines.filter((line) => line.kind === "del").length;
    if (shown < MOST_LINES) hunks.push(hunk);
    shown += hunk.lines.length;
  }
  return { path, added, removed, hunks, ...(shown > MOST_LINES ? { cut: true } : {}) };
}

async function newFile(folder: string, path: string): Promise<FileDiff> {
  const unread: FileDiff = { path, added: 0, removed: 0, hunks: [], binary: true };
  const read = await readPlainFile(join(folder, path), { maxBytes: MOST_NEW_BYTES, within: folder });
  if (read.kind !== "read" || read.cut || read.text.includes("\0") || read.text.includes("\uFFFD")) return unread;
  return fileDiff(path, "", read.text);
}
