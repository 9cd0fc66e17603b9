// What each vendor of a Chat Completions server does differently, as data. Chosen by the host of the base URL (A12).

export type Profile = {
  readonly name: string;
  readonly hosts: readonly RegExp[];
  /** asks for a last chunk with token counts (`stream_options`) */
  readonly usageChunk: boolean;
  readonly maxTokens: "max_tokens" | "max_completion_tokens";
  readonly systemRole: "system" | "developer";
  /** messages that called tools must carry the reasoning that led there, under this name */
  readonly echoReasoning: "reasoning_content" | undefined;
  /** signed pieces of reasoning go back as they came */
  readonly echoDetails: boolean;
  readonly cacheKey: boolean;
};

const GENERIC: Profile = {
  name: "generic",
  hosts: [],
  usageChunk: true,
  maxTokens: "max_tokens",
  systemRole: "system",
  echoReasoning: undefined,
  echoDetails: false,
  cacheKey: false,
};

export const PROFILES: readonly Profile[] = [
  {
    ...GENERIC,
    name: "openai",
    hosts: [/(^|\.)openai\.com$/, /\.openai\.azure\.com$/],
    maxTokens: "max_completion_tokens",
    systemRole: "developer",
    cacheKey: true,
  },
  { ...GENERIC, name: "deepseek", hosts: [/(^|\.)deepseek\.com$/], echoReasoning: "reasoning_content" },
  { ...GENERIC, name: "moonshot", hosts: [/(^|\.)moonshot\.(cn|ai)$/, /(^|\.)kimi\.(com|ai)$/], echoReasoning: "reasoning_content" },
  { ...GENERIC, name: "qwen", hosts: [/(^|\.)aliyuncs\.com$/] },
  { ...GENERIC, name: "openrouter", hosts: [/(^|\.)openrouter\.ai$/], echoDetails: true },
  { ...GENERIC, name: "ollama", hosts: [/^[^/]*:11434$/] },
  { ...GENERIC, name: "lmstudio", hosts: [/^[^/]*:1234$/] },
  GENERIC,
];

/** `host` with its port, as in a URL. `name` overrides the choice; an unknown name is the generic profile. */
export function profileFor(host: string, name?: string): Profile {
  if (name !== undefined) return PROFILES.find((profile) => profile.name === name) ?? GENERIC;
  const bare = host.replace(/:(?:80|443)$/, "");
  return PROFILES.find((profile) => profile.hosts.some((pattern) => pattern.test(bare))) ?? GENERIC;
}
