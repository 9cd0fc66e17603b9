// Checks a provider's configuration and makes of it what the adapters need. What is wrong is said before any request.
import { type Result, err, ok } from "#shared/lib/result.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { endpointOf } from "#electron/providers/wire/endpoint.ts";
import { createGuardedFetch } from "#electron/providers/wire/guarded-fetch.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";
import type { ProviderConfig, ProviderFailure } from "./contract.ts";

export type SetupDeps = { readonly clock: Clock };

/** Six hours: our own ladder always speaks first (L19). */
const SDK_TIMEOUT_MS = 6 * 60 * 60 * 1000;
/** Local servers want no key, but the SDKs want one. */
const NO_KEY = "no-key";
const HEADER_SAFE = /^[\x21-\x7e]+$/;

export function setupOf(config: ProviderConfig, deps: SetupDeps): Result<Setup, ProviderFailure> {
  const endpoint = endpointOf(config.id, config.baseUrl);
  if (!endpoint.ok) return err({ kind: "bad_request", retryable: false, code: "base_url", message: endpoint.error });
  const key = config.apiKey?.trim() ?? "";
  if (key === "" && endpoint.value.official)
    return err({ kind: "auth", retryable: false, code: "no_key", message: `no API key for ${endpoint.value.host} is set` });
  if (key !== "" && !HEADER_SAFE.test(key)) {
    return err({
      kind: "auth",
      retryable: false,
      code: "bad_key",
      message: "the API key has characters that no key has, such as spaces or line breaks; copy it again",
    });
  }
  const secrets = [key === "" ? undefined : key];
  return ok({
    apiKey: key === "" ? NO_KEY : key,
    endpoint: endpoint.value,
    fetch: createGuardedFetch({
      fetch: config.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock: deps.clock,
      host: endpoint.value.host,
      secrets,
    }),
    secrets,
    contextWindows: config.contextWindows,
    sdkTimeoutMs: SDK_TIMEOUT_MS,
  });
}
