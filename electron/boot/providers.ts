// Model providers by id, made when first used and again when key, address or windows change.
import { stableJson } from "#shared/lib/stable-json.ts";
import type { ProviderId, Settings } from "#shared/settings/settings.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Provider, ProviderConfig } from "#electron/providers/contract.ts";
import { createProvider } from "#electron/providers/create-provider.ts";
import type { Keys } from "#electron/secrets/contract.ts";
import type { ServiceFacts } from "./contract.ts";
import { proxyFetch } from "./proxy-fetch.ts";

type Deps = { readonly clock: Clock; readonly keys: Keys; settings(): Settings };

export function createProviders(facts: ServiceFacts, deps: Deps): { get(id: ProviderId): Promise<Provider> } {
  const made = new Map<ProviderId, { readonly for: string; readonly provider: Promise<Provider> }>();
  return {
    get(id) {
      const config = configOf(facts, deps, id);
      const { fetch: _same, ...facets } = config;
      const wanted = stableJson(facets);
      const known = made.get(id);
      if (known?.for === wanted) return known.provider;
      const provider = createProvider(config, {
        clock: deps.clock,
        demoSpeed: facts.face.kind === "headless" || facts.environment["CAIRN_DEMO_SPEED"] === "instant" ? "instant" : "calm",
      });
      made.set(id, { for: wanted, provider });
      return provider;
    },
  };
}

/** Key, address and windows of a provider as they are now. */
export function configOf(facts: ServiceFacts, { keys, settings }: Pick<Deps, "keys" | "settings">, id: ProviderId): ProviderConfig {
  const { baseUrls, contextWindows } = settings();
  const run = facts.face.kind === "headless" && facts.face.run.provider === id ? facts.face.run : undefined;
  return {
    id,
    apiKey: keys.get(id),
    baseUrl: run === undefined ? baseUrls[id] : run.baseUrl,
    fetch: facts.fetch ?? proxyFetch(facts.environment),
    contextWindows,
  };
}
