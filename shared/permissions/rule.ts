// Permission rules as people write them: `bash(npm test:*)`, `edit(src/**)`, `bash`, `mcp__github` (P4). Only the grammar is here.
import { z } from "zod";

/** A rule as text. What does not parse is kept in the file, has no effect, and is reported. */
export const Rule = z.string().min(1).max(10_000);
export type Rule = z.infer<typeof Rule>;

export type ParsedRule = {
  readonly source: string;
  /** lower case; rules ignore case in tool names */
  readonly tool: string;
  /** undefined: the rule is about the whole tool; a rule with content never is */
  readonly content: string | undefined;
};

/** Parses one rule; undefined when it is not a rule. Content is kept byte for byte. */
export function parseRule(source: string): ParsedRule | undefined {
  const match = /^\s*([A-Za-z0-9_.-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(source);
  const tool = match?.[1]?.toLowerCase();
  if (tool === undefined) return undefined;
  const content = match?.[2];
  if (content === undefined && source.includes("(")) return undefined;
  if (content !== undefined && content.trim() === "") return undefined;
  return { source, tool, content };
}
