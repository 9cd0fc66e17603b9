// How a turn ended (L24, L25). `answered` is the only good end; each other has its own message and exit code.
import { z } from "zod";

export const AbortBy = z.enum(["person", "sibling", "tool_timeout", "watchdog", "rollback", "shutdown"]);
export type AbortBy = z.infer<typeof AbortBy>;
export type AbortCause = { readonly by: AbortBy; readonly detail?: string };

/** A text for the person: a key of the catalogue and its parameters, never a ready sentence (DESIGN decision M). */
export const Notice = z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() });
export type Notice = z.infer<typeof Notice>;

/** What the person can do about a bad end; the window shows it as one button. */
export const NoticeAction = z.enum(["retry", "go_on", "new_session", "switch_model", "open_settings", "none"]);
export type NoticeAction = z.infer<typeof NoticeAction>;

export const TurnEndWhy = z.enum([
  "answered",
  "aborted",
  "failed",
  "refused",
  "empty",
  "cut",
  "denied",
  "brake",
  "step_limit",
  "spend_limit",
  "let_go",
  "interrupted",
]);
export type TurnEndWhy = z.infer<typeof TurnEndWhy>;

export const TurnEnd = z.object({
  why: TurnEndWhy,
  abortedBy: AbortBy.optional(),
  notice: Notice.optional(),
  action: NoticeAction.optional(),
  /** the provider's own words, for the details of the row */
  detail: z.string().optional(),
  steps: z.number().int().nonnegative(),
  requests: z.number().int().nonnegative(),
  /** steps that brought no reply, lost to faults (L11) */
  lostSteps: z.number().int().nonnegative(),
  /** facts about the turn, e.g. deleted assertions (L16), as catalogue keys */
  facts: z.array(Notice).optional(),
});
export type TurnEnd = z.infer<typeof TurnEnd>;
