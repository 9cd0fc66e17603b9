// Cuts a result to what the model can use: its beginning, its end, and how to get at the rest (T9).
import type { ContentPart, ModelContent } from "#shared/chat/blocks.ts";
import { headOf, tailOf, wellFormed } from "#shared/lib/text.ts";
import { countOf } from "#electron/lib/text-file.ts";

/** In UTF-16 units, per kind of tool; tools without a number limit themselves. */
export const SEARCH_RESULT_CHARS = 30_000;
export const SHELL_RESULT_CHARS = 30_000;
export const LISTING_RESULT_CHARS = 30_000;
export const FETCH_RESULT_CHARS = 50_000;
const HEAD_SHARE = 0.7;

/** Where whole results are kept. `put` answers the absolute path; it rejects when nothing could be written. */
export interface ArtefactStore {
  readonly dir: string;
  put(name: string, text: string): Promise<string>;
}

export type LimitedText = { readonly text: string; readonly cut: boolean };

export type LimitedResult = { readonly content: ModelContent; readonly cut: boolean };

/** Limits the text of a result; images stay. `name` of the stored file. Never rejects: without a place to store, it says that the rest is lost. */
export async function limitResult(content: ModelContent, max: number | undefined, name: string, store: ArtefactStore): Promise<LimitedResult> {
  const whole = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (max === undefined || whole.length <= max) return { content: content.map(sendable), cut: false };
  const stored = await store.put(name, whole).catch(() => undefined);
  return {
    content: [{ type: "text", text: limitText(whole, max, stored).text, ...sourceOf(content) }, ...content.filter((part) => part.type !== "text")],
    cut: true,
  };
}

function sendable(part: ContentPart): ContentPart {
  return part.type === "text" ? { ...part, text: wellFormed(part.text) } : part;
}

/** What is joined into one part stays data if any of it was. */
function sourceOf(content: ModelContent): { readonly from?: string } {
  for (const part of content) if (part.type === "text" && part.from !== undefined) return { from: part.from };
  return {};
}

/** First 70 % and last 30 % of `max`, never half a character; the note between is on top of it. `storedAt`: path of the whole text. */
export function limitText(whole: string, max: number, storedAt: string | undefined): LimitedText {
  if (whole.length <= max) return { text: wellFormed(whole), cut: false };
  const head = headOf(whole, Math.floor(max * HEAD_SHARE));
  const tail = tailOf(whole, max - Math.floor(max * HEAD_SHARE));
  const left = whole.slice(head.length, whole.length - tail.length);
  const firstLine = countOf(head, "\n") + 1;
  const counted = `${left.length} of ${whole.length} characters (about ${countOf(left, "\n") + 1} lines) left out here`;
  const how =
    storedAt === undefined
      ? "The whole result could not be stored; narrow the call to see the rest."
      : `The whole result is stored at ${storedAt}. Read on with read {"file_path": ${JSON.stringify(storedAt)}, "offset": ${firstLine}} or search it with grep.`;
  return { text: wellFormed(`${head}\n\n[… ${counted}. ${how} …]\n\n${tail}`), cut: true };
}
