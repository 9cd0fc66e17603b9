// Applies the person's rules to a call: deny and ask when anything matches, allow only when everything is covered (P2, P4).
import { isExactCommand, matchesCommand, matchesText } from "#shared/permissions/rule-command.ts";
import { namesTool, parseRules, type ParsedRule } from "#shared/permissions/rule.ts";
import type { Effect } from "#shared/tools/effect.ts";
import { ruleCovering, ruleMeeting, sameCallRule } from "./command-rules.ts";
import type { PermissionQuery, ShellFacts, ShellPart } from "./contract.ts";
import { concerns, coversPath, meetsPath, type PathMatchContext } from "./path-rules.ts";
import { isShellFacts, unreadableFacts } from "./shell-facts.ts";
import type { Touched, TouchedPath } from "./touched.ts";

export type RuleHit = { readonly rule: string; readonly about?: string };
export type RuleCover = { readonly rules: readonly string[] };
export type RuleContext = PathMatchContext & { readonly touched: Touched };

/** Whether any of these (deny or ask) rules speaks about the call. `touched` is undefined for input that does not parse. */
export function findHit(query: PermissionQuery, sources: readonly string[], cx: RuleContext | undefined): RuleHit | undefined {
  const { rules } = parseRules(sources, false);
  const whole = rules.find((rule) => rule.content === undefined && aboutWholeTool(rule, query));
  if (whole !== undefined) return { rule: whole.source };
  if (cx === undefined) return undefined;
  return commandHit(query, rules) ?? pathHit(query, rules, cx) ?? targetHit(query, rules);
}

/** The rules that together cover everything the call does; undefined when something is left over. */
export function findCover(query: PermissionQuery, sources: readonly string[], cx: RuleContext): RuleCover | undefined {
  const { rules } = parseRules(sources, true);
  const whole = rules.find((rule) => rule.content === undefined && namesAny(rule, query));
  const { facts } = query;
  if (whole !== undefined && !(isShellFacts(facts) && facts.parts.some((part) => part.git !== undefined))) return { rules: [whole.source] };
  if (isShellFacts(facts)) return coverCommand(query, facts, rules, cx);
  if (!query.traits.effects.some(isPathEffect)) return coverTarget(query, rules);
  return coverFiles(query, rules, cx);
}

/** The rules with content that are about commands of this tool. */
export function contentRules(query: PermissionQuery, sources: readonly string[]): readonly ParsedRule[] {
  return parseRules(sources, false).rules.filter((rule) => rule.content !== undefined && namesAny(rule, query));
}

function namesAny(rule: ParsedRule, query: PermissionQuery): boolean {
  return [query.tool.name, ...(query.tool.aliases ?? [])].some((name) => namesTool(rule, name));
}

// `edit` alone also means the other tools that only change files: whoever forbids editing forbids writing.
function aboutWholeTool(rule: ParsedRule, query: PermissionQuery): boolean {
  if (namesAny(rule, query)) return true;
  const { effects } = query.traits;
  return (
    (rule.tool === "edit" || rule.tool === "write") && effects.length > 0 && effects.every(isPathEffect) && effects.some((effect) => effect.kind !== "reads")
  );
}

function isPathEffect(effect: Effect): boolean {
  return effect.kind === "reads" || effect.kind === "writes" || effect.kind === "deletes";
}

/** True when the call may run something that no facts tell about (another shell, a failed analysis). */
export function runsUnseen(query: PermissionQuery): boolean {
  return !isShellFacts(query.facts) && query.traits.effects.some((effect) => effect.kind === "runs" || effect.kind === "workspace_global");
}

function commandFacts(query: PermissionQuery): ShellFacts | undefined {
  if (isShellFacts(query.facts)) return query.facts;
  const target = runsUnseen(query) ? query.tool.permissionTarget?.(query.input, query.place, query.facts) : undefined;
  return target === undefined ? undefined : unreadableFacts(target, "nothing is known about it");
}

function commandHit(query: PermissionQuery, rules: readonly ParsedRule[]): RuleHit | undefined {
  const facts = commandFacts(query);
  if (facts === undefined) return undefined;
  const found = ruleMeeting(
    facts,
    rules.filter((rule) => rule.content !== undefined && namesAny(rule, query)),
  );
  return found === undefined ? undefined : { rule: found.rule.source, about: found.part };
}

