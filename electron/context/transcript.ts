// A history as plain text for a summariser: the person's words whole, results cut, the middle left out when it is still too long.
import { contentText, plainText, type Block, type Message } from "#shared/chat/blocks.ts";
import { headOf, tailOf } from "#shared/lib/text.ts";
import { PERSON_WORDS_CHARS, SUMMARY_RESULT_CHARS } from "./limits.ts";
import { personBlocks } from "./layers.ts";

export function transcriptOf(history: readonly Message[], maxChars: number): string {
  const whole = history
    .map(messageText)
    .filter((part) => part !== "")
    .join("\n\n");
  if (whole.length <= maxChars) return whole;
  const head = headOf(whole, Math.floor(maxChars * 0.4));
  const tail = tailOf(whole, Math.floor(maxChars * 0.6));
  return `${head}\n\n[… ${whole.length - head.length - tail.length} characters of the record left out …]\n\n${tail}`;
}

function messageText(message: Message): string {
  return message.blocks.flatMap((block) => blockText(block, message.role)).join("\n");
}

function blockText(block: Block, role: Message["role"]): readonly string[] {
  switch (block.type) {
    case "text":
      return [`${role === "user" ? "USER" : "AGENT"}: ${block.text}`];
    case "tool_use":
      return [`CALL ${block.name} ${headOf(JSON.stringify(block.input) ?? "", SUMMARY_RESULT_CHARS)}`];
    case "tool_result": {
      const body = contentText(block.content);
      const cut = body.length > SUMMARY_RESULT_CHARS ? `${headOf(body, SUMMARY_RESULT_CHARS)} […]` : body;
      return [`${block.isError ? "FAILED" : "RESULT"}: ${cut}`];
    }
    case "image":
    case "document":
      return [`USER sent a ${block.type}`];
    default:
      return [];
  }
}

/** What the person said, newest kept first when it is too much; a rejection must outlive any summary (C5). */
export function personWords(history: readonly Message[]): string {
  const said = history.map((message) => plainText(personBlocks(message)).trim()).filter((words) => words !== "");
  const kept: string[] = [];
  let room = PERSON_WORDS_CHARS;
  for (const words of said.reverse()) {
    if (room <= 0) break;
    kept.unshift(`- ${headOf(words, room)}`);
    room -= words.length;
  }
  return kept.join("\n");
}
