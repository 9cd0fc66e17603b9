// The settings and keys domains. A key goes in and is never answered.
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { err, ok } from "#shared/lib/result.ts";
import { ProviderId } from "#shared/settings/settings.ts";
import type { BridgeDeps } from "./contract.ts";

export function settingsHandlers({ settings }: BridgeDeps): HandlersOf<typeof contract>["settings"] {
  return {
    get: async () => ok(settings.current()),
    async set({ patch }) {
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      return settings.set(given).then(ok, (error: unknown) => err({ kind: "failed", message: messageOf(error) }));
    },
    follow(_key, send, signal) {
      const following = settings.follow(send);
      signal.addEventListener("abort", () => following[Symbol.dispose](), { once: true });
      send(settings.current());
    },
  };
}

export function keysHandlers({ keys, settings, testConnection }: BridgeDeps): HandlersOf<typeof contract>["keys"] {
  return {
    list: async () => ok(ProviderId.options.map((provider) => ({ provider, hasKey: keys.get(provider) !== undefined, from: keys.origin(provider) }))),
    set: ({ provider, key }) =>
      keys.set(provider, key.trim()).then(
        (kept) => ok({ kept }),
        (error: unknown) => err({ kind: "failed", message: messageOf(error) }),
      ),
    remove: ({ provider }) =>
      keys.remove(provider).then(
        () => ok(null),
        (error: unknown) => err({ kind: "failed", message: messageOf(error) }),
      ),
    async test({ provider, key, baseUrl, model }) {
      const tested = await testConnection({
        provider,
        key: key?.trim() ?? keys.get(provider),
        baseUrl: baseUrl ?? settings.current().baseUrls[provider],
        model,
      });
      return tested.ok ? ok({ models: [...tested.value.models] }) : tested;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
