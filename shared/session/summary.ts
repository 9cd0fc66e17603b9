// One line of the list of sessions: kept beside each log, and sent to the window as it is (S3).
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";

export const SessionSummary = z.object({
  id: SessionId,
  title: z.string(),
  cwd: z.string(),
  /** `cwd` is this folder's copy (K8) */
  copyOf: z.string().optional(),
  /** ms since the epoch */
  updatedAt: z.number(),
  attention: z.enum(["idle", "working", "needs_you", "done", "failed"]),
  /** the log could not be read whole; what was kept is shown */
  damaged: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;
