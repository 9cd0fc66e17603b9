// Where nothing was spent.
import type { Spending } from "#shared/session/spending.ts";

export const noSpending: Spending = {
  usd: 0,
  tokens: 0,
  cacheShare: null,
  today: { usd: 0, tokens: 0 },
  window: 200_000,
  limits: { sessionUsd: 0, dayUsd: 0 },
  pricesAsOf: "2026-11-30",
};
