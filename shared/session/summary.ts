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
  /** on top of the list, or out of the way; absent: neither */
  pinned: z.literal(true).exactOptional(),
  archived: z.literal(true).exactOptional(),
  /** what it needs while its attention is `needs_you`: a yes or no, or words */
  asks: z.enum(["approve", "answer"]).exactOptional(),
  attention: z.enum(["idle", "working", "needs_you", "done", "failed"]),
  /** the log could not be read whole; what was kept is shown */
  damaged: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;
