// Looking up and replacing tool results in a history. Pairs are never touched, only what a result says (C6).
import { contentText, text, type ContentPart, type Message, type ToolResultBlock, type ToolUseBlock } from "#shared/chat/blocks.ts";

export type ResultPlace = { readonly at: number; readonly result: ToolResultBlock; readonly use: ToolUseBlock | undefined };

/** All results, oldest first, each with the call it answers. */
export function resultsIn(history: readonly Message[]): readonly ResultPlace[] {
  const uses = new Map<string, ToolUseBlock>();
  return history.flatMap((message, at) =>
    message.blocks.flatMap((block): readonly ResultPlace[] => {
      if (block.type === "tool_use") uses.set(block.id, block);
      return block.type === "tool_result" ? [{ at, result: block, use: uses.get(block.id) }] : [];
    }),
  );
}

/** New contents by call id; messages without a change keep their identity. */
export function withContents(history: readonly Message[], contents: ReadonlyMap<string, readonly ContentPart[]>): readonly Message[] {
  if (contents.size === 0) return history;
  return history.map((message) => {
    if (!message.blocks.some((block) => block.type === "tool_result" && contents.has(block.id))) return message;
    const blocks = message.blocks.map((block) => {
      const content = block.type === "tool_result" ? contents.get(block.id) : undefined;
      return block.type === "tool_result" && content !== undefined ? { ...block, content: [...content] } : block;
    });
    return { role: message.role, blocks };
  });
}

const MARK = "[Removed to save space";

/** `what`: what was there; the model reads it as the result. */
export function placeHolder(what: string): readonly ContentPart[] {
  return [text(`${MARK}: ${what}]`)];
}

export function isPlaceHolder(result: ToolResultBlock): boolean {
  return contentText(result.content).includes(MARK);
}
