// The one result of a call (T3): what the model gets, what the person sees, what it cost.
import { z } from "zod";
import { ModelContent } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import { CardView, ResultDisplay } from "./card.ts";
import { ToolFailure } from "./failure.ts";
import { Interrupted } from "./recovery.ts";

/** `ms`: wall time of the run itself; `bytes`: size of the model's part before limits. */
export const CallMetrics = z.object({ ms: z.number().nonnegative(), bytes: z.number().nonnegative() });
export type CallMetrics = z.infer<typeof CallMetrics>;

/** `interrupted`: Cairn ended before the call did, and what is known of it (S2) */
const base = { callId: CallId, metrics: CallMetrics, forModel: ModelContent, display: ResultDisplay, interrupted: Interrupted.optional() };
export const ToolOutcome = z.discriminatedUnion("status", [
  z.object({ status: z.literal("ok"), ...base, view: CardView.optional() }),
  z.object({ status: z.literal("failed"), ...base, failure: ToolFailure, view: CardView.optional() }),
]);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

/** Live news of a running call; never stored. */
export const ToolProgress = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("output"), text: z.string() }),
  z.object({ kind: z.literal("fraction"), done: z.number(), of: z.number().optional() }),
  z.object({ kind: z.literal("note"), text: z.string() }),
]);
export type ToolProgress = z.infer<typeof ToolProgress>;