function pathHit(query: PermissionQuery, rules: readonly ParsedRule[], cx: RuleContext): RuleHit | undefined {
  for (const rule of rules) {
    if (rule.content === undefined || (isShellFacts(query.facts) && namesAny(rule, query))) continue;
    const path = cx.touched.paths.find((one) => concerns(rule, one.kind, query.tool.name) && meetsPath(rule, one, cx));
    if (path !== undefined) return { rule: rule.source, about: path.real };
  }
  return undefined;
}

function targetHit(query: PermissionQuery, rules: readonly ParsedRule[]): RuleHit | undefined {
  const target = query.tool.permissionTarget?.(query.input, query.place, query.facts);
  if (target === undefined) return undefined;
  const rule = rules.find(
    (one) => one.content !== undefined && namesAny(one, query) && (matchesCommand(one.content, target) || matchesText(one.content, target)),
  );
  return rule === undefined ? undefined : { rule: rule.source, about: target };
}

function coverTarget(query: PermissionQuery, rules: readonly ParsedRule[]): RuleCover | undefined {
  // A pattern over a command nobody took apart would cover whatever follows on the same line.
  const usable = runsUnseen(query) ? rules.filter((rule) => rule.content !== undefined && isExactCommand(rule.content)) : rules;
  const hit = targetHit(query, usable);
  return hit === undefined ? undefined : { rules: [hit.rule] };
}

function coverCommand(query: PermissionQuery, facts: ShellFacts, rules: readonly ParsedRule[], cx: RuleContext): RuleCover | undefined {
  const own = rules.filter((rule) => rule.content !== undefined && namesAny(rule, query));
  const same = sameCallRule(facts, own);
  if (same !== undefined) return { rules: [same.source] };
  if (facts.unreadable || facts.unseen !== undefined || facts.parts.length === 0) return undefined;
  const used = new Set<string>();
  for (const part of facts.parts) {
    const by = partCover(part, own, rules, cx);
    if (by === undefined) return undefined;
    for (const rule of by) used.add(rule);
  }
  for (const path of facts.redirects) {
    const by = fileRule(path, rules, cx);
    if (by === undefined) return undefined;
    used.add(by);
  }
  return used.size === 0 ? undefined : { rules: [...used] };
}

function partCover(part: ShellPart, own: readonly ParsedRule[], all: readonly ParsedRule[], cx: RuleContext): readonly string[] | undefined {
  if (part.does === "nothing" || part.does === "reads" || (part.inside === true && part.git === undefined)) return [];
  const rule = ruleCovering(part, own);
  if (rule !== undefined) return [rule.source];
  if (part.does !== "files") return undefined;
  const files = [...part.writes, ...part.deletes].map((path) => fileRule(path, all, cx));
  return files.every((source): source is string => source !== undefined) ? files : undefined;
}

function fileRule(named: string, rules: readonly ParsedRule[], cx: RuleContext): string | undefined {
  const path = cx.touched.paths.find((one) => one.named === named && one.kind !== "reads");
  if (path === undefined) return undefined;
  return rules.find((rule) => isEditVerb(rule) && coversPath(rule, path, cx))?.source;
}

function isEditVerb(rule: ParsedRule): boolean {
  return rule.tool === "edit" || rule.tool === "write";
}

// Every path written or deleted needs a rule; what is read is judged by the guards. Effects beyond files need the tool's own name.
function coverFiles(query: PermissionQuery, rules: readonly ParsedRule[], cx: RuleContext): RuleCover | undefined {
  if (!query.traits.effects.every((effect) => isPathEffect(effect) || effect.kind === "asks_person")) return undefined;
  const changed = cx.touched.paths.filter((path) => path.kind !== "reads");
  const needed: readonly TouchedPath[] = changed.length > 0 ? changed : cx.touched.paths;
  const used = new Set<string>();
  for (const path of needed) {
    const rule = rules.find((one) => concerns(one, path.kind, query.tool.name) && coversPath(one, path, cx));
    if (rule === undefined) return undefined;
    used.add(rule.source);
  }
  return used.size === 0 ? undefined : { rules: [...used] };
}
