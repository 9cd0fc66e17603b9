// What became of calls that had no chance to say so: judged by what the log was told beforehand and by what now stands on the disk
// (S2). Nothing is run again and nothing is written.
import { assertNever } from "#shared/lib/assert-never.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { CallView, SessionView } from "#shared/session/view.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { FileIntent, Interrupted } from "#shared/tools/recovery.ts";
import { hashOfFile } from "#electron/lib/file-hash.ts";

/** Hash of the file at a path now; null: there is none. A path that cannot be read is left out. */
export type HashesNow = ReadonlyMap<string, string | null>;

/** Of the files that the open calls of the running turn meant to write. Never rejects. */
export async function hashesNow(view: SessionView): Promise<HashesNow> {
  const paths = new Set(openCalls(view).flatMap((call) => call.begun?.files.map((file) => file.path) ?? []));
  const hashes = new Map<string, string | null>();
  for (const path of paths) {
    const hash = await hashOfFile(path).catch(() => undefined);
    if (hash !== undefined) hashes.set(path, hash);
  }
  return hashes;
}

/** Calls of the running turn that began and have no outcome. */
export function openCalls(view: SessionView): readonly CallView[] {
  return Object.values(view.calls).filter((call) => call.state === "running" && call.turn === view.turn?.id);
}

/** Pure. */
export function judge(call: CallView | undefined, hashes: HashesNow): Interrupted {
  if (call?.startedAt === undefined) return "not_run";
  const { readOnly, idempotency, files } = call.begun ?? { readOnly: false, idempotency: "none", files: [] };
  if (readOnly) return "repeatable";
  if (idempotency !== "compare_and_swap") return "unknown";
  // Such a call tells the log before its first byte: what said nothing wrote nothing.
  if (files.length === 0) return "not_done";
  const standing = newest(files).map((file) => standingOf(file, hashes));
  if (standing.every((one) => one === "after")) return "done";
  return standing.every((one) => one === "before") ? "not_done" : "unknown";
}

/** A file that was meant to be written twice stands before the first of them or after the last. */
function newest(files: readonly FileIntent[]): readonly FileIntent[] {
  const last = new Map<string, FileIntent>();
  for (const file of files) last.set(file.path, { ...file, before: last.get(file.path)?.before ?? file.before });
  return [...last.values()];
}

function standingOf({ path, before, after }: FileIntent, hashes: HashesNow): "before" | "after" | "other" {
  const now = hashes.get(path);
  if (now === after) return "after";
  return now === before ? "before" : "other";
}

/** What takes the place of the result that never came. */
export function outcomeOfInterrupted(call: CallId, interrupted: Interrupted): ToolOutcome {
  const message = messageOf(interrupted);
  const base = { callId: call, metrics: { ms: 0, bytes: 0 }, forModel: [{ type: "text" as const, text: message }], display: "full" as const, interrupted };
  return interrupted === "done" ? { status: "ok", ...base } : { status: "failed", ...base, failure: { kind: "aborted", retryable: true, message } };
}

function messageOf(interrupted: Interrupted): string {
  switch (interrupted) {
    case "not_run":
      return "The call was interrupted before it ran. Nothing was done; make it again if it is still wanted.";
    case "repeatable":
      return "The call was interrupted while it ran. It only reads, so it changed nothing; make it again if you still need the answer.";
    case "done":
      return "The call was interrupted before it could report, but it was done: the file holds exactly what it was to write. Do not repeat it.";
    case "not_done":
      return "The call was interrupted before it wrote anything: the file is as it was before. Make it again if it is still wanted.";
    case "unknown":
      return "The call was interrupted while it ran, so its outcome is unknown: part of it may have happened. Check before you repeat it.";
    default:
      return assertNever(interrupted);
  }
}
