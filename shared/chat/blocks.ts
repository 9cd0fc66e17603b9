// What a conversation is made of. One vocabulary for every provider; wire shapes live in the provider adapters only.
import { z } from "zod";
import { CallId } from "#shared/lib/ids.ts";

/** Who made a block: thinking and opaque blocks go back only to the provider and model that made them. */
export const Maker = z.object({ provider: z.string(), model: z.string() });
export type Maker = z.infer<typeof Maker>;

/** Part of a tool result. `ref` names bytes in the session's blob folder; `from`: text from outside, and where it comes from (P8). */
export const ContentPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), from: z.string().exactOptional() }),
  z.object({ type: z.literal("image"), ref: z.string(), mediaType: z.string() }),
]);
export type ContentPart = z.infer<typeof ContentPart>;
export const ModelContent = z.array(ContentPart);
export type ModelContent = readonly ContentPart[];

export const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
export type TextBlock = z.infer<typeof TextBlock>;

/** Arguments of a call that are no object of sensible depth, and why. */
export const InvalidInput = z.object({ raw: z.string(), why: z.enum(["not_json", "not_object", "too_deep", "cut"]) });
export type InvalidInput = Readonly<z.infer<typeof InvalidInput>>;

export const ToolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: CallId,
  name: z.string(),
  /** parsed arguments; `{}` when they did not parse, with `invalid` saying so */
  input: z.unknown(),
  /** the arguments as they came when they are not a JSON object: never repaired, never sent back, never run (L25) */
  invalid: InvalidInput.optional(),
  /** provider-side item id, kept for protocols that pair reasoning with items */
  item: z.string().optional(),
});
export type ToolUseBlock = z.infer<typeof ToolUseBlock>;

export const ToolResultBlock = z.object({ type: z.literal("tool_result"), id: CallId, content: ModelContent, isError: z.boolean() });
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

export const Block = z.discriminatedUnion("type", [
  TextBlock,
  z.object({ type: z.literal("image"), ref: z.string(), mediaType: z.string() }),
  z.object({ type: z.literal("document"), ref: z.string(), mediaType: z.string(), name: z.string() }),
  z.object({ type: z.literal("thinking"), text: z.string(), signature: z.string().optional(), by: Maker, partial: z.boolean().optional() }),
  z.object({ type: z.literal("opaque"), by: Maker, data: z.unknown() }),
  ToolUseBlock,
  ToolResultBlock,
]);
export type Block = z.infer<typeof Block>;

export const Message = z.object({ role: z.enum(["user", "assistant"]), blocks: z.array(Block) });
export type Message = { readonly role: "user" | "assistant"; readonly blocks: readonly Block[] };

export function text(content: string): TextBlock {
  return { type: "text", text: content };
}

export function toolUsesOf(blocks: readonly Block[]): readonly ToolUseBlock[] {
  return blocks.filter((block) => block.type === "tool_use");
}

/** The text a person would read in these blocks, blocks joined by blank lines. */
export function plainText(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

export function contentText(content: ModelContent): string {
  return content.map((part) => (part.type === "text" ? part.text : `[image ${part.mediaType}]`)).join("\n");
}
