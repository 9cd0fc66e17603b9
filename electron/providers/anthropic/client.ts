// The Anthropic provider: the official SDK for URL, headers and types; retries and time-outs are the loop's (L19, L20).
import { Anthropic } from "@anthropic-ai/sdk";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelRequest, Provider } from "#electron/providers/contract.ts";
import { knownModel } from "#electron/providers/models.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";
import { createWireProvider, type WireProtocol } from "#electron/providers/wire/wire-provider.ts";
import { createAnthropicReader } from "./from-wire.ts";
import { BLOCK_BINDING_BETA, toAnthropic } from "./to-wire.ts";

export function createAnthropicProvider(setup: Setup, clock: Clock): Provider {
  const client = createAnthropicClient(setup);
  const protocol: WireProtocol = {
    id: "anthropic",
    reader: ({ model }) => createAnthropicReader({ maker: { provider: "anthropic", model }, secrets: setup.secrets }),
    open: (request, conversation, _lessons, signal) => {
      const body = toAnthropic(request, conversation, optionsFor(setup, request));
      const headers = hasBinding(setup, request) ? { "anthropic-beta": BLOCK_BINDING_BETA } : {};
      return client.post("/v1/messages", { body, headers, signal, stream: true }).asResponse();
    },
  };
  return createWireProvider(protocol, setup, clock);
}

export function createAnthropicClient(setup: Setup): Anthropic {
  return new Anthropic({
    apiKey: setup.apiKey,
    baseURL: setup.endpoint.baseUrl,
    webhookKey: null,
    maxRetries: 0,
    timeout: setup.sdkTimeoutMs,
    fetch: setup.fetch,
    logLevel: "off",
    openTelemetry: false,
    // Named here so that headers from the environment cannot replace it.
    defaultHeaders: { authorization: `Bearer ${setup.apiKey}` },
  });
}

function optionsFor(setup: Setup, request: ModelRequest) {
  return { adaptiveThinking: knownModel("anthropic", request.model)?.thinking === "adaptive", official: setup.endpoint.official };
}

function hasBinding(setup: Setup, request: ModelRequest): boolean {
  const { adaptiveThinking, official } = optionsFor(setup, request);
  return adaptiveThinking && official;
}
