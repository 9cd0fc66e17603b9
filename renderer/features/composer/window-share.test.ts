import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { bookingStory } from "#renderer/testkit/sample-sessions.ts";
import { shareBySource } from "./window-share.ts";

describe("what fills the window", () => {
  it("adds up to all of it, whatever was measured", () => {
    const log = createFakeEngine().addSession("s1", "/home/me/work");
    bookingStory(log, 0);
    for (const used of [1, 50, 5_000, 100_000]) {
      const shares = shareBySource(log.view(), used);
      expect(shares.map((one) => one.source).toSorted()).toEqual(["agent", "fixed", "results", "you"]);
      expect(shares.reduce((sum, one) => sum + one.share, 0)).toBeCloseTo(1);
      expect(shares.every((one) => one.share >= 0)).toBe(true);
    }
    expect(shareBySource(log.view(), 100_000)[0]?.source).toBe("fixed");
  });
});
