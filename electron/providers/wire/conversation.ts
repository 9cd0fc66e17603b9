// History made ready for any wire: what this model may not or cannot get is taken out, what is left is well-formed (A04, A10, A15).
// The rules here are those that all providers share; shapes are made in each to-wire.
import { wellFormed, isBlank } from "#shared/lib/text.ts";
import type { Block, ContentPart, Maker, Message } from "#shared/chat/blocks.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { isObject } from "./call-input.ts";

/** Bytes of images and documents by reference, as base64; a reference that is missing here is gone. */
export type Blobs = ReadonlyMap<string, string>;

export type SentImage = { readonly type: "image"; readonly mediaType: string; readonly data: string };
export type SentPart = { readonly type: "text"; readonly text: string } | SentImage;
export type SentBlock =
  | SentPart
  | { readonly type: "document"; readonly mediaType: string; readonly name: string; readonly data: string }
  | Extract<Block, { type: "thinking" | "opaque" | "tool_use" }>
  | { readonly type: "tool_result"; readonly id: string; readonly parts: readonly SentPart[]; readonly isError: boolean };
export type SentMessage = {
  readonly role: "user" | "assistant";
  readonly blocks: readonly SentBlock[] /** thinking of another model was taken out */;
  readonly foreign: boolean;
};

export type Reader = {
  readonly maker: Maker;
  readonly blobs: Blobs;
  /** pictures and documents that this server refused before */
  refused(ref: string): boolean;
  readonly images: boolean /** a provider that refused its own thinking gets none of it back */;
  readonly withoutThinking: boolean;
};

export const NO_OUTPUT = "(no output)";

export type ConversationOf = (messages: readonly Message[], reader: Reader) => readonly SentMessage[];

/**
 * Cleans the whole history; neighbours of one role become one message, results come before all else. Each message is cleaned once for
 * as long as it lives and the same model reads it, so that a step costs what is new in it. Messages with pictures or documents are
 * cleaned each time, because what they refer to may go.
 */
export function createConversation(): ConversationOf {
  let known = { key: "", messages: new WeakMap<Message, SentMessage>() };
  return (messages, reader) => {
    const key = JSON.stringify([reader.maker, reader.images, reader.withoutThinking]);
    if (known.key !== key) known = { key, messages: new WeakMap() };
    const clean = (message: Message): SentMessage => {
      const before = known.messages.get(message);
      if (before !== undefined) return before;
      const sent = cleaned(message, reader);
      if (refsOf(message).length === 0) known.messages.set(message, sent);
      return sent;
    };
    return joined(messages.map(clean));
  };
}

function cleaned(message: Message, reader: Reader): SentMessage {
  const blocks = message.blocks.flatMap((block) => sentBlock(block, reader));
  const foreign = message.role === "assistant" && message.blocks.some((block) => isModelOnly(block) && !mayReturn(block, reader));
  return { role: message.role, blocks: message.role === "user" ? resultsFirst(blocks) : blocks, foreign };
}

function joined(messages: readonly SentMessage[]): readonly SentMessage[] {
  const sent: SentMessage[] = [];
  for (const message of messages) {
    const last = sent.at(-1);
    if (last?.role === message.role) {
      const blocks = [...last.blocks, ...message.blocks];
      sent[sent.length - 1] = { role: last.role, blocks: last.role === "user" ? resultsFirst(blocks) : blocks, foreign: last.foreign || message.foreign };
    } else if (message.blocks.length > 0) sent.push(message);
  }
  return sent;
}

/** References whose bytes the request needs, each once. */
export function blobRefs(messages: readonly Message[]): readonly string[] {
  const refs = new Set<string>();
  for (const message of messages) for (const ref of refsOf(message)) refs.add(ref);
  return [...refs];
}

const NO_REFS: readonly string[] = [];
/** Asked before every request about every message, of which hardly one has any. */
const knownRefs = new WeakMap<Message, readonly string[]>();

function refsOf(message: Message): readonly string[] {
  const before = knownRefs.get(message);
  if (before !== undefined) return before;
  const refs = message.blocks.flatMap((block) => {
    if (block.type === "image" || block.type === "document") return [block.ref];
    return block.type === "tool_result" ? block.content.flatMap((part) => (part.type === "image" ? [part.ref] : [])) : [];
  });
  knownRefs.set(message, refs.length === 0 ? NO_REFS : refs);
  return refs;
}

function resultsFirst(blocks: readonly SentBlock[]): readonly SentBlock[] {
  return [...blocks.filter((block) => block.type === "tool_result"), ...blocks.filter((block) => block.type !== "tool_result")];
}

function sentBlock(block: Block, reader: Reader): readonly SentBlock[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [{ type: "text", text: wellFormed(block.text) }];
    case "image":
      return [sentImage(block.ref, block.mediaType, reader)];
    case "document": {
      if (reader.refused(block.ref)) return [note(`the document ${wellFormed(block.name)} was left out: the server refused it`)];
      const data = reader.blobs.get(block.ref);
      const name = wellFormed(block.name);
      return [data === undefined ? note(`the document ${name} is no longer available`) : { type: "document", mediaType: block.mediaType, name, data }];
    }
    case "thinking":
    case "opaque":
      return mayReturn(block, reader) ? [block] : [];
    case "tool_use":
      return [{ ...block, input: block.invalid === undefined && isObject(block.input) ? wellFormedDeep(block.input) : {} }];
    case "tool_result":
      return [{ type: "tool_result", id: block.id, parts: resultParts(block.content, reader), isError: block.isError }];
    default:
      return assertNever(block);
  }
}

type ModelOnly = Extract<Block, { type: "thinking" | "opaque" }>;

function isModelOnly(block: Block): block is ModelOnly {
  return block.type === "thinking" || block.type === "opaque";
}

/** Thinking goes back only to the model that made it, whole and unchanged (A09, A10). */
function mayReturn(block: ModelOnly, reader: Reader): boolean {
  if (reader.withoutThinking || block.by.provider !== reader.maker.provider || block.by.model !== reader.maker.model) return false;
  return block.type === "opaque" || (block.partial !== true && wellFormed(block.text) === block.text);
}

function resultParts(content: readonly ContentPart[], reader: Reader): readonly SentPart[] {
  const parts = content.flatMap((part): readonly SentPart[] => {
    if (part.type === "image") return [sentImage(part.ref, part.mediaType, reader)];
    return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
  });
  return parts.length === 0 ? [{ type: "text", text: NO_OUTPUT }] : parts;
}

function sentImage(ref: string, mediaType: string, reader: Reader): SentPart {
  const data = reader.blobs.get(ref);
  if (reader.refused(ref)) return note(`an image (${mediaType}) was left out: the server refused it`);
  if (!reader.images) return note(`an image (${mediaType}) was left out: this model cannot see images`);
  return data === undefined ? note(`an image (${mediaType}) is no longer available`) : { type: "image", mediaType, data };
}

function note(text: string): SentPart {
  return { type: "text", text: `[${text}]` };
}

function wellFormedDeep(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedDeep);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormed(key), wellFormedDeep(member)]));
}
