// "Test the key" of the settings and of the first start, with the few kinds the window tells apart.
import { assertNever } from "#shared/lib/assert-never.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { Settings } from "#shared/settings/settings.ts";
import type { BridgeDeps, ConnectionFailure } from "#electron/bridge/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ProviderFailureKind } from "#electron/providers/contract.ts";
import { testConnection } from "#electron/providers/list-models.ts";
import type { ServiceFacts } from "./contract.ts";

export function createConnectionTest(facts: ServiceFacts, clock: Clock, settings: () => Settings): BridgeDeps["testConnection"] {
  return async ({ provider, key, baseUrl, model }) => {
    const config = { id: provider, apiKey: key, baseUrl: baseUrl === "" ? undefined : baseUrl, fetch: facts.fetch, contextWindows: settings().contextWindows };
    const tested = await testConnection(config, { clock });
    if (!tested.ok) return err({ kind: shown(tested.error.kind), message: tested.error.message });
    const { models } = tested.value;
    const missing = model !== undefined && model !== "" && models.length > 0 && !models.includes(model);
    return missing
      ? err({ kind: "model_not_found", message: `The server does not know ${model}. It offers: ${models.slice(0, 8).join(", ")}` })
      : ok({ models });
  };
}

function shown(kind: ProviderFailureKind): ConnectionFailure["kind"] {
  switch (kind) {
    case "auth":
    case "forbidden":
      return "auth";
    case "model_not_found":
      return "model_not_found";
    case "quota":
      return "quota";
    case "network":
    case "timeout":
      return "network";
    case "not_found":
    case "too_large":
    case "rate_limit":
    case "overloaded":
    case "bad_request":
    case "context_window":
    case "server":
    case "protocol":
    case "aborted":
      return "other";
    default:
      return assertNever(kind);
  }
}
