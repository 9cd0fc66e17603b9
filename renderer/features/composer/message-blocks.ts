// A message as the engine takes it: pictures first, as models like them, then the words, then long texts under their names (U8).
import type { Client } from "#renderer/bridge/client.ts";
import type { Attachment } from "#shared/attachments/attachment.ts";
import { type Block, text } from "#shared/chat/blocks.ts";
import { isBlank } from "#shared/lib/text.ts";

/** Undefined: a long text is no longer there. */
export async function messageBlocks(client: Client, words: string, attachments: readonly Attachment[]): Promise<Block[] | undefined> {
  const pictures = attachments.filter((one) => one.kind === "picture").map(({ ref, mediaType }): Block => ({ type: "image", ref, mediaType }));
  const texts: Block[] = [];
  for (const { kind, ref, name } of attachments) {
    if (kind !== "text") continue;
    const got = await client.attachments.get({ ref });
    if (!got.ok || got.value.base64 === null) return undefined;
    texts.push(text(`[${name}]\n${textOf(got.value.base64)}`));
  }
  return [...pictures, ...(isBlank(words) ? [] : [text(words)]), ...texts];
}

function textOf(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
