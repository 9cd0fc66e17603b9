// One ripgrep search for a tool: time limit, cancel, and its four ends told apart: found, nothing, cut, failed (T14).
import { lstat } from "node:fs/promises";
import path from "node:path";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Ripgrep } from "#electron/lib/ripgrep.ts";
import type { ToolContext } from "#electron/tools/contract.ts";
import { diskFailure, missingFile } from "./disk-failure.ts";
import { specialKind } from "./file-kind.ts";
import { ambiguousName, isMissing, settlePath, shownPath } from "./path-facts.ts";

export const SEARCH_TIMEOUT_MS = 60_000;

/** Version control's own folders are never searched; other hidden files are (issues hide in `.github`). */
export const WHERE = ["--hidden", "--no-require-git", "--glob", "!.git", "--glob", "!.hg", "--glob", "!.svn"] as const;

/** Where a search starts. `only`: a single file, as argument for ripgrep. */
export type Start = { readonly cwd: string; readonly only: string | undefined; readonly real: string; readonly shown: string };

/** The start of a search at the time of use. Links on the way were resolved and judged; none further down is followed. */
export async function settleStart(given: string, cx: ToolContext): Promise<Result<Start, ToolFailure>> {
  const settled = await settlePath(given, cx, { looseName: true });
  if (!settled.ok) return settled;
  const ambiguous = ambiguousName(given, settled.value);
  if (ambiguous !== undefined) return err(ambiguous);
  const { real } = settled.value;
  const show = (file: string) => shownPath(file, cx.place);
  try {
    const stats = await lstat(real);
    if (stats.isDirectory()) return ok({ cwd: real, only: undefined, real, shown: show(real) });
    if (stats.isFile()) return ok({ cwd: path.dirname(real), only: `.${path.sep}${path.basename(real)}`, real, shown: show(real) });
    return err({
      kind: "tool_error",
      retryable: false,
      message: `${show(real)} is ${specialKind(stats) ?? "something else"}, neither a file nor a folder; it is never opened. Choose a folder.`,
    });
  } catch (error) {
    return err(isMissing(error) ? await missingFile(real, show(real), show) : diskFailure(error, `search ${show(real)}`));
  }
}

export type SearchRequest = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly separator: 0 | 10;
  readonly onRecord: (record: string) => boolean;
};
/** `enough`: stopped by `onRecord`. `warning`: what could not be searched. `dropped`: records too long to hold. */
export type SearchEnd = { readonly enough: boolean; readonly warning: string | undefined; readonly dropped: number };

const MAX_WARNING_CHARS = 500;

export async function runSearch(ripgrep: Ripgrep, request: SearchRequest, cx: ToolContext): Promise<Result<SearchEnd, ToolFailure>> {
  const scope = cx.scope.child("search");
  const timer = cx.clock.schedule(SEARCH_TIMEOUT_MS, () => scope.abort({ by: "tool_timeout" }));
  try {
    const end = await ripgrep.run({ ...request, signal: scope.signal });
    switch (end.kind) {
      case "enough":
        return ok({ enough: true, warning: undefined, dropped: end.dropped });
      case "done":
        return ok({
          enough: false,
          warning: end.code === 2 ? end.stderr.trim().slice(0, MAX_WARNING_CHARS) || "ripgrep reported an error" : undefined,
          dropped: end.dropped,
        });
      case "failed":
        return err({
          kind: "tool_error",
          retryable: true,
          message: `The search could not be run: ${end.message}. Try again with a shorter pattern or another folder.`,
        });
      case "aborted":
        return err(stopped(scope.cause?.by === "tool_timeout"));
    }
  } finally {
    timer[Symbol.dispose]();
    await scope.close({ by: "shutdown" });
  }
}

function stopped(byTime: boolean): ToolFailure {
  return byTime
    ? {
        kind: "timeout",
        retryable: true,
        message: `The search took longer than ${SEARCH_TIMEOUT_MS / 1000} s and was stopped. Search a smaller folder, or narrow it with a glob.`,
      }
    : { kind: "aborted", retryable: false, message: "The search was stopped." };
}

/** A path as ripgrep prints it, from the start of the search, as it is shown to the model. */
export function shownHit(start: Start, printed: string, cx: ToolContext): string {
  return shownPath(path.join(start.cwd, printed), cx.place);
}

/** By code units: the same order on every machine. */
export function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
