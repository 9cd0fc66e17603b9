// How a tool call can fail. The kind is set where the failure happens and never guessed from text (T5).
import { z } from "zod";

export const FailureKind = z.enum(["not_found", "hook_blocked", "permission_denied", "invalid_input", "aborted", "timeout", "exception", "tool_error"]);
export type FailureKind = z.infer<typeof FailureKind>;

export const ToolFailure = z.object({
  kind: FailureKind,
  retryable: z.boolean(),
  /** for the model, in English, ending in what to do next (T4) */
  message: z.string(),
  suggestion: z.string().optional(),
});
export type ToolFailure = z.infer<typeof ToolFailure>;
