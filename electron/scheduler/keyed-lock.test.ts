import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeySet } from "./contract.ts";
import { createKeyedLock } from "./keyed-lock.ts";
import { createAdmission } from "./admission.ts";

const open = new AbortController().signal;
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("keyed lock", () => {
  it("lets readers share and keeps writers alone, in order of arrival", async () => {
    const lock = createKeyedLock();
    const order: string[] = [];
    const enter = async (name: string, keys: KeySet) => {
      const held = await lock.acquire(keys, open);
      order.push(name);
      return held;
    };
    const first = enter("read1", { shared: ["a"], alone: [] });
    const second = enter("read2", { shared: ["a"], alone: [] });
    const writer = enter("write", { shared: [], alone: ["a"] });
    const late = enter("read3", { shared: ["a"], alone: [] });
    await tick();
    expect(order).toEqual(["read1", "read2"]);
    (await first)?.[Symbol.dispose]();
    (await second)?.[Symbol.dispose]();
    await tick();
    expect(order).toEqual(["read1", "read2", "write"]);
    (await writer)?.[Symbol.dispose]();
    expect(await late).toBeDefined();
    expect(order).toEqual(["read1", "read2", "write", "read3"]);
  });

  it("an aborted waiter leaves the queue and lets others through", async () => {
    const lock = createKeyedLock();
    const reader = await lock.acquire({ shared: ["a"], alone: [] }, open);
    const stop = new AbortController();
    const writer = lock.acquire({ shared: [], alone: ["a"] }, stop.signal);
    const behind = lock.acquire({ shared: ["a"], alone: [] }, open);
    stop.abort();
    expect(await writer).toBeUndefined();
    expect(await behind).toBeDefined();
    reader?.[Symbol.dispose]();
    expect(await lock.acquire({ shared: [], alone: ["b"] }, stop.signal)).toBeUndefined();
  });

  it("never has two holders in conflict and never loses a waiter", async () => {
    const key = fc.constantFrom<string[]>("a", "b", "c");
    const keySet = fc.record({ shared: fc.uniqueArray(key, { maxLength: 2 }), alone: fc.uniqueArray(key, { maxLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(keySet, { maxLength: 12 }), async (asks) => {
        const lock = createKeyedLock();
        const held: KeySet[] = [];
        let served = 0;
        await Promise.all(
          asks.map(async (keys) => {
            const release = await lock.acquire(keys, open);
            for (const other of held) {
              expect(keys.alone.some((k) => other.alone.includes(k) || other.shared.includes(k))).toBe(false);
              expect(other.alone.some((k) => keys.shared.includes(k))).toBe(false);
            }
            held.push(keys);
            await tick();
            held.splice(held.indexOf(keys), 1);
            served += 1;
            release?.[Symbol.dispose]();
          }),
        );
        expect(served).toBe(asks.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe("admission", () => {
  it("runs no more at once than the pool has slots, and hands slots on", async () => {
    const admission = createAdmission(createKeyedLock(), 3);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const slot = await admission.enter({ shared: ["x"], alone: [] }, open);
        running += 1;
        most = Math.max(most, running);
        await tick();
        running -= 1;
        slot?.[Symbol.dispose]();
        slot?.[Symbol.dispose](); // giving back twice must not make a slot out of nothing
      }),
    );
    expect(most).toBe(3);
  });

  it("lets what only waits for the person in without a slot, its keys held all the same", async () => {
    const locks = createKeyedLock();
    const admission = createAdmission(locks, 1);
    const holder = await admission.enter({ shared: [], alone: ["one"] }, open);
    const asking = await admission.enter({ shared: [], alone: ["two"], withoutSlot: true }, open);
    expect(asking).toBeDefined();
    const stop = new AbortController();
    const waiting = locks.acquire({ shared: [], alone: ["two"] }, stop.signal);
    await tick();
    stop.abort();
    expect(await waiting).toBeUndefined();
    asking?.[Symbol.dispose]();
    holder?.[Symbol.dispose]();
    expect(await admission.enter({ shared: [], alone: ["two"] }, open)).toBeDefined();
  });

  it("gives its keys back when it is aborted while waiting for a slot", async () => {
    const locks = createKeyedLock();
    const admission = createAdmission(locks, 1);
    const holder = await admission.enter({ shared: [], alone: ["one"] }, open);
    const stop = new AbortController();
    const waiting = admission.enter({ shared: [], alone: ["two"] }, stop.signal);
    await tick();
    stop.abort();
    expect(await waiting).toBeUndefined();
    const free = await locks.acquire({ shared: [], alone: ["two"] }, open);
    expect(free).toBeDefined();
    holder?.[Symbol.dispose]();
  });
});
