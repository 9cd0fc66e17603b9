// What people's hooks say to a session's start and to a prompt (H1): words for the model, or a stop before anything is sent.
import { type Block, plainText } from "#shared/chat/blocks.ts";
import { noteBlock, type NoteDraft } from "#shared/chat/note.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { HookOutcome, HookRunner } from "#electron/hooks/contract.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { LoopEvent, Steering, TurnStart } from "#electron/loop/contract.ts";
import { notice } from "#electron/loop/notices.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";

/** How much of a message is repeated when a hook held it back. */
const REFUSED_CHARS = 2_000;

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
  const said = heard([...begun, ...(await promptSubmitted(hooks, start.prompt.blocks, signal))]);
  if (said.kind === "no") {
    return {
      kind: "stop",
      end: { why: "failed", notice: { key: "notices.hook_stopped" }, detail: said.reason, action: "none", steps: 0, requests: 0, lostSteps: 0 },
    };
  }
  const drafts = said.notes;
  const notes = drafts.map((draft): LoopEvent => ({ type: "note", step: 0, text: draft.text, source: draft.source }));
  return { kind: "go", start: { ...start, prompt: { role: "user", blocks: [...start.prompt.blocks, ...drafts.map(noteBlock)] } }, notes };
}

/** What the person queued while the turn ran: each message is a prompt of its own to the hooks (H1, L17). Never rejects. */
export async function heedSteering(hooks: HookRunner, env: Pick<TurnEnv, "view" | "scope">): Promise<Steering | undefined> {
  const verdicts = new Map<string, Heard>();
  for (const { id, blocks } of env.view().queue) verdicts.set(id, heard(await promptSubmitted(hooks, blocks, env.scope.signal)));
  // The person may have taken one back while a hook was thinking; what came meanwhile waits for the next boundary.
  const items = env.view().queue.flatMap((item) => {
    const verdict = verdicts.get(item.id);
    return verdict === undefined ? [] : [{ ...item, verdict }];
  });
  if (items.length === 0) return undefined;
  const passed = items.filter((item) => item.verdict.kind === "yes");
  return {
    blocks: passed.flatMap((item) => item.blocks),
    queueIds: passed.map((item) => item.id),
    notes: items.flatMap(({ verdict }) => (verdict.kind === "yes" ? verdict.notes : [])),
    refused: items.flatMap(({ id, blocks, verdict }) => {
      if (verdict.kind === "yes") return [];
      return [{ queueId: id, notice: notice("hook_refused_message", { message: oneLine(plainText(blocks), REFUSED_CHARS), reason: verdict.reason }) }];
    }),
  };
}

type Heard = { readonly kind: "yes"; readonly notes: readonly NoteDraft[] } | { readonly kind: "no"; readonly reason: string };

function promptSubmitted(hooks: HookRunner, blocks: readonly Block[], signal: AbortSignal): Promise<readonly HookOutcome[]> {
  return hooks.run("UserPromptSubmit", "", { prompt: plainText(blocks) }, signal);
}

function heard(said: readonly HookOutcome[]): Heard {
  const no = said.find((outcome) => outcome.kind === "block" || outcome.kind === "stop");
  if (no !== undefined) return { kind: "no", reason: no.reason };
  return { kind: "yes", notes: said.flatMap((outcome): NoteDraft[] => (outcome.kind === "context" ? [{ source: "hook", text: outcome.text }] : [])) };
}
