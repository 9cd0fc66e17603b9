// A command that goes on beside the conversation, or what a command left running (T15).
import { z } from "zod";

export const BackgroundWork = z.object({
  id: z.string(),
  command: z.string(),
  /** ms since the epoch */
  startedAt: z.number(),
  /** the command itself has ended; what it started has not */
  ended: z.boolean(),
  processes: z.array(z.object({ pid: z.number(), name: z.string() })),
});
export type BackgroundWork = z.infer<typeof BackgroundWork>;
