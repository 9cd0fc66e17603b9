// Runs one request against the model server through a real adapter and gathers what came out.
import type { Message } from "#shared/chat/blocks.ts";
import { type Clock, createSystemClock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderConfig, ToolDefinition } from "#electron/providers/contract.ts";
import { createProvider } from "#electron/providers/create-provider.ts";
import type { ModelServer } from "#electron/testkit/server/model-server.ts";
import type { Protocol } from "#electron/testkit/server/seen-request.ts";

export const PROTOCOLS: readonly Protocol[] = ["anthropic", "openai-responses", "openai-chat"];

export const TEST_KEY = "sk-test-0123456789";

export const READ_TOOL: ToolDefinition = {
  name: "read",
  description: "Reads a file.",
  schema: {
    type: "object",
    properties: { file_path: { type: "string" }, offset: { type: "integer", default: 0 } },
    required: ["file_path"],
    additionalProperties: false,
  },
  strictAllowed: true,
};

export const TEST_MODELS: Readonly<Record<Protocol, string>> = {
  anthropic: "claude-sonnet-5-5",
  "openai-responses": "gpt-6.2-sol",
  "openai-chat": "local-model",
};

export function providerIdOf(protocol: Protocol): ProviderConfig["id"] {
  return protocol === "openai-responses" ? "openai" : protocol;
}

export function configFor(protocol: Protocol, url: string): ProviderConfig {
  return { id: providerIdOf(protocol), apiKey: TEST_KEY, baseUrl: protocol === "anthropic" ? url : `${url}/v1`, fetch: undefined, contextWindows: {} };
}

export function providerFor(protocol: Protocol, server: Pick<ModelServer, "url">, clock: Clock = createSystemClock()): Promise<Provider> {
  return createProvider(configFor(protocol, server.url), { clock });
}

export function requestFor(protocol: Protocol, messages: readonly Message[] | string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: TEST_MODELS[protocol],
    system: ["You are a test."],
    tools: [READ_TOOL],
    messages: typeof messages === "string" ? [{ role: "user", blocks: [{ type: "text", text: messages }] }] : messages,
    maxTokens: 1_000,
    cacheKey: "session-1",
    blob: async () => undefined,
    ...more,
  };
}

export async function collect(events: AsyncIterable<ModelEvent>, onEvent: (event: ModelEvent) => void = () => {}): Promise<readonly ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) {
    all.push(event);
    onEvent(event);
  }
  return all;
}

/** The events without `headers`, `bytes` and `tool_input`, and with neighbouring deltas of one kind joined. */
export function gist(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const joined: ModelEvent[] = [];
  for (const event of events) {
    if (event.type === "headers" || event.type === "bytes" || event.type === "tool_input") continue;
    const last = joined.at(-1);
    if ((event.type === "text" || event.type === "thinking") && last?.type === event.type)
      joined[joined.length - 1] = { ...event, delta: last.delta + event.delta };
    else joined.push(event);
  }
  return joined;
}
