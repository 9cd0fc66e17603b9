import { describe, expect, it } from "vitest";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { Settings } from "#shared/settings/settings.ts";
import { sessionCost, spendingOf, spentBefore } from "./cost.ts";

const settings = Settings.parse({});
const sonnet = { provider: "anthropic", model: "claude-sonnet-4-5" };
const unknown = { provider: "openai-chat", model: "local-model" };
const usage = { input: 10, output: 120, cacheRead: 20_000, cacheWrite: 1_000 };

describe("what a session cost", () => {
  it("counts cached tokens at their own price, each model at its own (E10)", () => {
    expect(sessionCost({ spent: [{ by: sonnet, usage }], usage }, settings)).toBeCloseTo(0.01158, 8);
    expect(sessionCost({ spent: [], usage: NO_USAGE }, settings)).toBe(0);
  });

  it("is unknown, not smaller, when one price is not known; a limit still counts what is known, and all tokens", () => {
    const both = {
      spent: [
        { by: sonnet, usage },
        { by: unknown, usage },
      ],
      usage: { input: 20, output: 240, cacheRead: 40_000, cacheWrite: 2_000 },
    };
    expect(sessionCost(both, settings)).toBeUndefined();
    const before = spentBefore(both, settings);
    expect([before.usd.toFixed(5), before.tokens]).toEqual(["0.01158", 2_260]);
  });

  it("tells the window what it cost, what the cache gave, how big the window is and the limits (UX 9)", () => {
    const today = { usd: 1, tokens: 5_000 };
    const limited = Settings.parse({ spendLimit: { session: 2, day: 10 } });
    const view = { spent: [{ by: sonnet, usage }], usage, maker: { provider: "anthropic", model: sonnet.model } };
    expect(spendingOf(view, limited, today)).toMatchObject({ tokens: 1_130, today, window: 200_000, limits: { sessionUsd: 2, dayUsd: 10 } });
    expect(spendingOf(view, limited, today).cacheShare).toBeCloseTo(20_000 / 21_010, 6);
    const free = { spent: [{ by: unknown, usage }], usage: NO_USAGE, maker: unknown };
    expect(spendingOf(free, settings, today)).toMatchObject({ usd: null, cacheShare: null, window: null });
  });
});
