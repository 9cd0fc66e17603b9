// The money limits of a turn (L11): those of the settings, and a headless run's own.
import type { SpendMeter } from "#electron/loop/contract.ts";
import { createSpendMeter } from "#electron/loop/spend.ts";
import type { Provider } from "#electron/providers/contract.ts";
import type { Engine } from "./engine.ts";

/** `session`: US dollars of the session before this turn. */
export function spendMeter(engine: Engine, provider: Provider, session: number): SpendMeter {
  const { turn, session: perSession, day } = engine.settings().spendLimit;
  const { face } = engine.facts;
  const limits =
    face.kind === "headless" && face.run.maxSpendUsd !== undefined
      ? { turn: face.run.maxSpendUsd, session: perSession, day }
      : { turn, session: perSession, day };
  return createSpendMeter({ limits, before: { session, day: session }, prices: (maker) => provider.describe(maker.model).prices });
}
