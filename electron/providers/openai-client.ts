// What both OpenAI protocols share: the official SDK's client, and the way back of optional fields.
import { OpenAI } from "openai";
import type { ModelRequest } from "./contract.ts";
import { dropNulls } from "./drop-nulls.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";

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

/** By tool name: its input without nulls that only mean "not given". */
export function nullDropper(request: ModelRequest): (tool: string, input: unknown) => unknown {
  const schemas = new Map(request.tools.map((tool) => [tool.name, tool.schema]));
  return (tool, input) => {
    const schema = schemas.get(tool);
    return schema === undefined ? input : dropNulls(schema, input);
  };
}
