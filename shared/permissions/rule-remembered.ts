// An approval that the person gave for more than one call (P5): readable, listed, revocable.
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";
import { RuleScope } from "./question.ts";
import { Rule } from "./rule.ts";

export const RememberedRule = z.object({
  rule: Rule,
  scope: RuleScope,
  /** the workspace it holds in; only with scope `folder` */
  folder: z.string().optional(),
  /** the session in which it was given */
  session: SessionId,
  /** ISO times, so that the file can be read */
  grantedAt: z.string(),
  lastUsed: z.string().optional(),
});
export type RememberedRule = z.infer<typeof RememberedRule>;
