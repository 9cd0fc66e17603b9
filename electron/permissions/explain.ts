// A question in plain words, from the facts that are there anyway (UX 3, P10): no model is asked, nothing is guessed.
// What was not worked out is said to be unknown; the words are the window's, in both languages.
import { type Explanation, type ExplainedPart, type PartDoubt, UndoFact } from "#shared/permissions/explanation.ts";
import { headOf } from "#shared/lib/text.ts";
import type { Effect } from "#shared/tools/effect.ts";
import type { PermissionQuery, ShellFacts, ShellPart, Verdict } from "./contract.ts";
import { meaningOf } from "./part-meaning.ts";
import { foldPath, isInside, platformOf } from "./path-text.ts";
import { isShellFacts } from "./shell-facts.ts";
import { whyAsked } from "./why-asked.ts";

const MAX_PARTS = 12;
const MAX_PART_CHARS = 300;
const MAX_NAME_CHARS = 80;
const MAX_TARGETS = 12;

export type ExplainContext = { readonly checkpointTaken: boolean; readonly platform: string };

/** Never throws on odd facts: what cannot be told is left out or called unknown. */
export function explain(query: PermissionQuery, verdict: Verdict, cx: ExplainContext): Explanation {
  const facts = isShellFacts(query.facts) ? query.facts : undefined;
  const parts = facts === undefined ? [] : facts.parts.filter((part) => part.inside !== true);
  const { effects } = query.traits;
  const why = whyAsked(verdict);
  // Why a command could not be proven is for the log: in plain words it stands with its part.
  const about = why === "not_allowed_yet" ? undefined : (verdict.about ?? verdict.rules?.join(", "));
  return {
    why,
    ...(about === undefined ? {} : { about }),
    parts: parts.slice(0, MAX_PARTS).map(explainPart),
    more: Math.max(0, parts.length - MAX_PARTS),
    unread: facts?.unreadable === true,
    reads: targets(effects, "reads"),
    writes: targets(effects, "writes"),
    deletes: targets(effects, "deletes"),
    network: targets(effects, "network"),
    undo: undoFacts(query, facts, cx),
  };
}

function explainPart(part: ShellPart): ExplainedPart {
  const { says, name } = meaningOf(part);
  const doubt = doubtOf(part);
  return { text: headOf(part.text, MAX_PART_CHARS), says, name: headOf(name, MAX_NAME_CHARS), ...(doubt === undefined ? {} : { doubt }) };
}

function doubtOf(part: ShellPart): PartDoubt | undefined {
  if (part.runsDownload === true) return "runs_download";
  if (part.hidden !== undefined) return "repository_settings";
  if (part.does !== "unknown") return undefined;
  if (part.known.length === 0 || !part.complete) return "run_time";
  if (part.env.some((one) => !one.harmless)) return "variable";
  // Of git it is known well what it does; of another program only that it was not on a list, or not with these words.
  if (part.git !== undefined) return undefined;
  return meaningOf(part).says === "looks" ? "options" : "unknown";
}

function targets(effects: readonly Effect[], kind: "reads" | "writes" | "deletes" | "network"): string[] {
  return [...new Set(effects.flatMap((effect) => (effect.kind === kind ? [effect.target] : [])))].slice(0, MAX_TARGETS);
}

function gitWords(facts: ShellFacts | undefined): readonly string[] {
  return facts?.parts.flatMap((part) => (part.git === undefined ? [] : [part.git])) ?? [];
}

// Checkpoints bring back files of the folder; nothing brings back what was sent, what lies elsewhere, or git's own store.
function undoFacts(query: PermissionQuery, facts: ShellFacts | undefined, cx: ExplainContext): UndoFact[] {
  const { effects, readOnly } = query.traits;
  const has = (...kinds: readonly string[]) => effects.some((effect) => kinds.includes(effect.kind));
  const platform = platformOf(cx.platform);
  const changed = effects.flatMap((effect) => (effect.kind === "writes" || effect.kind === "deletes" ? [effect.target] : []));
  const isIn = (target: string) => isInside(foldPath(target), foldPath(query.place.cwd), platform);
  const outside = changed.some((target) => !isIn(target));
  const anything = has("runs", "workspace_global");
  const inside = anything || changed.some(isIn);
  const git = gitWords(facts);
  const told: Readonly<Record<UndoFact, boolean>> = {
    nothing_changes: readOnly && !inside && !outside && !has("network"),
    files_saved: inside && cx.checkpointTaken,
    files_not_saved: inside && !cx.checkpointTaken,
    outside_stays: outside,
    outside_unknown: anything && !outside,
    sent_stays: has("network"),
    network_unknown: anything && !has("network"),
    git_stays: [...git, ...(has("git_index") ? ["git"] : [])].some((words) => words !== "git push"),
    published_stays: git.includes("git push"),
    keeps_running: facts?.background === true,
  };
  return UndoFact.options.filter((fact) => told[fact]);
}
