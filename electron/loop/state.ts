// The turn's one state: how it begins and how it grows. What steers it (`used`, `once`, `transition`) is out of reach here.
import type { Block, Message } from "#shared/chat/blocks.ts";
import { noteBlock, type NoteDraft } from "#shared/chat/note.ts";
import type { Growth, LoopState, TurnStart } from "./contract.ts";
import { NOTHING_USED } from "./transitions.ts";

export function initialState(start: TurnStart): LoopState {
  return {
    history: withUserBlocks(start.history, start.prompt.blocks),
    step: 0,
    requests: 0,
    lostSteps: 0,
    transition: undefined,
    used: NOTHING_USED,
    once: new Set(),
    maxTokens: undefined,
    gaveText: false,
    spentTokens: 0,
    backoffMs: 0,
    smallContinuations: 0,
    cutCalls: 0,
    denied: 0,
    onFallback: false,
  };
}

export function grow(state: LoopState, growth: Growth): LoopState {
  return { ...state, ...growth };
}

/** Adds to the newest user message, or begins one: a request never has two user messages in a row. */
export function withUserBlocks(history: readonly Message[], blocks: readonly Block[]): readonly Message[] {
  if (blocks.length === 0) return history;
  const last = history.at(-1);
  if (last?.role !== "user") return [...history, { role: "user", blocks }];
  return [...history.slice(0, -1), { role: "user", blocks: [...last.blocks, ...blocks] }];
}

export function withNotes(history: readonly Message[], notes: readonly NoteDraft[]): readonly Message[] {
  return withUserBlocks(history, notes.map(noteBlock));
}

/** A reply without any block is nothing that could be sent, so it leaves no message. */
export function withReply(history: readonly Message[], blocks: readonly Block[]): readonly Message[] {
  return blocks.length === 0 ? history : [...history, { role: "assistant", blocks }];
}
