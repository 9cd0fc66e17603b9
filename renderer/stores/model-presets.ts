// Well-known places to get a model from, so that nobody has to know a base URL (U1). The protocol names are the settings' own.
import type { ProviderId } from "#shared/settings/settings.ts";

export type ModelPreset = {
  readonly id: string;
  /** a name, the same in every language */
  readonly name: string;
  readonly provider: Exclude<ProviderId, "demo">;
  /** undefined: the provider's own address */
  readonly baseUrl: string | undefined;
  readonly keyPage: string | undefined;
  /** runs on this computer: needs no key */
  readonly local: boolean;
  readonly model: string;
};

export const MODEL_PRESETS: readonly ModelPreset[] = [
  {
    id: "anthropic",
    name: "Anthropic Claude",
    provider: "anthropic",
    baseUrl: undefined,
    keyPage: "https://console.anthropic.com/settings/keys",
    local: false,
    model: "claude-sonnet-4-5",
  },
  { id: "openai", name: "OpenAI", provider: "openai", baseUrl: undefined, keyPage: "https://platform.openai.com/api-keys", local: false, model: "gpt-5" },
  {
    id: "deepseek",
    name: "DeepSeek",
    provider: "openai-chat",
    baseUrl: "https://api.deepseek.com/v1",
    keyPage: "https://platform.deepseek.com/api_keys",
    local: false,
    model: "deepseek-chat",
  },
  {
    id: "kimi",
    name: "Kimi",
    provider: "openai-chat",
    baseUrl: "https://api.moonshot.cn/v1",
    keyPage: "https://platform.moonshot.cn/console/api-keys",
    local: false,
    model: "kimi-k2-0905-preview",
  },
  {
    id: "qwen",
    name: "Qwen",
    provider: "openai-chat",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    keyPage: "https://bailian.console.aliyun.com/?tab=model#/api-key",
    local: false,
    model: "qwen3-coder-plus",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    provider: "openai-chat",
    baseUrl: "https://openrouter.ai/api/v1",
    keyPage: "https://openrouter.ai/keys",
    local: false,
    model: "",
  },
  { id: "ollama", name: "Ollama", provider: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1", keyPage: undefined, local: true, model: "" },
  { id: "lmstudio", name: "LM Studio", provider: "openai-chat", baseUrl: "http://127.0.0.1:1234/v1", keyPage: undefined, local: true, model: "" },
  { id: "other", name: "", provider: "openai-chat", baseUrl: "", keyPage: undefined, local: false, model: "" },
];

/** The preset that stands for these settings, as far as it can be told. */
export function presetFor(provider: ProviderId, baseUrl: string | undefined): ModelPreset | undefined {
  if (provider === "demo") return undefined;
  const exact = MODEL_PRESETS.find((preset) => preset.provider === provider && (preset.baseUrl ?? "") === (baseUrl ?? ""));
  return exact ?? MODEL_PRESETS.find((preset) => preset.provider === provider && (provider !== "openai-chat" || preset.id === "other"));
}
