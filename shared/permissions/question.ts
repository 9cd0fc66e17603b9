// What a person is asked before a risky step, and what they can answer (P5, P10).
import { z } from "zod";
import { CallId, QuestionId } from "#shared/lib/ids.ts";
import { Notice } from "#shared/loop/turn-end.ts";
import { Explanation } from "./explanation.ts";
import { FileDiff } from "#shared/tools/card.ts";

/** The steps of the chain. The order is the meaning: they are asked in it, and the first that answers decides (P2). */
export const StepName = z.enum([
  "deny_rules",
  "dangerous_command",
  "disabled_tool",
  "path_guard",
  "ask_rules",
  "tool_opinion",
  "protected_path",
  "plan_mode",
  "sandboxed",
  "bypass_mode",
  "allow_rules",
  "reads",
  "accept_edits",
  "ask",
]);
export type StepName = z.infer<typeof StepName>;

export const RuleScope = z.enum(["session", "folder", "everywhere"]);
export type RuleScope = z.infer<typeof RuleScope>;

export const EffectTag = z.enum(["changes_files", "deletes_files", "outside_folder", "network", "runs_command", "cannot_be_undone", "checkpoint_taken"]);
export type EffectTag = z.infer<typeof EffectTag>;

/** The plain verb phrase of the card's title; each has its words in both languages. */
export const AskVerb = z.enum([
  "run_command",
  "edit_file",
  "create_file",
  "overwrite_file",
  "read_outside",
  "use_tool",
  "fetch_page",
  "delete_files",
  "repeat_failing",
  "keep_spending",
]);
export type AskVerb = z.infer<typeof AskVerb>;

export const PermissionQuestion = z.object({
  id: QuestionId,
  call: CallId,
  tool: z.string(),
  verb: AskVerb,
  /** the file, command or site in short, for the title */
  subject: z.string(),
  /** the model's own one-sentence reason, if it gave one */
  reason: z.string().optional(),
  /** exactly what will happen, complete */
  detail: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("command"), command: z.string(), cwd: z.string() }),
    z.object({ kind: z.literal("diff"), diff: FileDiff }),
    z.object({ kind: z.literal("path"), path: z.string() }),
    z.object({ kind: z.literal("json"), json: z.string() }),
    /** a question of the loop itself: go on or stop (L11, L16) */
    z.object({ kind: z.literal("notice"), notice: Notice }),
  ]),
  tags: z.array(EffectTag),
  /** rules that "Always…" can save; empty: only once */
  suggestions: z.array(z.string()),
  /** the step of the chain that asked, and its reason in English */
  by: StepName,
  because: z.string(),
  /** how often this tool was refused for this reason (P6); 0 when the question is not about that */
  refusals: z.number().int().nonnegative(),
  /** in plain words, on request; older logs have none, and questions of the loop need none */
  explanation: Explanation.optional(),
});
export type PermissionQuestion = z.infer<typeof PermissionQuestion>;

export const PermissionAnswer = z.discriminatedUnion("behavior", [
  z.object({ behavior: z.literal("allow"), remember: z.object({ rule: z.string(), scope: RuleScope }).optional() }),
  z.object({ behavior: z.literal("deny"), why: z.string().optional(), stopTurn: z.boolean().optional() }),
]);
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;
