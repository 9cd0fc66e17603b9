// Why a model's reply ended, as a closed union (L6). Unknown reasons are kept raw and never taken for a good ending.
import { z } from "zod";

export const StopReason = z.union([
  z.object({ kind: z.enum(["tool_use", "end_turn", "stop_sequence", "max_tokens", "refusal", "context_window", "pause", "none"]) }),
  z.object({ kind: z.literal("other"), raw: z.string() }),
]);
export type StopReason = z.infer<typeof StopReason>;

/** The endings after which a turn may be called done (L4, L12). A whitelist: everything else has its own branch. */
export function isPlainEnding(reason: StopReason): boolean {
  return reason.kind === "end_turn" || reason.kind === "stop_sequence";
}
