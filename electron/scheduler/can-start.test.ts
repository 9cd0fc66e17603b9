import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canStart } from "./can-start.ts";
import type { SlotView } from "./contract.ts";

/** Greedy consecutive partition: runs of safe calls together, any other call alone. */
function partition(safe: readonly boolean[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  safe.forEach((isSafe, k) => {
    const last = batches.at(-1);
    const lastIndex = last?.[0];
    if (isSafe && last !== undefined && lastIndex !== undefined && safe[lastIndex]) last.push(k);
    else batches.push([k]);
  });
  return batches;
}

describe("canStart", () => {
  it("equals explicit partitioning once the reply has ended, whatever the finish order", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), fc.infiniteStream(fc.nat(1_000)), (safe, choice) => {
        const states: SlotView["state"][] = safe.map(() => "queued");
        const views = () => states.map((state, k) => ({ state, concurrencySafe: safe[k] ?? false }));
        for (const batch of partition(safe)) {
          for (let k = 0; k < safe.length; k++) {
            const startable = canStart(views(), k, true);
            expect(startable).toBe(batch.includes(k));
          }
          for (const k of batch) states[k] = "executing";
          const running = [...batch];
          while (running.length > 0) {
            const [k] = running.splice(choice.next().value % running.length, 1);
            if (k !== undefined) states[k] = choice.next().value % 2 === 0 ? "completed" : "yielded";
            const later = states.findIndex((state) => state === "queued");
            if (running.length > 0 && later >= 0) expect(canStart(views(), later, true)).toBe(false);
          }
        }
        expect(states.every((state) => state === "completed" || state === "yielded")).toBe(true);
      }),
      { numRuns: 4_000 },
    );
  });

  it("starts only concurrency-safe calls while the reply still streams", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ state: fc.constantFrom("queued", "executing", "completed", "yielded"), concurrencySafe: fc.boolean() }), { minLength: 1 }),
        (calls) => {
          calls.forEach((call, k) => {
            if (canStart(calls, k, false)) expect(call.concurrencySafe && canStart(calls, k, true)).toBe(true);
          });
        },
      ),
    );
  });

  it.each([
    ["a call that already runs", [{ state: "executing", concurrencySafe: true }], 0, false],
    ["an index that does not exist", [], 3, false],
    [
      "a writer behind a running reader",
      [
        { state: "executing", concurrencySafe: true },
        { state: "queued", concurrencySafe: false },
      ],
      1,
      false,
    ],
    [
      "a reader behind a queued writer",
      [
        { state: "queued", concurrencySafe: false },
        { state: "queued", concurrencySafe: true },
      ],
      1,
      false,
    ],
    [
      "a reader beside a running reader",
      [
        { state: "executing", concurrencySafe: true },
        { state: "queued", concurrencySafe: true },
      ],
      1,
      true,
    ],
  ] as const)("%s", (_name, calls, k, expected) => {
    expect(canStart(calls, k, true)).toBe(expected);
  });
});
