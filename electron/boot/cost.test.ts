import { describe, expect, it } from "vitest";
import { priceOf } from "./cost.ts";

describe("cost", () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  it("counts cached tokens at their own price (E10)", () => {
    expect(priceOf({ input: 10, output: 120, cacheRead: 20_000, cacheWrite: 1_000 }, prices)).toBeCloseTo(0.01158, 8);
    expect(priceOf({ input: 1_600, output: 100, cacheRead: 22_800, cacheWrite: 0 }, prices)).toBeCloseTo(0.01314, 8);
  });
});
