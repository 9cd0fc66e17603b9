// The question before a file is changed: the change itself, or only the path where it could not be worked out.
import type { Result } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { AskCard, Place } from "#electron/tools/contract.ts";
import type { CurrentFile } from "./change-file.ts";
import { fileDiff } from "./file-diff.ts";
import { type NamedFile, namedFile } from "./open-file.ts";
import { pathFactsOf } from "./path-facts.ts";

/** `current` is undefined for a new file, and `before` then empty. */
export type PlannedChange = { readonly current: CurrentFile | undefined; readonly before: string; readonly after: string };

/** `verb` is for a file that is there. A path over the network is not touched before the person agreed, so nothing is worked out for it. */
export async function changeCard(
  verb: "edit_file" | "overwrite_file",
  given: string,
  place: Place,
  planFor: (file: NamedFile) => Promise<Result<PlannedChange, ToolFailure>>,
): Promise<AskCard> {
  const facts = await pathFactsOf(given, place, { looseName: false });
  const file = namedFile(facts.real, place);
  const plan = facts.network === undefined ? await planFor(file) : undefined;
  if (plan === undefined || !plan.ok) return { verb, subject: file.shown, detail: { kind: "path", path: file.real } };
  const { current, before, after } = plan.value;
  return {
    verb: current === undefined ? "create_file" : verb,
    subject: file.shown,
    detail: { kind: "diff", diff: fileDiff(file.shown, before, after) },
  };
}
