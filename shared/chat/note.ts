// Words of the harness inside a conversation: wrapped in one tag, so that they never look like the person's (C8).
import { text, type Block, type Message, type TextBlock } from "./blocks.ts";

const OPEN = "<cairn-note source=";
const CLOSE = "</cairn-note>";

/** What the harness wants to add; `source` says why it is there. */
export type NoteDraft = { readonly source: string; readonly text: string };

/** The block that carries a note to the model. The same draft always gives the same bytes (C7). */
export function noteBlock(note: NoteDraft): TextBlock {
  const source = note.source.replace(/[^\w:./ -]/g, "_");
  return text(`${OPEN}"${source}">\n${note.text.replaceAll(CLOSE, "<\\/cairn-note>").trim()}\n${CLOSE}`);
}

export function isNote(block: Block): boolean {
  return block.type === "text" && block.text.startsWith(OPEN);
}

/** True when a note of this source is anywhere in `history`. */
export function hasNote(history: readonly Message[], source: string): boolean {
  const start = `${OPEN}"${source}">`;
  return history.some((message) => message.role === "user" && message.blocks.some((block) => block.type === "text" && block.text.startsWith(start)));
}
