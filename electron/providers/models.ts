// What we know of a model: window, output limits, prices, dialect. What we do not know is undefined, never guessed as 0.
import { ANTHROPIC_MODELS, type KnownModel, OPENAI_MODELS, PRICES_AS_OF } from "./models-table.ts";
import type { ModelInfo, ProviderConfig } from "./contract.ts";

export type ProviderId = ProviderConfig["id"];

/** The model of a provider when the person named none; "" where only the person can know (local servers). */
export const DEFAULT_MODELS: Readonly<Record<ProviderId, string>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.2-sol",
  "openai-chat": "",
  demo: "demo",
};

/** Words in the names of open models that see images; for all other unknown ones a picture becomes a note. */
const SEES_IMAGES = /(?:^|[-_/:.])(?:vl|vision|llava|pixtral|gemini|gemma-?[34]|4v|omni)(?:[-_/:.]|$)|vl[-:]|qwen[23.]*-?vl/i;

const UNKNOWN_OUTPUT = 8_192;
const UNKNOWN_OUTPUT_CEILING = 32_000;
const DEMO_MODEL: KnownModel = {
  prefix: "",
  window: 200_000,
  maxOutput: UNKNOWN_OUTPUT,
  maxOutputCeiling: UNKNOWN_OUTPUT_CEILING,
  images: true,
  thinking: "none",
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

const DIALECTS: Readonly<Record<ProviderId, ModelInfo["dialect"]>> = {
  anthropic: "anthropic",
  openai: "openai_strict",
  "openai-chat": "openai_loose",
  demo: "anthropic",
};

/** `contextWindows` are the person's own numbers, in tokens, and go before the table. */
export function describeModel(provider: ProviderId, model: string, contextWindows: Readonly<Record<string, number>>): ModelInfo {
  const known = provider === "demo" ? DEMO_MODEL : knownModel(provider, model);
  const window = contextWindows[model] ?? known?.window;
  const limits = known ?? {
    maxOutput: UNKNOWN_OUTPUT,
    maxOutputCeiling: UNKNOWN_OUTPUT_CEILING,
    images: provider !== "openai-chat" || SEES_IMAGES.test(model),
  };
  return {
    window,
    maxOutput: fitting(limits.maxOutput, window),
    maxOutputCeiling: fitting(limits.maxOutputCeiling, window),
    dialect: DIALECTS[provider],
    images: limits.images,
    prices: known?.prices,
    ...(known?.prices === undefined || provider === "demo" ? {} : { pricesAsOf: PRICES_AS_OF }),
  };
}

/** A reply never gets more than half of a small window. */
function fitting(tokens: number, window: number | undefined): number {
  return window === undefined ? tokens : Math.min(tokens, Math.max(1, Math.floor(window / 2)));
}

/** The entry for a model; gateways that put a vendor before the name ("openai/gpt-6.2-sol") are understood. */
export function knownModel(provider: ProviderId, model: string): KnownModel | undefined {
  if (provider === "demo") return undefined;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const table = provider === "anthropic" ? ANTHROPIC_MODELS : provider === "openai" ? OPENAI_MODELS : [...OPENAI_MODELS, ...ANTHROPIC_MODELS];
  const longest = table.reduce<KnownModel | undefined>(
    (best, entry) => (name.startsWith(entry.prefix) && entry.prefix.length > (best?.prefix.length ?? 0) ? entry : best),
    undefined,
  );
  // On other vendors' servers the name tells what it can do, but not what that server charges.
  return longest !== undefined && provider === "openai-chat" && name !== model.toLowerCase() ? { ...longest, prices: undefined } : longest;
}
