// Money spent, against limits per turn, session and day (L11). A model whose price is unknown cannot be counted and is not.
import type { Maker } from "#shared/chat/blocks.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import type { SpendMeter } from "./contract.ts";
import { SPEND_WARNING_SHARE } from "./limits.ts";
import { notice } from "./notices.ts";

/** US dollars; 0 = no limit. */
export type SpendLimits = { readonly turn: number; readonly session: number; readonly day: number };
export type SpendDeps = {
  readonly limits: SpendLimits;
  /** spent before this turn */
  readonly before: { readonly session: number; readonly day: number };
  prices(maker: Maker): ModelInfo["prices"];
};

const PER = ["turn", "session", "day"] as const;
const TOKENS_PER_PRICE = 1_000_000;

export function costOf(usage: Usage, prices: NonNullable<ModelInfo["prices"]>): number {
  const { input, output, cacheRead, cacheWrite } = usage;
  return (input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite) / TOKENS_PER_PRICE;
}

/** For one turn. */
export function createSpendMeter(deps: SpendDeps): SpendMeter {
  const limits = { ...deps.limits };
  const warned = new Set<string>();
  let turn = 0;
  const spent = (per: (typeof PER)[number]) => turn + (per === "turn" ? 0 : deps.before[per]);
  const params = (per: (typeof PER)[number]) => ({ spent: spent(per).toFixed(2), limit: limits[per].toFixed(2) });
  return {
    add(usage, maker) {
      const prices = deps.prices(maker);
      if (prices !== undefined) turn += costOf(usage, prices);
    },
    check() {
      const reached = PER.find((per) => limits[per] > 0 && spent(per) >= limits[per]);
      if (reached !== undefined) return { kind: "reached", notice: notice(`spend_limit_${reached}`, params(reached)) };
      const near = PER.find((per) => limits[per] > 0 && !warned.has(per) && spent(per) >= limits[per] * SPEND_WARNING_SHARE);
      if (near === undefined) return { kind: "ok" };
      warned.add(near);
      return { kind: "warn", notice: notice(`spend_warning_${near}`, params(near)) };
    },
    lift() {
      for (const per of PER) {
        if (limits[per] > 0 && spent(per) >= limits[per]) limits[per] += Math.max(deps.limits[per], spent(per));
        warned.delete(per);
      }
    },
  };
}
