// Makes any history one that every provider takes (L18): what is missing is filled in, what hangs loose is removed.
// Deterministic and stable: repairing twice, or repairing a longer history, never changes what came before (C7).
import { CallId } from "#shared/lib/ids.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import { text, type Block, type ContentPart, type Message, type ToolResultBlock, type ToolUseBlock } from "./blocks.ts";
import { checkHistory, localProblems, SENDABLE_ID } from "./history-check.ts";
import { noteBlock } from "./note.ts";

export const UNKNOWN_OUTCOME = "No result was recorded: the call was interrupted. It may or may not have taken effect; check before you repeat it.";
const NO_OUTPUT: ContentPart = { type: "text", text: "(no output)" };
const GO_ON = noteBlock({ source: "continue", text: "Continue from here." });

/** The same array when nothing is wrong. `forSending` also makes it begin and end with a user message. */
export function repairHistory(history: readonly Message[], forSending = false): readonly Message[] {
  if (checkHistory(history, forSending).length === 0) return history;
  const repaired = linkMessages(mergeRoles(history.map(cleanMessage).filter((message) => message.blocks.length > 0)));
  return forSending ? framed(repaired) : repaired;
}

function framed(history: readonly Message[]): readonly Message[] {
  const first = history[0]?.role === "user" ? [] : [{ role: "user", blocks: [GO_ON] } as const];
  const last = history.at(-1)?.role === "assistant" ? [{ role: "user", blocks: [GO_ON] } as const] : [];
  return [...first, ...history, ...last];
}

function cleanMessage(message: Message): Message {
  if (localProblems(message).length === 0) return message;
  const blocks = message.blocks.flatMap((block) => cleanBlock(block, message.role));
  if (message.role === "assistant") while (blocks.at(-1)?.type === "thinking") blocks.pop();
  return { role: message.role, blocks };
}

function cleanBlock(block: Block, role: Message["role"]): readonly Block[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [{ ...block, text: wellFormed(block.text) }];
    case "image":
    case "document":
      return role === "user" ? [block] : [];
    case "tool_result":
      return role === "user" ? [{ ...block, content: cleanContent(block.content) }] : [];
    case "tool_use":
      return role === "assistant" ? [{ ...block, id: sendableId(block.id), name: sendableName(block.name) }] : [];
    case "thinking":
    case "opaque":
      return role === "assistant" ? [block] : [];
  }
}

function cleanContent(content: readonly ContentPart[]): ContentPart[] {
  const kept = content.flatMap((part): ContentPart[] => {
    if (part.type !== "text") return [part];
    return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
  });
  return kept.length === 0 ? [NO_OUTPUT] : kept;
}

/** A name that any protocol takes; an unknown tool may have been called anything. */
export function sendableName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return safe === "" ? "unknown" : safe;
}

function sendableId(id: string): CallId {
  return CallId.parse(SENDABLE_ID.test(id) ? id : `x${sendableName(id)}`.slice(0, 64));
}

function mergeRoles(history: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of history) {
    const last = merged.at(-1);
    if (last?.role === message.role) merged[merged.length - 1] = { role: message.role, blocks: [...last.blocks, ...message.blocks] };
    else merged.push(message);
  }
  return merged;
}

type Renamed = { readonly from: string; readonly to: CallId };

/** Gives every call a unique id and exactly one result, first in the next message and in call order. */
function linkMessages(history: readonly Message[]): readonly Message[] {
  const used = new Set<string>();
  const linked: Message[] = [];
  let open: readonly Renamed[] = [];
  for (const message of history) {
    if (message.role === "assistant") {
      const unique = uniqueCalls(message, used);
      open = unique.calls;
      linked.push(unique.message);
      continue;
    }
    const answered = answerCalls(message, open);
    open = [];
    if (answered.blocks.length > 0) linked.push(answered);
  }
  if (open.length > 0) linked.push(answerCalls({ role: "user", blocks: [] }, open));
  return mergeRoles(linked);
}

function uniqueCalls(message: Message, used: Set<string>): { readonly message: Message; readonly calls: readonly Renamed[] } {
  const calls: Renamed[] = [];
  const blocks = message.blocks.map((block): Block => {
    if (block.type !== "tool_use") return block;
    const to = freeId(block.id, used);
    calls.push({ from: block.id, to });
    return to === block.id ? block : { ...block, id: to };
  });
  return { message: calls.every((call) => call.from === call.to) ? message : { role: "assistant", blocks }, calls };
}

function freeId(id: ToolUseBlock["id"], used: Set<string>): CallId {
  let free = id;
  for (let n = 2; used.has(free); n++) free = CallId.parse(`${id.slice(0, 58)}-${n}`);
  used.add(free);
  return free;
}

function answerCalls(message: Message, open: readonly Renamed[]): Message {
  const results = message.blocks.filter((block): block is ToolResultBlock => block.type === "tool_result");
  if (open.length === 0 && results.length === 0) return message;
  const others = message.blocks.filter((block) => block.type !== "tool_result");
  const left = [...results];
  const answers = open.map((call): ToolResultBlock => {
    const place = left.findIndex((result) => result.id === call.from || result.id === call.to);
    const [found] = place < 0 ? [] : left.splice(place, 1);
    if (found !== undefined) return found.id === call.to ? found : { ...found, id: call.to };
    return { type: "tool_result", id: call.to, content: [text(UNKNOWN_OUTCOME)], isError: true };
  });
  const same = answers.length === results.length && answers.every((answer, k) => answer === message.blocks[k]);
  return same ? message : { role: "user", blocks: [...answers, ...others] };
}
