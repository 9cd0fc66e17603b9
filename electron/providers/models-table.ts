// Models we know by the beginning of their name; the longest match speaks. Prices are list prices in US dollars per
// million tokens for short prompts with the five-minute cache, as published on PRICES_AS_OF.

export const PRICES_AS_OF = "2026-11-30";

export type KnownModel = {
  readonly prefix: string;
  readonly window: number;
  /** tokens a reply gets at first, and what it may be raised to */
  readonly maxOutput: number;
  readonly maxOutputCeiling: number;
  readonly images: boolean;
  /** how it thinks: on request by `adaptive`, always reasoning items, or not in a way we ask for */
  readonly thinking: "adaptive" | "reasoning" | "none";
  readonly prices: { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number } | undefined;
};

type Family = Pick<KnownModel, "window" | "maxOutput" | "maxOutputCeiling" | "images" | "thinking">;
type Price = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

const CLAUDE_1M: Family = { window: 1_000_000, maxOutput: 32_000, maxOutputCeiling: 128_000, images: true, thinking: "adaptive" };
const CLAUDE_200K: Family = { window: 200_000, maxOutput: 32_000, maxOutputCeiling: 64_000, images: true, thinking: "none" };
const GPT_1M: Family = { window: 1_050_000, maxOutput: 32_000, maxOutputCeiling: 128_000, images: true, thinking: "reasoning" };
const GPT_400K: Family = { window: 400_000, maxOutput: 32_000, maxOutputCeiling: 128_000, images: true, thinking: "reasoning" };
const O_SERIES: Family = { window: 200_000, maxOutput: 32_000, maxOutputCeiling: 100_000, images: true, thinking: "reasoning" };

function known(prefix: string, family: Family, price?: Price): KnownModel {
  const prices = price === undefined ? undefined : { input: price[0], output: price[1], cacheRead: price[2], cacheWrite: price[3] };
  return { prefix, ...family, prices };
}

export const ANTHROPIC_MODELS: readonly KnownModel[] = [
  known("claude-fable-5-2", CLAUDE_1M, [8, 40, 0.4, 10]),
  known("claude-fable-5-1", CLAUDE_1M, [10, 50, 1, 12.5]),
  known("claude-fable", CLAUDE_1M),
  known("claude-mythos", CLAUDE_1M),
  known("claude-opus-5-5", CLAUDE_1M, [4, 20, 0.2, 5]),
  known("claude-opus-5", CLAUDE_1M, [5, 25, 0.5, 6.25]),
  known("claude-sonnet-5-5", CLAUDE_1M, [2, 10, 0.1, 2.5]),
  known("claude-sonnet-5", CLAUDE_1M, [2, 10, 0.2, 2.5]),
  // Prompts over 100 000 tokens cost five times as much; the price here is the lower one.
  known("claude-haiku-5-5", CLAUDE_1M, [0.1, 0.5, 0.01, 0.125]),
  known("claude-opus-4-8", CLAUDE_1M, [5, 25, 0.5, 6.25]),
  known("claude-opus-4-7", CLAUDE_1M, [5, 25, 0.5, 6.25]),
  known("claude-opus-4-6", CLAUDE_1M, [5, 25, 0.5, 6.25]),
  known("claude-sonnet-4-6", CLAUDE_1M, [3, 15, 0.3, 3.75]),
  known("claude-opus-4-5", CLAUDE_200K, [5, 25, 0.5, 6.25]),
  known("claude-sonnet-4-5", CLAUDE_200K, [3, 15, 0.3, 3.75]),
  known("claude-haiku-4-5", CLAUDE_200K, [1, 5, 0.1, 1.25]),
  known("claude-", CLAUDE_200K),
];

export const OPENAI_MODELS: readonly KnownModel[] = [
  known("gpt-6.2-astra", GPT_1M, [8, 40, 0.4, 10]),
  known("gpt-6.2-sol", GPT_1M, [2, 10, 0.1, 2.5]),
  known("gpt-6.1-sol", GPT_1M, [2, 10, 0.1, 2.5]),
  known("gpt-6.1-terra", GPT_1M, [1, 5, 0.05, 1.25]),
  known("gpt-6-astra", GPT_1M, [10, 50, 1, 12.5]),
  known("gpt-6-sol", GPT_1M, [2, 10, 0.2, 2.5]),
  known("gpt-6-luna", GPT_1M, [0.1, 0.5, 0.01, 0.125]),
  known("gpt-6", GPT_1M),
  known("gpt-5.6-sol", GPT_1M, [4, 20, 0.4, 4]),
  known("gpt-5.6-terra", GPT_1M, [2, 12, 0.2, 2]),
  known("gpt-5.6-luna", GPT_1M, [0.2, 1.2, 0.02, 0.2]),
  known("gpt-5.5-pro", GPT_1M, [30, 180, 3, 30]),
  known("gpt-5.5", GPT_1M, [5, 30, 0.5, 5]),
  known("gpt-5.4-mini", GPT_400K, [0.75, 4.5, 0.075, 0.75]),
  known("gpt-5.4-pro", GPT_1M, [30, 180, 3, 30]),
  known("gpt-5.4", GPT_1M, [2.5, 15, 0.25, 2.5]),
  known("gpt-5.2", GPT_400K, [1.75, 14, 0.175, 1.75]),
  known("gpt-5.1", GPT_400K, [1.25, 10, 0.125, 1.25]),
  known("gpt-5-mini", GPT_400K, [0.25, 2, 0.025, 0.25]),
  known("gpt-5-nano", GPT_400K, [0.05, 0.4, 0.005, 0.05]),
  known("gpt-5-chat", { ...GPT_400K, window: 128_000, maxOutput: 16_384, maxOutputCeiling: 16_384, thinking: "none" }, [1.25, 10, 0.125, 1.25]),
  known("gpt-5-pro", GPT_400K, [15, 120, 15, 15]),
  known("gpt-5", GPT_400K, [1.25, 10, 0.125, 1.25]),
  known("gpt-4.1-mini", { ...GPT_1M, window: 1_047_576, maxOutputCeiling: 32_768, thinking: "none" }, [0.4, 1.6, 0.1, 0.4]),
  known("gpt-4.1-nano", { ...GPT_1M, window: 1_047_576, maxOutputCeiling: 32_768, thinking: "none" }, [0.1, 0.4, 0.025, 0.1]),
  known("gpt-4.1", { ...GPT_1M, window: 1_047_576, maxOutputCeiling: 32_768, thinking: "none" }, [2, 8, 0.5, 2]),
  known("gpt-4o-mini", { ...GPT_1M, window: 128_000, maxOutput: 16_384, maxOutputCeiling: 16_384, thinking: "none" }, [0.15, 0.6, 0.075, 0.15]),
  known("gpt-4o", { ...GPT_1M, window: 128_000, maxOutput: 16_384, maxOutputCeiling: 16_384, thinking: "none" }, [2.5, 10, 1.25, 2.5]),
  known("gpt-4", { ...GPT_1M, window: 128_000, maxOutput: 4_096, maxOutputCeiling: 4_096, thinking: "none" }),
  known("gpt-3.5", { ...GPT_1M, window: 16_385, maxOutput: 4_096, maxOutputCeiling: 4_096, images: false, thinking: "none" }),
  known("o4-mini", O_SERIES, [1.1, 4.4, 0.275, 1.1]),
  known("o3-mini", { ...O_SERIES, images: false }, [1.1, 4.4, 0.55, 1.1]),
  known("o3", O_SERIES, [2, 8, 0.5, 2]),
  known("o1", O_SERIES, [15, 60, 7.5, 15]),
];
