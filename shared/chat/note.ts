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

/** True when the newest note of this source says exactly this: nothing would be gained by saying it again (C8). */
export function isSaid(history: readonly Message[], note: NoteDraft): boolean {
  const block = noteBlock(note);
  const start = block.text.slice(0, block.text.indexOf("\n"));
  const newest = history
    .filter((message) => message.role === "user")
    .flatMap((message) => message.blocks.flatMap((one) => (one.type === "text" && one.text.startsWith(start) ? [one.text] : [])))
    .at(-1);
  return newest === block.text;
}

/** Which of these sources spoke last in `history`; undefined: none of them. */
export function lastNoteOf(history: readonly Message[], sources: readonly string[]): string | undefined {
  const starts = sources.map((source) => [`${OPEN}"${source}">`, source] as const);
  for (const { role, blocks } of history.toReversed()) {
    if (role !== "user") continue;
    for (const block of blocks.toReversed()) {
      const found = block.type === "text" && block.text.startsWith(OPEN) ? starts.find(([start]) => block.text.startsWith(start)) : undefined;
      if (found !== undefined) return found[1];
    }
  }
  return undefined;
}
