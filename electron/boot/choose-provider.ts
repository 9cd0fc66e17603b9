// Which model a headless run talks to, and what is missing if none (DESIGN 7): never a silent demo. Pure.
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { ProviderId, Settings } from "#shared/settings/settings.ts";

export type Choice = { readonly provider: ProviderId; readonly baseUrl: string | undefined };
export type ChoiceFacts = {
  readonly flag: ProviderId | undefined;
  readonly baseUrlFlag: string | undefined;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  hasKey(provider: ProviderId): boolean;
};

const KEY_NAME: Readonly<Record<ProviderId, string>> = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY", "openai-chat": "OPENAI_API_KEY", demo: "" };
const BASE_NAME: Readonly<Record<ProviderId, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  "openai-chat": "OPENAI_BASE_URL",
  demo: "",
};

/** The error is one line that says how to go on. */
export function chooseProvider(facts: ChoiceFacts): Result<Choice, string> {
  const provider = facts.flag ?? byDefault(facts);
  if (provider === undefined) {
    return err("No model is connected. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use --provider with --base-url, or try --provider demo.");
  }
  const baseUrl = facts.baseUrlFlag ?? nonEmpty(facts.environment[BASE_NAME[provider]]) ?? facts.settings.baseUrls[provider];
  // A server of one's own may need no key; the vendor's always does.
  if (provider !== "demo" && baseUrl === undefined && !facts.hasKey(provider)) {
    return err(`There is no key for ${provider}. Set ${KEY_NAME[provider]}, or give the address of a server that needs none with --base-url.`);
  }
  return ok({ provider, baseUrl });
}

function byDefault({ settings, hasKey, baseUrlFlag, environment }: ChoiceFacts): ProviderId | undefined {
  if (settings.provider !== "demo") return settings.provider;
  if (hasKey("anthropic")) return "anthropic";
  if (hasKey("openai")) return "openai";
  if (nonEmpty(environment["ANTHROPIC_BASE_URL"]) !== undefined) return "anthropic";
  if (nonEmpty(environment["OPENAI_BASE_URL"]) !== undefined) return "openai";
  return baseUrlFlag === undefined ? undefined : "anthropic";
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
