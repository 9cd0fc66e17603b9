// How many tokens a history takes: estimated per message once, made exact by what the provider reported last (C4).
import { estimateTokenCount } from "tokenx";
import type { Block, ContentPart, Message } from "#shared/chat/blocks.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { IMAGE_TOKENS, MESSAGE_TOKENS, SAMPLE_CHARS, SAMPLED_ABOVE_CHARS } from "./limits.ts";

export interface Estimator {
  message(message: Message): number;
  history(history: readonly Message[]): number;
}

/** Each block is counted once as long as it lives; layers and merges make new messages of the same blocks. */
export function createEstimator(): Estimator {
  const known = new WeakMap<Block, number>();
  const ofBlock = (block: Block) => {
    const cached = known.get(block);
    if (cached !== undefined) return cached;
    const tokens = blockTokens(block);
    known.set(block, tokens);
    return tokens;
  };
  const message = (one: Message) => one.blocks.reduce((sum, block) => sum + ofBlock(block), MESSAGE_TOKENS);
  return { message, history: (history) => history.reduce((sum, one) => sum + message(one), 0) };
}

/** Estimated; of a long text three samples stand for the whole, so that a huge result costs no more than a small one. */
export function textTokens(text: string): number {
  if (text.length <= SAMPLED_ABOVE_CHARS) return estimateTokenCount(text);
  const middle = Math.floor((text.length - SAMPLE_CHARS) / 2);
  const samples = [0, middle, text.length - SAMPLE_CHARS].map((from) => text.slice(from, from + SAMPLE_CHARS));
  const tokens = samples.reduce((sum, sample) => sum + estimateTokenCount(sample), 0);
  return Math.round((tokens * text.length) / (SAMPLE_CHARS * samples.length));
}

export function blockTokens(block: Block): number {
  switch (block.type) {
    case "text":
    case "thinking":
      return textTokens(block.text);
    case "image":
    case "document":
      return IMAGE_TOKENS;
    case "opaque":
      return textTokens(JSON.stringify(block.data) ?? "");
    case "tool_use":
      return textTokens(block.name) + textTokens(JSON.stringify(block.input) ?? "");
    case "tool_result":
      return contentTokens(block.content);
    default:
      return assertNever(block);
  }
}

export function contentTokens(content: readonly ContentPart[]): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? textTokens(part.text) : IMAGE_TOKENS), 0);
}

export interface Meter {
  /** tokens of a request with this history */
  measure(history: readonly Message[]): number;
  /** the provider counted so many for this history */
  saw(history: readonly Message[], tokens: number): void;
}

/** Bounds of how far a provider's count may be from the estimate; beyond them it counted something else, and the estimate stands alone. */
const RATIO = { min: 0.5, max: 4 } as const;

/** `fixedTokens`: estimate of system prompt and tools. */
export function createMeter(estimator: Estimator, fixedTokens: () => number): Meter {
  let seen: { readonly history: readonly Message[]; readonly tokens: number } | undefined;
  let ratio = 1;
  const begins = (history: readonly Message[], start: readonly Message[]) =>
    start.length <= history.length && start.every((message, k) => history[k] === message);
  return {
    measure(history) {
      if (seen === undefined || !begins(history, seen.history)) return Math.round((fixedTokens() + estimator.history(history)) * ratio);
      return Math.round(seen.tokens + estimator.history(history.slice(seen.history.length)) * ratio);
    },
    saw(history, tokens) {
      const estimate = fixedTokens() + estimator.history(history);
      const counted = tokens / Math.max(1, estimate);
      // One ruler for both: a count that cannot be right must not measure "before" while the estimate measures "after".
      const plausible = counted >= RATIO.min && counted <= RATIO.max;
      ratio = plausible ? counted : 1;
      seen = plausible ? { history, tokens } : undefined;
    },
  };
}
