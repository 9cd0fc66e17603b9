// What people's hooks say to a session's start and to a prompt (H1): words for the model, or a stop before anything is sent.
import { plainText } from "#shared/chat/blocks.ts";
import { noteBlock, type NoteDraft } from "#shared/chat/note.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import type { LoopEvent, TurnStart } from "#electron/loop/contract.ts";

export type HeededPrompt =
  | { readonly kind: "go"; readonly start: TurnStart; readonly notes: readonly LoopEvent[] }
  | { readonly kind: "stop"; readonly end: TurnEnd };

export type SessionBeginning = { readonly source: "startup" | "resume"; readonly model: string };

/** Never rejects. `beginning`: set for the first turn of a session in this run. */
export async function heedPromptHooks(
  hooks: HookRunner,
  start: TurnStart,
  beginning: SessionBeginning | undefined,
  signal: AbortSignal,
): Promise<HeededPrompt> {
  const begun = beginning === undefined ? [] : await hooks.run("SessionStart", beginning.source, beginning, signal);
  const said = [...begun, ...(await hooks.run("UserPromptSubmit", "", { prompt: plainText(start.prompt.blocks) }, signal))];
  for (const outcome of said) {
    if (outcome.kind !== "block" && outcome.kind !== "stop") continue;
    return {
      kind: "stop",
      end: { why: "failed", notice: { key: "notices.hook_stopped" }, detail: outcome.reason, action: "none", steps: 0, requests: 0, lostSteps: 0 },
    };
  }
  const drafts = said.flatMap((outcome): NoteDraft[] => (outcome.kind === "context" ? [{ source: "hook", text: outcome.text }] : []));
  const notes = drafts.map((draft): LoopEvent => ({ type: "note", step: 0, text: draft.text, source: draft.source }));
  return { kind: "go", start: { ...start, prompt: { role: "user", blocks: [...start.prompt.blocks, ...drafts.map(noteBlock)] } }, notes };
}
