// Makes the question that a person sees out of what the call declares about itself (P10): never from its name.
import { visibleText } from "#shared/lib/text.ts";
import type { QuestionId } from "#shared/lib/ids.ts";
import { type AskVerb, EffectTag, type PermissionQuestion } from "#shared/permissions/question.ts";
import { parseRule } from "#shared/permissions/rule.ts";
import type { AskCard } from "#electron/tools/contract.ts";
import { sayWhy } from "./authorise.ts";
import { explain } from "./explain.ts";
import type { PermissionQuery, Verdict } from "./contract.ts";
import { foldPath, isInside, platformOf } from "./path-text.ts";

const MAX_SUGGESTIONS = 8;

export type QuestionContext = { readonly id: QuestionId; readonly refusals: number; readonly checkpointTaken: boolean; readonly platform: string };

/** Never rejects: a card that cannot be made is replaced by the plain input, complete. */
export async function makeQuestion(query: PermissionQuery, verdict: Verdict, cx: QuestionContext): Promise<PermissionQuestion> {
  const card = await cardOf(query);
  return {
    id: cx.id,
    call: query.call,
    tool: query.tool.name,
    verb: verdict.by === "path_guard" && query.traits.readOnly ? "read_outside" : card.verb,
    subject: card.subject,
    ...(card.reason === undefined ? {} : { reason: card.reason }),
    detail: card.detail,
    tags: [...tagsOf(query, verdict, cx)],
    suggestions: [...suggestionsFor(query, verdict, cx.refusals)],
    by: verdict.by,
    because: sayWhy(verdict),
    refusals: cx.refusals,
    explanation: explain(query, verdict, cx),
  };
}

async function cardOf(query: PermissionQuery): Promise<AskCard> {
  try {
    const card = await query.tool.askCard?.(query.input, query.place);
    if (card !== undefined) return card;
  } catch {
    // The tool's own card failed; the input itself still tells everything.
  }
  const { effects } = query.traits;
  const verb: AskVerb = effects.some((effect) => effect.kind === "deletes")
    ? "delete_files"
    : effects.some((effect) => effect.kind === "writes")
      ? "edit_file"
      : "use_tool";
  return { verb, subject: query.tool.name, detail: { kind: "json", json: JSON.stringify(query.input, null, 2) ?? "null" } };
}

function tagsOf(query: PermissionQuery, verdict: Verdict, cx: QuestionContext): readonly EffectTag[] {
  const { effects, destructive, readOnly } = query.traits;
  const has = (...kinds: readonly string[]) => effects.some((effect) => kinds.includes(effect.kind));
  const outside = verdict.by === "path_guard" || reachesOutside(query, cx.platform);
  const changes = has("writes", "git_index", "workspace_global");
  // Checkpoints bring back files of the workspace; nothing brings back what was sent, or what lies outside.
  const forGood = !readOnly && (destructive || has("network") || (outside && (changes || has("deletes"))));
  const tags: Readonly<Record<EffectTag, boolean>> = {
    changes_files: changes,
    deletes_files: has("deletes"),
    outside_folder: outside,
    network: has("network"),
    runs_command: has("runs"),
    cannot_be_undone: forGood,
    checkpoint_taken: cx.checkpointTaken,
  };
  return EffectTag.options.filter((tag) => tags[tag]);
}

function reachesOutside(query: PermissionQuery, platformName: string): boolean {
  const platform = platformOf(platformName);
  return query.traits.effects.some(
    (effect) => "target" in effect && effect.kind !== "network" && !isInside(foldPath(effect.target), foldPath(query.place.cwd), platform),
  );
}

/**
 * Rules that "Always…" may offer. None where a rule would not be heard (guards), where the person is asked because of refusals,
 * or where the text holds characters that do not show as what they are (P10, UX 3).
 */
export function suggestionsFor(query: PermissionQuery, verdict: Verdict, refusals: number): readonly string[] {
  const inVain = verdict.personOnly === true || verdict.by === "ask_rules" || verdict.by === "tool_opinion";
  if (inVain || refusals > 0 || !query.parsed) return [];
  try {
    return [...new Set(offered(query))].filter((rule) => parseRule(rule) !== undefined && showsAsItIs(rule)).slice(0, MAX_SUGGESTIONS);
  } catch {
    return [];
  }
}

function offered(query: PermissionQuery): readonly string[] {
  const { tool, input, place, facts } = query;
  const target = tool.permissionTarget?.(input, place, facts);
  if (target !== undefined && !showsAsItIs(target)) return [];
  if (tool.suggestRules !== undefined) return tool.suggestRules(input, place, facts);
  return target === undefined && !query.traits.destructive ? [tool.name] : [];
}

function showsAsItIs(text: string): boolean {
  return visibleText(text) === text;
}
