// Whether a reply says anything to the person (L14). Structural signals only, never key words.
import { plainText, type Block } from "#shared/chat/blocks.ts";
import { isBlank } from "#shared/lib/text.ts";
import type { Reply } from "./contract.ts";
import { MONOLOGUE_CHARS } from "./limits.ts";

export function hasRealText(reply: Pick<Reply, "blocks" | "usage">): boolean {
  const said = plainText(reply.blocks);
  return !isBlank(said) && !isMonologue(reply, said);
}

/** Thinking that leaked into the text: the usage was reported, says that nothing was put out, and yet there is a very long text. */
function isMonologue({ blocks, usage }: Pick<Reply, "blocks" | "usage">, said: string): boolean {
  const reported = usage.input + usage.cacheRead + usage.cacheWrite > 0;
  return reported && usage.output === 0 && said.length > MONOLOGUE_CHARS && !blocks.some((block) => block.type === "thinking");
}

const ARGS_FORM = /^\s*([\w-]{1,64})\s*\[ARGS\]\s*\{[\s\S]*\}\s*$/;

/** The whole text is nothing but a call of a known tool, written as words: a server that does not know tool calls (A20). */
export function isCallAsText(blocks: readonly Block[], toolNames: ReadonlySet<string>): boolean {
  const said = plainText(blocks).trim();
  const named = ARGS_FORM.exec(said)?.[1] ?? nameInJson(said);
  return named !== undefined && toolNames.has(named.toLowerCase());
}

function nameInJson(said: string): string | undefined {
  if (!said.startsWith("{") || !said.endsWith("}")) return undefined;
  try {
    const parsed: unknown = JSON.parse(said);
    if (typeof parsed !== "object" || parsed === null || !("name" in parsed)) return undefined;
    const hasArguments = "arguments" in parsed || "parameters" in parsed || "input" in parsed;
    return hasArguments && typeof parsed.name === "string" ? parsed.name : undefined;
  } catch {
    return undefined;
  }
}
