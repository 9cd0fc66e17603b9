// Every rule and remembered answer as the person sees it: what it says, how far it reaches, where it comes from (P4, P5, U10).
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";
import { RuleScope } from "./question.ts";
import { Rule } from "./rule.ts";

export const RuleKind = z.enum(["allow", "ask", "deny"]);
export type RuleKind = z.infer<typeof RuleKind>;

/** Why a rule has no effect. `folder_cannot_allow`: what a folder brings along may only make Cairn more careful. */
export const RuleFault = z.enum(["not_a_rule", "too_wide", "folder_cannot_allow"]);
export type RuleFault = z.infer<typeof RuleFault>;

export const RuleInForce = z.object({
  /** names this entry when it is taken back; stays the same as long as the entry does */
  id: z.string(),
  rule: z.string(),
  kind: RuleKind,
  /** `settings`: the person's settings file; `remembered`: an answer to a question; `folder`: the folder's own file, not the person's to take back here */
  from: z.enum(["settings", "remembered", "folder"]),
  scope: RuleScope,
  /** with scope `folder` */
  folder: z.string().optional(),
  /** the file of a folder's own rule */
  file: z.string().optional(),
  /** the session it was given in */
  session: SessionId.optional(),
  /** ms since the epoch */
  grantedAt: z.number().optional(),
  lastUsed: z.number().optional(),
  fault: RuleFault.optional(),
});
export type RuleInForce = z.infer<typeof RuleInForce>;

export const NewRule = z.object({ rule: Rule, kind: RuleKind });
export type NewRule = z.infer<typeof NewRule>;

export const RuleChangeFailure = z.object({
  kind: z.enum(["unknown_rule", "not_yours", "not_a_rule", "too_wide", "already_there", "failed"]),
  message: z.string(),
});
export type RuleChangeFailure = z.infer<typeof RuleChangeFailure>;
