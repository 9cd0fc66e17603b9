// Rules about files (P4). `read(…)` is about every path a call reads, `edit(…)` and `write(…)` about every path it writes or
// deletes, whichever tool does it; any other name is about that tool's own target.
import picomatch from "picomatch";
import { absolutePatterns, type PatternRoots } from "#shared/permissions/rule-path.ts";
import { namesTool, type ParsedRule } from "#shared/permissions/rule.ts";
import type { PathPlatform } from "./path-text.ts";
import type { TouchedPath, TouchKind } from "./touched.ts";

const VERBS: Readonly<Record<string, readonly TouchKind[]>> = { read: ["reads"], edit: ["writes", "deletes"], write: ["writes", "deletes"] };

/** True when the rule is about such a touch, by verb or by the name of the tool. */
export function concerns(rule: ParsedRule, kind: TouchKind, toolName: string): boolean {
  const verbs = VERBS[rule.tool];
  return verbs === undefined ? namesTool(rule, toolName) : verbs.includes(kind);
}

export type PathMatchContext = { readonly roots: PatternRoots; readonly platform: PathPlatform };

/** Deny and ask: any spelling of the path that matches counts, in any case. */
export function meetsPath(rule: ParsedRule, path: TouchedPath, cx: PathMatchContext): boolean {
  if (rule.content === undefined) return true;
  const matches = picomatch([...absolutePatterns(rule.content, cx.roots, true)], { dot: true, nocase: true, windows: false });
  return [path.named, path.real, path.entry].some((text) => matches(forward(text)));
}

/** Allow: the place where the path really leads must match. */
export function coversPath(rule: ParsedRule, path: TouchedPath, cx: PathMatchContext): boolean {
  if (rule.content === undefined) return true;
  const matches = picomatch([...absolutePatterns(rule.content, cx.roots, false)], { dot: true, nocase: cx.platform.ignoresCase, windows: false });
  return matches(forward(path.real)) && matches(forward(path.entry));
}

function forward(path: string): string {
  return /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll("\\", "/") : path;
}
