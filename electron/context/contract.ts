// From history to a byte-stable request, and the ways to make it fit (C1, C2, C7).
import type { Message } from "#shared/chat/blocks.ts";
import type { ModelInfo, ToolDefinition } from "#electron/providers/contract.ts";

export type FixedPart = { readonly system: readonly string[]; readonly tools: readonly ToolDefinition[] };

export type FitOutcome =
  | { readonly kind: "fits" }
  /** `after` was measured and is smaller than `before` (C4) */
  | { readonly kind: "compacted"; readonly history: readonly Message[]; readonly before: number; readonly after: number; readonly layers: readonly number[] }
  | { readonly kind: "failed"; readonly why: "no_gain" | "fixed_part_too_big" | "summary_failed" | "breaker_open" | "aborted"; readonly biggest: readonly { readonly name: string; readonly tokens: number }[] };

export interface ContextPipeline {
  readonly fixed: FixedPart;
  /** Tokens of the next request, estimated or measured. */
  measure(history: readonly Message[]): number;
  /** Before each step, by thresholds (C2); `forced`: the provider said it does not fit, make it much smaller. */
  fit(history: readonly Message[], info: ModelInfo, forced: boolean, signal: AbortSignal): Promise<FitOutcome>;
  /** The last reply's usage, so that measuring gets exact. */
  saw(history: readonly Message[], usedTokens: number): void;
}
