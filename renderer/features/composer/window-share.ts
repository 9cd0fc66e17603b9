// What the model's window is filled with, by whose words they are. An estimate from lengths; pure.
import type { Block, ModelContent } from "#shared/chat/blocks.ts";
import { ancestors } from "#shared/session/branches.ts";
import type { SessionView } from "#shared/session/view.ts";

export const SOURCES = ["fixed", "you", "agent", "results"] as const;
export type Source = (typeof SOURCES)[number];

const CHARS_PER_TOKEN = 3.6;
const PICTURE_TOKENS = 1_600;

/** Shares of `used` tokens, greatest first; "fixed" is what no message accounts for: instructions and tools. */
export function shareBySource(
  { entries, head, calls }: Pick<SessionView, "entries" | "head" | "calls">,
  used: number,
): readonly { readonly source: Source; readonly share: number }[] {
  const tokens = { you: 0, agent: 0, results: 0 };
  for (const entry of ancestors(entries, head)) {
    if (entry.kind === "prompt" || entry.kind === "steer") tokens.you += ofBlocks(entry.blocks);
    else if (entry.kind === "reply") tokens.agent += ofBlocks(entry.blocks);
    else if (entry.kind === "results") tokens.results += entry.calls.reduce((sum, call) => sum + ofContent(calls[call]?.forModel ?? []), 0);
    else if (entry.kind === "compaction") {
      tokens.agent += entry.history.reduce((sum, message) => sum + ofBlocks(message.blocks), 0);
      break;
    }
  }
  const known = tokens.you + tokens.agent + tokens.results;
  // Estimates may come to more than was measured: then they share what there is.
  const scale = Math.min(1, used / Math.max(1, known));
  const parts = { fixed: Math.max(0, used - known * scale), you: tokens.you * scale, agent: tokens.agent * scale, results: tokens.results * scale };
  return SOURCES.map((source) => ({ source, share: parts[source] / Math.max(1, used) })).sort((a, b) => b.share - a.share);
}

function ofBlocks(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + ofBlock(block), 0);
}

function ofBlock(block: Block): number {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text.length / CHARS_PER_TOKEN;
    case "tool_use":
      return JSON.stringify(block.input ?? {}).length / CHARS_PER_TOKEN;
    case "tool_result":
      return ofContent(block.content);
    case "image":
    case "document":
      return PICTURE_TOKENS;
    case "opaque":
      return 0;
  }
}

function ofContent(content: ModelContent): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length / CHARS_PER_TOKEN : PICTURE_TOKENS), 0);
}
