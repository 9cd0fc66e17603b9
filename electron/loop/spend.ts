// Money and tokens spent, against limits per turn, session and day (L11). Money of a model whose price is unknown cannot be counted;
// with a limit in money that is said once.
import type { Maker } from "#shared/chat/blocks.ts";
import { freshTokens, type Usage } from "#shared/chat/usage.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import type { SpendMeter } from "./contract.ts";
import { SPEND_WARNING_SHARE } from "./limits.ts";
import { notice } from "./notices.ts";

/** US dollars, and fresh tokens: those from the cache are not counted. */
export type Spent = { readonly usd: number; readonly tokens: number };
const PERIODS = ["turn", "session", "day"] as const;
type Period = (typeof PERIODS)[number];
const UNITS = ["usd", "tokens"] as const;
type Unit = (typeof UNITS)[number];
/** 0 = no limit */
export type SpendLimits = Readonly<Record<Period, Spent>>;

export type SpendDeps = {
  readonly limits: SpendLimits;
  /** spent in the session before this turn */
  readonly session: Spent;
  /** spent today by all sessions, this turn included */
  today(): Spent;
  prices(maker: Maker): ModelInfo["prices"];
};

const TOKENS_PER_PRICE = 1_000_000;
const DIGITS: Readonly<Record<Unit, number>> = { usd: 2, tokens: 0 };

/** US dollars. */
export function costOf(usage: Usage, prices: NonNullable<ModelInfo["prices"]>): number {
  const { input, output, cacheRead, cacheWrite } = usage;
  return (input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite) / TOKENS_PER_PRICE;
}

/** For one turn. */
export function createSpendMeter(deps: SpendDeps): SpendMeter {
  const limits: Record<Period, Record<Unit, number>> = { turn: { ...deps.limits.turn }, session: { ...deps.limits.session }, day: { ...deps.limits.day } };
  const pairs = PERIODS.flatMap((per) => UNITS.map((unit) => ({ per, unit })));
  const warned = new Set<string>();
  const turn = { usd: 0, tokens: 0 };
  let unpriced: string | undefined;
  const spent = (per: Period, unit: Unit): number => {
    if (per === "day") return deps.today()[unit];
    return turn[unit] + (per === "session" ? deps.session[unit] : 0);
  };
  const said = (kind: "spend_limit" | "spend_warning", per: Period, unit: Unit): Notice =>
    notice(unit === "usd" ? `${kind}_${per}` : `${kind}_${per}_tokens`, {
      spent: spent(per, unit).toFixed(DIGITS[unit]),
      limit: limits[per][unit].toFixed(DIGITS[unit]),
    });
  const over = (share: number) => pairs.filter(({ per, unit }) => limits[per][unit] > 0 && spent(per, unit) >= limits[per][unit] * share);
  return {
    add(usage, maker) {
      turn.tokens += freshTokens(usage);
      const prices = deps.prices(maker);
      if (prices === undefined) unpriced ??= maker.model;
      else turn.usd += costOf(usage, prices);
    },
    check() {
      const [reached] = over(1);
      if (reached !== undefined) return { kind: "reached", notice: said("spend_limit", reached.per, reached.unit) };
      const near = over(SPEND_WARNING_SHARE).find(({ per, unit }) => !warned.has(`${per} ${unit}`));
      if (near !== undefined) {
        warned.add(`${near.per} ${near.unit}`);
        return { kind: "warn", notice: said("spend_warning", near.per, near.unit) };
      }
      if (unpriced === undefined || warned.has("unpriced") || PERIODS.every((per) => limits[per].usd === 0)) return { kind: "ok" };
      warned.add("unpriced");
      return { kind: "warn", notice: notice("spend_price_unknown", { model: unpriced }) };
    },
    lift() {
      for (const { per, unit } of over(1)) {
        limits[per][unit] += Math.max(deps.limits[per][unit], spent(per, unit));
        warned.delete(`${per} ${unit}`);
      }
    },
  };
}
