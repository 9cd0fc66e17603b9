import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSubagentLimit } from "./limit.ts";

const never = new AbortController().signal;

describe("the limit of sub-agents", () => {
  it("lets so many in, the others in the order they came", async () => {
    const limit = createSubagentLimit(() => 2);
    const order: number[] = [];
    const entered = [0, 1, 2, 3].map(async (n) => {
      const place = await limit.enter(never);
      order.push(n);
      return place;
    });
    const first = await entered[0];
    expect(order).toEqual([0, 1]);
    first?.[Symbol.dispose]();
    first?.[Symbol.dispose]();
    await entered[2];
    expect(order).toEqual([0, 1, 2]);
    (await entered[1])?.[Symbol.dispose]();
    await entered[3];
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it("whoever is aborted while waiting takes no place", async () => {
    const limit = createSubagentLimit(() => 1);
    const first = await limit.enter(never);
    const stop = new AbortController();
    const [gone, last] = [limit.enter(stop.signal), limit.enter(never)];
    stop.abort();
    expect(await gone).toBeUndefined();
    first?.[Symbol.dispose]();
    expect(await last).toBeDefined();
    expect(await limit.enter(stop.signal)).toBeUndefined();
  });

  it("a raised setting counts with the next change", async () => {
    let max = 1;
    const limit = createSubagentLimit(() => max);
    await limit.enter(never);
    const second = limit.enter(never);
    max = 3;
    expect(await limit.enter(never)).toBeDefined();
    expect(await second).toBeDefined();
  });

  it("never more than the limit, and everybody gets in at last", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 20 }), async (max, count) => {
        const limit = createSubagentLimit(() => max);
        let [now, most, done] = [0, 0, 0];
        await Promise.all(
          Array.from({ length: count }, async () => {
            const place = await limit.enter(never);
            now += 1;
            most = Math.max(most, now);
            await Promise.resolve();
            now -= 1;
            done += 1;
            place?.[Symbol.dispose]();
          }),
        );
        expect([done, most <= max]).toEqual([count, true]);
      }),
      { numRuns: 50 },
    );
  });
});
