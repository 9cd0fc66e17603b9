// The OpenAI provider over the Responses API: the official SDK for URL, headers and types; retries and time-outs are the loop's (L19, L20).
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelRequest, Provider } from "#electron/providers/contract.ts";
import { knownModel } from "#electron/providers/models.ts";
import { createOpenAiClient, nullDropper } from "#electron/providers/openai-client.ts";
import type { Lessons } from "#electron/providers/wire/lessons.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";
import { createWireProvider, type WireProtocol } from "#electron/providers/wire/wire-provider.ts";
import { createResponsesReader } from "./from-wire.ts";
import { type ResponsesOptions, toResponses } from "./to-wire.ts";

export function createResponsesProvider(setup: Setup, clock: Clock): Provider {
  const client = createOpenAiClient(setup);
  const protocol: WireProtocol = {
    id: "openai",
    reader: (request) =>
      createResponsesReader({ maker: { provider: "openai", model: request.model }, secrets: setup.secrets, dropNulls: nullDropper(request) }),
    open: (request, conversation, lessons, signal) =>
      client.post("/responses", { body: toResponses(request, conversation, optionsFor(setup, request, lessons)), signal, stream: true }).asResponse(),
  };
  return createWireProvider(protocol, setup, clock);
}

/** Models that do not reason refuse to be asked for reasoning; unknown ones are taken to be new, and new ones reason. */
function optionsFor(setup: Setup, request: ModelRequest, lessons: Lessons): ResponsesOptions {
  const reasons = knownModel("openai", request.model)?.thinking !== "none";
  return {
    encrypted: reasons && !lessons.has("no_encrypted_reasoning"),
    summary: reasons && setup.endpoint.official && !lessons.has("no_reasoning_summary"),
    cacheKey: !lessons.has("no_cache_key"),
  };
}
