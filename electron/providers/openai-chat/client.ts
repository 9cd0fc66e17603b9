// The provider for servers that speak Chat Completions: OpenAI's SDK with the profile of the vendor behind the base URL.
import type { Clock } from "#electron/lib/clock.ts";
import type { Provider } from "#electron/providers/contract.ts";
import { createOpenAiClient, nullDropper } from "#electron/providers/openai-client.ts";
import type { Lessons } from "#electron/providers/wire/lessons.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";
import { createWireProvider, type WireProtocol } from "#electron/providers/wire/wire-provider.ts";
import { createChatReader } from "./from-wire.ts";
import { type Profile, profileFor } from "./profiles.ts";
import { toChat } from "./to-wire.ts";

export function createChatProvider(setup: Setup, clock: Clock, profileName?: string): Provider {
  const client = createOpenAiClient(setup);
  const profile = profileFor(setup.endpoint.host, profileName);
  const protocol: WireProtocol = {
    id: "openai-chat",
    reader: (request) =>
      createChatReader({ maker: { provider: "openai-chat", model: request.model }, secrets: setup.secrets, dropNulls: nullDropper(request) }),
    open: (request, conversation, lessons, signal) =>
      client.post("/chat/completions", { body: toChat(request, conversation, taught(profile, lessons)), signal, stream: true }).asResponse(),
  };
  return createWireProvider(protocol, setup, clock);
}

function taught(profile: Profile, lessons: Lessons): Profile {
  return { ...profile, usageChunk: profile.usageChunk && !lessons.has("no_usage_chunk"), cacheKey: profile.cacheKey && !lessons.has("no_cache_key") };
}
