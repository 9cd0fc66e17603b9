// Money spent in a session, from its replies' usage and the price table. Pure. An unknown price is unknown, never 0 (E10).
import type { Usage } from "#shared/chat/usage.ts";
import { ProviderId, type Settings } from "#shared/settings/settings.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import { describeModel } from "#electron/providers/models.ts";

const PER = 1_000_000;

/** US dollars; undefined when any reply's price is not known. */
export function costOf(view: SessionView, settings: Settings): number | undefined {
  let total = 0;
  for (const entry of Object.values(view.entries)) {
    if (entry.kind !== "reply") continue;
    const provider = ProviderId.safeParse(entry.by.provider);
    const prices = provider.success ? describeModel(provider.data, entry.by.model, settings.contextWindows).prices : undefined;
    if (prices === undefined) return undefined;
    total += priceOf(entry.usage, prices);
  }
  return total;
}

export function priceOf(usage: Usage, prices: NonNullable<ModelInfo["prices"]>): number {
  return (usage.input * prices.input + usage.output * prices.output + usage.cacheRead * prices.cacheRead + usage.cacheWrite * prices.cacheWrite) / PER;
}
