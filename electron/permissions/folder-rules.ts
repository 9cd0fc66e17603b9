// Rules that a folder brings along in `.cairn/settings.json` (P4). Whoever made the folder wrote them, so they can only make Cairn
// more careful: `deny` and `ask` hold, `allow` is shown and has no effect. Bad parts are told and the rest holds (R4).
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Notice } from "#shared/loop/turn-end.ts";
import { Rule } from "#shared/permissions/rule.ts";
import { errorCode } from "#electron/lib/real-path.ts";
import type { ActiveRules } from "./contract.ts";
import { unusableRules } from "./rule-problems.ts";

const MAX_BYTES = 256 * 1024;
const MAX_RULES = 500;

export type FolderRules = {
  readonly path: string;
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** has no effect: only the person allows */
  readonly allow: readonly string[];
  readonly problems: readonly Notice[];
};

const File = z.object({ rules: z.object({ allow: z.unknown(), ask: z.unknown(), deny: z.unknown() }).partial().optional() });

/** Never rejects; a folder without the file has no rules. */
export async function readFolderRules(folder: string): Promise<FolderRules> {
  const path = join(folder, ".cairn", "settings.json");
  const nothing = { path, deny: [], ask: [], allow: [] };
  const text = await readSmallFile(path).catch((error: unknown) => ({ reason: error instanceof Error ? error.message : String(error) }));
  if (text === undefined) return { ...nothing, problems: [] };
  if (typeof text !== "string") return { ...nothing, problems: [{ key: "notices.folder_rules_unreadable", params: { path, reason: text.reason } }] };
  const file = File.safeParse(jsonOf(text));
  if (!file.success) return { ...nothing, problems: [{ key: "notices.folder_rules_unreadable", params: { path, reason: "JSON" } }] };
  const { allow, ask, deny } = file.data.rules ?? {};
  const [allowed, asked, denied] = [listOf(allow), listOf(ask), listOf(deny)];
  const rules: ActiveRules = { allow: allowed.rules, ask: asked.rules, deny: denied.rules };
  const bad = [...asked.bad, ...denied.bad].map((rule): Notice => ({ key: "notices.rule_not_a_rule", params: { rule, where: path } }));
  return { path, ...rules, problems: [...unusableRules({ ...rules, allow: [] }, path), ...bad] };
}

function listOf(value: unknown): { readonly rules: readonly string[]; readonly bad: readonly string[] } {
  if (value === undefined) return { rules: [], bad: [] };
  if (!Array.isArray(value)) return { rules: [], bad: [shown(value)] };
  const rules: string[] = [];
  const bad: string[] = [];
  for (const one of value.slice(0, MAX_RULES)) {
    const rule = Rule.safeParse(one);
    if (rule.success) rules.push(rule.data);
    else bad.push(shown(one));
  }
  return { rules, bad };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "").slice(0, 120);
}

// A folder may hold anything under this name: a pipe, a device, a file without end.
async function readSmallFile(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (facts === undefined) return undefined;
  if (!facts.isFile() || facts.size > MAX_BYTES) throw new Error("it is not a small file");
  return await readFile(path, "utf8");
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
