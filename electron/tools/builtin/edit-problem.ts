// Why an edit could not be made, as the model reads it: with the real text, and the next step (C11, C12, T4). Pure.
import { oneLine } from "#shared/lib/text.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { describeNearest } from "./near-text.ts";
import type { EditProblem, TextEdit } from "./plan-edit.ts";

const SHOWN_CHARS = 80;

export function describeProblem(problem: EditProblem, edits: readonly TextEdit[], shown: string): ToolFailure {
  const which = edits.length > 1 ? `Edit ${problem.edit + 1} of ${edits.length}: ` : "";
  const none = edits.length > 1 ? " None of the edits was made." : " The file was not changed.";
  return { kind: "tool_error", retryable: true, message: `${which}${sentence(problem, edits, shown)}${none}` };
}

function sentence(problem: EditProblem, edits: readonly TextEdit[], shown: string): string {
  const old = edits[problem.edit]?.old_string ?? "";
  switch (problem.kind) {
    case "empty_old":
      return `old_string is empty, but ${shown} exists. Give the exact text to replace; to replace all of the file use write.`;
    case "no_change":
      return old === edits[problem.edit]?.new_string
        ? "old_string and new_string are the same, so there is no change to make."
        : `The edits leave ${shown} as it is, so there is no change to make.`;
    case "not_found": {
      const nearest = describeNearest(problem.text, old);
      const next =
        nearest === ""
          ? `Nothing like ${JSON.stringify(oneLine(old, SHOWN_CHARS))} is in it. Read the file again.`
          : `${nearest}\nCopy old_string from the file exactly, without line numbers.`;
      return `old_string was not found in ${shown}. ${next}`;
    }
    case "not_unique": {
      const lines = problem.lines.join(", ");
      return `old_string is in ${shown} ${problem.count} times (lines ${lines}${problem.count > problem.lines.length ? ", …" : ""}). Add lines around it until it fits one place only, or set replace_all to change every place.`;
    }
  }
}
