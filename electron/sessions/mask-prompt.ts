// Keys that a person pasted do not reach the log or a model (R3).
import type { Block } from "#shared/chat/blocks.ts";

export type MaskedPrompt = { readonly blocks: readonly Block[] /** something was masked, and the person should hear of it */; readonly masked: boolean };

export function maskPrompt(blocks: readonly Block[], redact: (text: string) => string): MaskedPrompt {
  let masked = false;
  const clean = blocks.map((block) => {
    if (block.type !== "text") return block;
    const text = redact(block.text);
    masked ||= text !== block.text;
    return text === block.text ? block : { ...block, text };
  });
  return { blocks: clean, masked };
}
