// Permission rules as people write them: `bash(npm test:*)`, `edit(src/**)`, `bash`, `mcp__github`, `mcp__github__get_*` (P4).
// Only the grammar is here; what a rule's content means lies in rule-command.ts and rule-path.ts.
import { z } from "zod";

export const RULE_MAX_CHARS = 10_000;
/** A rule as text. What does not parse is kept in the file, has no effect, and is reported. */
export const Rule = z.string().min(1).max(RULE_MAX_CHARS);
export type Rule = z.infer<typeof Rule>;

export type ParsedRule = {
  readonly source: string;
  /** lower case; rules ignore case in tool names */
  readonly tool: string;
  /** undefined: the rule is about the whole tool; a rule with content never is */
  readonly content: string | undefined;
};

const RULE = /^\s*([A-Za-z0-9_.*-]+)\s*(?:\(([\s\S]*)\))?\s*$/;

/** Parses one rule; undefined when it is not a rule. Content is kept byte for byte. */
export function parseRule(source: string): ParsedRule | undefined {
  if (source.length > RULE_MAX_CHARS) return undefined;
  const match = RULE.exec(source);
  const tool = match?.[1]?.toLowerCase();
  if (tool === undefined) return undefined;
  const content = match?.[2];
  if (content === undefined && source.includes("(")) return undefined;
  if (content !== undefined && content.trim() === "") return undefined;
  return { source, tool, content };
}

/** A rule that could not be used. The others of the file stay in force (B16). */
export type RuleProblem = { readonly rule: string; readonly kind: "not_a_rule" | "too_wide" };

/**
 * Parses a list of rules. `forAllow`: a name with a wild card must still name one server (`mcp__github__*`),
 * because an allow rule that covers tools nobody has seen yet is no decision.
 */
export function parseRules(
  sources: readonly string[],
  forAllow: boolean,
): { readonly rules: readonly ParsedRule[]; readonly problems: readonly RuleProblem[] } {
  const rules: ParsedRule[] = [];
  const problems: RuleProblem[] = [];
  for (const source of sources) {
    const rule = parseRule(source);
    if (rule === undefined) problems.push({ rule: source, kind: "not_a_rule" });
    else if (forAllow && rule.tool.includes("*") && !/^mcp__[^_*][^*]*__[^*]*\*$/.test(rule.tool)) problems.push({ rule: source, kind: "too_wide" });
    else rules.push(rule);
  }
  return { rules, problems };
}

/** Whether a rule's tool name means this tool: the name itself, a server's tools (`mcp__github`), or a wild card. */
export function namesTool(rule: ParsedRule, toolName: string): boolean {
  const name = toolName.toLowerCase();
  if (!rule.tool.includes("*")) return name === rule.tool || name.startsWith(`${rule.tool}__`);
  const pattern = rule.tool.split("*").map((part) => part.replace(/[.-]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`, "s").test(name);
}

/** Writes a rule back as text. */
export function formatRule(tool: string, content?: string): string {
  return content === undefined ? tool : `${tool}(${content})`;
}
