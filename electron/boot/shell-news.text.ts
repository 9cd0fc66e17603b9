// Tells the model that a background command is over, since nothing else would (C8: said once).
import type { NoteDraft } from "#shared/chat/note.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { BackgroundShell } from "#electron/shells/contract.ts";

const COMMAND_CHARS = 120;

export function endedNote({ id, run }: BackgroundShell): NoteDraft {
  const { result, command } = run;
  const how =
    result?.stopped?.by === "person"
      ? "was ended by the user"
      : result?.signal != null
        ? `ended by signal ${result.signal}`
        : `ended with exit code ${result?.exitCode ?? "unknown"}`;
  return { source: "background", text: `The background command ${id} (${oneLine(command, COMMAND_CHARS)}) ${how}. bash_output gives what it printed last.` };
}
