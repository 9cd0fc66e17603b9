// From history to a byte-stable request, and the ways to make it fit (C1, C2, C7).
import type { Message } from "#shared/chat/blocks.ts";
import type { NoteDraft } from "#shared/chat/note.ts";
import type { ModelInfo, ToolDefinition } from "#electron/providers/contract.ts";

export type FixedPart = { readonly system: readonly string[]; readonly tools: readonly ToolDefinition[] };

/**
 * `thresholds`: before each step, by the table of C2. `lighten`: what costs nothing, now (L5).
 * `overflow`: the provider said it does not fit, make it much smaller.
 */
export type FitMode = "thresholds" | "lighten" | "overflow";

export type FitOutcome =
  | { readonly kind: "fits" }
  /** `after` was measured and is smaller than `before` (C4) */
  | { readonly kind: "compacted"; readonly history: readonly Message[]; readonly before: number; readonly after: number; readonly layers: readonly number[] }
  | {
      readonly kind: "failed";
      readonly why: "no_gain" | "fixed_part_too_big" | "summary_failed" | "breaker_open" | "aborted";
      readonly biggest: readonly { readonly name: string; readonly tokens: number }[];
    };

export interface ContextPipeline {
  readonly fixed: FixedPart;
  /** Tokens of the next request, estimated or measured. */
  measure(history: readonly Message[]): number;
  fit(history: readonly Message[], info: ModelInfo, mode: FitMode, signal: AbortSignal): Promise<FitOutcome>;
  /** The last reply's usage, so that measuring gets exact; `history` ends with that reply. */
  saw(history: readonly Message[], usedTokens: number): void;
  /** A turn begins: what its newest message carries beside the prompt (C7, C9, C10). */
  turnNotes(history: readonly Message[]): Promise<readonly NoteDraft[]>;
  /** What has to come back after a compaction (C5). */
  returningNotes(history: readonly Message[]): Promise<readonly NoteDraft[]>;
}
