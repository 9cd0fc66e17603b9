// The provider for servers that speak Chat Completions: OpenAI's SDK with the profile of the vendor behind the base URL.
import type { Clock } from "#electron/lib/clock.ts";
import type { Provider } from "#electron/providers/contract.ts";
import { describeModel } from "#electron/providers/models.ts";
import { createOpenAiClient, nullDropper } from "#electron/providers/openai-client.ts";
import { type Lessons, createLessons } from "#electron/providers/wire/lessons.ts";
import { requestStream } from "#electron/providers/wire/request-stream.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";
import { createChatReader } from "./from-wire.ts";
import { type Profile, profileFor } from "./profiles.ts";
import { toChat } from "./to-wire.ts";

export function createChatProvider(setup: Setup, clock: Clock, profileName?: string): Provider {
  const client = createOpenAiClient(setup);
  const lessons = createLessons();
  const profile = profileFor(setup.endpoint.host, profileName);
  const describe = (model: string) => describeModel("openai-chat", model, setup.contextWindows);
  return {
    id: "openai-chat",
    describe,
    stream: (request, signal) =>
      requestStream({
        request,
        signal,
        clock,
        setup,
        lessons,
        images: describe(request.model).images,
        maker: { provider: "openai-chat", model: request.model },
        reader: (maker) => createChatReader({ maker, secrets: setup.secrets, dropNulls: nullDropper(request) }),
        open: (conversation, inner) =>
          client.post("/chat/completions", { body: toChat(request, conversation, taught(profile, lessons)), signal: inner, stream: true }).asResponse(),
      }),
  };
}

function taught(profile: Profile, lessons: Lessons): Profile {
  return { ...profile, usageChunk: profile.usageChunk && !lessons.has("no_usage_chunk"), cacheKey: profile.cacheKey && !lessons.has("no_cache_key") };
}
