// Text from outside, marked for the model as data with its source (P8). The mark cannot be closed from inside: its name is one that the
// text does not hold. Nothing in the text itself is changed, so what the model copies out of it still fits the file.
import { headOf, oneLine } from "#shared/lib/text.ts";
import type { ContentPart, ModelContent } from "./blocks.ts";

const SOURCE_CHARS = 160;
/** The tag as a model might still read it: spaces, letter case, wide and invisible characters do not hide it. */
const TAG = /<\s*\/?\s*data(?:-(\d+))?/gi;

/** The parts as a model gets them: those with a source in marks, the others as they are. The same parts always give the same bytes (C7). */
export function markedContent(content: ModelContent): ContentPart[] {
  return content.map((part) => (part.type === "text" ? { type: "text", text: part.from === undefined ? part.text : marked(part.text, part.from) } : part));
}

function marked(text: string, from: string): string {
  const tag = freeTag(text);
  return `<${tag} from="${sourceName(from)}">\n${text}\n</${tag}>`;
}

function freeTag(text: string): string {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const taken = new Set([...plain.matchAll(TAG)].map((found) => (found[1] ?? "1").replace(/^0+(?=\d)/, "")));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return number === 1 ? "data" : `data-${number}`;
}

function sourceName(from: string): string {
  return headOf(oneLine(from, SOURCE_CHARS).replace(/["<>&]/g, "_"), SOURCE_CHARS);
}
