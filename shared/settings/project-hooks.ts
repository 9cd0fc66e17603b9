// Hooks that a folder brings along, and what the person said about them (H1): they are shown as they are, and run only when trusted.
import { z } from "zod";

/** The only file of a folder that hooks are read from. */
export const PROJECT_HOOKS_FILE = ".cairn/settings.json";

export const ProjectHook = z.object({
  event: z.string(),
  matcher: z.string(),
  command: z.string(),
  timeoutMs: z.number(),
  /** files of the folder that the command names; a change in one of them asks again */
  files: z.array(z.string()),
});
export type ProjectHook = z.infer<typeof ProjectHook>;

/**
 * `none`: the folder has no hooks; `open`: never decided; `changed`: decided before, on other content; `declined`: the person said no to
 * exactly these. They run in state `trusted` alone.
 */
export const ProjectHooksDecision = z.enum(["none", "open", "changed", "trusted", "declined"]);
export type ProjectHooksDecision = z.infer<typeof ProjectHooksDecision>;

export const ProjectHooksState = z.object({
  /** the folder with its links resolved */
  folder: z.string(),
  decision: ProjectHooksDecision,
  /** of everything that the decision is about */
  hash: z.string(),
  hooks: z.array(ProjectHook),
  /** parts of the file that cannot be used, in words */
  problems: z.array(z.string()),
});
export type ProjectHooksState = z.infer<typeof ProjectHooksState>;

/** A decision that is kept. `at`: ms since the epoch. */
export const HookTrust = z.object({ folder: z.string(), hash: z.string(), trusted: z.boolean(), at: z.number() });
export type HookTrust = z.infer<typeof HookTrust>;
