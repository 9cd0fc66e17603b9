// What a turn may spend (L11): the limits of the settings, a headless run's own, and the ledger that counts for the whole day.
import type { SessionId } from "#shared/lib/ids.ts";
import type { SpendMeter } from "#electron/loop/contract.ts";
import { costOf, createSpendMeter, type SpendLimits, type Spent } from "#electron/loop/spend.ts";
import type { Provider } from "#electron/providers/contract.ts";
import type { Engine } from "./engine.ts";

export type SpendParts = {
  readonly session: SessionId;
  readonly provider: Provider;
  /** spent in the session before this turn */
  readonly before: Spent;
};

/** For one turn. Whatever it counts is written into the ledger as well. */
export async function spendMeter(engine: Engine, { session, provider, before }: SpendParts): Promise<SpendMeter> {
  await engine.ledger.refresh();
  const meter = createSpendMeter({
    limits: limitsOf(engine),
    session: before,
    today: engine.ledger.today,
    prices: (maker) => provider.describe(maker.model).prices,
  });
  return {
    ...meter,
    add(usage, by) {
      const prices = provider.describe(by.model).prices;
      engine.ledger.add({ session, by, usage, ...(prices === undefined ? {} : { usd: costOf(usage, prices) }) });
      meter.add(usage, by);
    },
  };
}

function limitsOf(engine: Engine): SpendLimits {
  const { spendLimit: usd, tokenLimit: tokens } = engine.settings();
  const { face } = engine.facts;
  const own = face.kind === "headless" ? face.run.maxSpend : undefined;
  return {
    turn: { usd: own?.usd ?? usd.turn, tokens: own?.tokens ?? tokens.turn },
    session: { usd: usd.session, tokens: tokens.session },
    day: { usd: usd.day, tokens: tokens.day },
  };
}
