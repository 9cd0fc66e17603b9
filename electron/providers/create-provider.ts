// The one way to a provider. An SDK is loaded when its provider is made, never at start-up.
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, Provider, ProviderConfig, ProviderFailure } from "./contract.ts";
import { describeModel } from "./models.ts";
import { type SetupDeps, setupOf } from "./setup-of.ts";

export type ProviderDeps = {
  readonly clock: Clock;
  /** how fast the demo types; default: a pleasant pace */
  readonly demoSpeed?: "instant" | "calm";
  /** vendor profile of a Chat Completions server, when the base URL does not tell */
  readonly chatProfile?: string;
};

/** Never rejects for a bad configuration: such a provider fails each request with what to do about it. */
export async function createProvider(config: ProviderConfig, deps: ProviderDeps): Promise<Provider> {
  if (config.id === "demo") {
    const { createDemoProvider } = await import("#electron/providers/demo/demo-provider.ts");
    return createDemoProvider({ clock: deps.clock, speed: deps.demoSpeed ?? "calm" });
  }
  const made: SetupDeps = { clock: deps.clock };
  const setup = setupOf(config, made);
  if (!setup.ok) return brokenProvider(config, setup.error);
  switch (config.id) {
    case "anthropic": {
      const { createAnthropicProvider } = await import("#electron/providers/anthropic/client.ts");
      return createAnthropicProvider(setup.value, deps.clock);
    }
    case "openai": {
      const { createResponsesProvider } = await import("#electron/providers/openai-responses/client.ts");
      return createResponsesProvider(setup.value, deps.clock);
    }
    case "openai-chat": {
      const { createChatProvider } = await import("#electron/providers/openai-chat/client.ts");
      return createChatProvider(setup.value, deps.clock, deps.chatProfile);
    }
  }
}

function brokenProvider(config: ProviderConfig, failure: ProviderFailure): Provider {
  return {
    id: config.id,
    describe: (model) => describeModel(config.id, model, config.contextWindows),
    stream: () => only({ type: "failed", failure }),
  };
}

async function* only(event: ModelEvent): AsyncGenerator<ModelEvent, void, void> {
  await Promise.resolve();
  yield event;
}
