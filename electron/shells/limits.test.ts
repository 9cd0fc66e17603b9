import { describe, expect, it } from "vitest";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { type LimitsRequest, startLimits } from "./limits.ts";

function setUp(more: Partial<LimitsRequest> = {}) {
  const clock = createManualClock();
  const fired: [string, number][] = [];
  const looks: number[] = [];
  const state = { output: 0 };
  const limits = startLimits(clock, {
    timeoutMs: undefined,
    silenceMs: undefined,
    activity: () => state.output,
    onTimeout: (which) => void fired.push([which, clock.monotonic()]),
    lookForKeyReaders: () => {
      looks.push(clock.monotonic());
      return Promise.resolve();
    },
    ...more,
  });
  return { clock, fired, looks, state, limits };
}

describe("the limits of a command", () => {
  it("fire the time-out once, whatever is printed", async () => {
    const { clock, fired, state } = setUp({ timeoutMs: 5_000 });
    for (let k = 0; k < 100; k += 1) {
      state.output += 1;
      await clock.advance(100);
    }
    expect(fired).toEqual([["total", 5_000]]);
  });

  it("fire the silence time-out only after silence", async () => {
    const { clock, fired, state } = setUp({ silenceMs: 800 });
    for (let k = 0; k < 20; k += 1) {
      state.output += 1;
      await clock.advance(500);
    }
    expect(fired).toEqual([]);
    await clock.advance(2_000);
    expect(fired.map(([which]) => which)).toEqual(["silence"]);
    expect(fired[0]?.[1]).toBeLessThanOrEqual(10_000 + 900);
  });

  it("look for readers of keys after a second of silence, then ever more rarely", async () => {
    const { clock, looks, state } = setUp();
    await clock.advance(20_000);
    expect(looks).toEqual([700, 1_400, 2_100, 2_800, 3_500, 4_200, 4_900, 6_300, 9_100, 14_700]);
    state.output += 1;
    // Seen at the next planned time; from then on it looks soon again.
    await clock.advance(8_000);
    expect(looks.slice(10)).toEqual([26_600, 27_300, 28_000]);
  });

  it("leave no timer once stopped, and only the looks once lifted", async () => {
    const { clock, fired, looks, limits } = setUp({ timeoutMs: 2_000, silenceMs: 1_000 });
    limits.lift();
    await clock.advance(5_000);
    expect([fired, looks.length]).toEqual([[], 7]);
    limits.stop();
    expect(clock.pending()).toBe(0);
  });
});
