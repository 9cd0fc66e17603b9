// What takes the most room, by name, for the person (C2, E05).
import { toolUsesOf, type Message } from "#shared/chat/blocks.ts";
import type { FixedPart } from "./contract.ts";
import { textTokens, type Estimator } from "./estimate.ts";

const NAMED_PARTS = 3;

/** Tokens of system prompt and tools, counted again only when they are other ones. */
export function createFixedMeter(): (fixed: FixedPart) => number {
  let seen: { readonly fixed: FixedPart; readonly tokens: number } | undefined;
  return (fixed) => {
    if (seen === undefined || seen.fixed.system !== fixed.system || seen.fixed.tools !== fixed.tools) {
      seen = { fixed, tokens: textTokens(fixed.system.join("\n")) + textTokens(JSON.stringify(fixed.tools)) };
    }
    return seen.tokens;
  };
}

export type Part = { readonly name: string; readonly tokens: number };

export function biggestParts(fixed: FixedPart, history: readonly Message[], estimator: Estimator): readonly Part[] {
  const parts: Part[] = [
    { name: "system", tokens: textTokens(fixed.system.join("\n")) },
    { name: "tools", tokens: textTokens(JSON.stringify(fixed.tools)) },
    ...history.map((message, at) => ({ name: nameOf(message, history[at - 1]), tokens: estimator.message(message) })),
  ];
  return parts.sort((a, b) => b.tokens - a.tokens).slice(0, NAMED_PARTS);
}

/** The tool whose results a message carries, else whose words it is. */
function nameOf(message: Message, before: Message | undefined): string {
  if (message.role === "assistant") return "reply";
  const [use] = message.blocks.some((block) => block.type === "tool_result") ? toolUsesOf(before?.blocks ?? []) : [];
  return use?.name ?? "message";
}
