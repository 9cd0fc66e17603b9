// What both OpenAI protocols share: the official SDK's client, the fields both bodies have, and the way back of optional fields.
import { OpenAI } from "openai";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import type { ModelRequest } from "./contract.ts";
import { dropNulls } from "./drop-nulls.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";

const CACHE_KEY_CHARS = 64;

export function createOpenAiClient(setup: Setup): OpenAI {
  return new OpenAI({
    apiKey: setup.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: setup.endpoint.baseUrl,
    maxRetries: 0,
    timeout: setup.sdkTimeoutMs,
    fetch: setup.fetch,
    logLevel: "off",
    // Named here so that headers from the environment cannot replace it.
    defaultHeaders: { authorization: `Bearer ${setup.apiKey}` },
  });
}

export function systemText(request: ModelRequest): string {
  return request.system
    .filter((text) => !isBlank(text))
    .map(wellFormed)
    .join("\n\n");
}

/** An empty key is left out, and so is every key for a server that refuses it. */
export function cacheKeyField(request: ModelRequest, taken: boolean): { readonly prompt_cache_key?: string } {
  return taken && request.cacheKey !== "" ? { prompt_cache_key: request.cacheKey.slice(0, CACHE_KEY_CHARS) } : {};
}

/** By tool name: its input without nulls that only mean "not given". */
export function nullDropper(request: ModelRequest): (tool: string, input: unknown) => unknown {
  const schemas = new Map(request.tools.map((tool) => [tool.name, tool.schema]));
  return (tool, input) => {
    const schema = schemas.get(tool);
    return schema === undefined ? input : dropNulls(schema, input);
  };
}
