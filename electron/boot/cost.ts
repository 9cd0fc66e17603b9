// Money spent in a session, from what each model used and the price table. Pure. An unknown price is unknown, never 0 (E10).
import { freshTokens } from "#shared/chat/usage.ts";
import { ProviderId, type Settings } from "#shared/settings/settings.ts";
import type { Spending } from "#shared/session/spending.ts";
import type { SessionView } from "#shared/session/view.ts";
import { costOf, type Spent } from "#electron/loop/spend.ts";
import { describeModel } from "#electron/providers/models.ts";
import { PRICES_AS_OF } from "#electron/providers/models-table.ts";
import type { DaySpent } from "#electron/trace/usage-ledger.ts";

type Used = Pick<SessionView, "spent" | "usage">;

/** US dollars; undefined when the price of any model is not known. */
export function sessionCost(view: Used, settings: Settings): number | undefined {
  const costs = costsOf(view, settings);
  return costs.includes(undefined) ? undefined : sum(costs);
}

/** For limits: money as far as prices are known, and fresh tokens. */
export function spentBefore(view: Used, settings: Settings): Spent {
  return { usd: sum(costsOf(view, settings)), tokens: freshTokens(view.usage) };
}

function costsOf({ spent }: Used, settings: Settings): readonly (number | undefined)[] {
  return spent.map(({ by, usage }) => {
    const provider = ProviderId.safeParse(by.provider);
    const prices = provider.success ? describeModel(provider.data, by.model, settings.contextWindows).prices : undefined;
    return prices === undefined ? undefined : costOf(usage, prices);
  });
}

function sum(costs: readonly (number | undefined)[]): number {
  return costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
}

/** What the window shows of a session's spending (UX 9). */
export function spendingOf(view: Used & Pick<SessionView, "maker">, settings: Settings, today: DaySpent): Spending {
  const { input, cacheRead, cacheWrite } = view.usage;
  const asked = input + cacheRead + cacheWrite;
  const provider = ProviderId.safeParse(view.maker.provider);
  return {
    usd: sessionCost(view, settings) ?? null,
    tokens: freshTokens(view.usage),
    cacheShare: asked === 0 ? null : cacheRead / asked,
    today: { ...today },
    window: (provider.success ? describeModel(provider.data, view.maker.model, settings.contextWindows).window : undefined) ?? null,
    limits: { sessionUsd: settings.spendLimit.session, dayUsd: settings.spendLimit.day },
    pricesAsOf: PRICES_AS_OF,
  };
}
