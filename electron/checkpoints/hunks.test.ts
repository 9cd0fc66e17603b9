import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { revertHunks } from "./hunks.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { fileDiff } from "./text-compare.ts";

const bytes = (text: string) => Buffer.from(text);
const lines = (...changed: readonly [number, string][]) =>
  Array.from({ length: 30 }, (_unused, n) => `${changed.find(([at]) => at === n)?.[1] ?? n}\n`).join("");
const reverted = (target: string, now: string, ...picked: number[]) => {
  const result = revertHunks(bytes(target), bytes(now), picked, DEFAULT_LIMITS);
  return result === undefined ? undefined : Buffer.from(result).toString();
};

describe("single hunks", () => {
  const target = lines();
  const now = lines([2, "two"], [14, "fourteen\nand more"], [27, "twenty-seven"]);
  it("go back alone", () => {
    expect(reverted(target, now, 1)).toBe(lines([2, "two"], [27, "twenty-seven"]));
    expect(reverted(target, now, 2, 0)).toBe(lines([14, "fourteen\nand more"]));
    expect(reverted(target, now)).toBe(now);
    expect(reverted(target, now, 0, 1, 2)).toBe(target);
  });
  it("of a made or emptied file, and of a missing last line end", () => {
    expect(reverted("", "a\n", 0)).toBe("");
    expect(reverted("a\nb\n", "", 0)).toBe("a\nb\n");
    expect(reverted("a", "a\n", 0)).toBe("a");
  });
  it("keep bytes that are no UTF-8", () => {
    const [old, present] = [Buffer.from("\xe4\nb\n", "latin1"), Buffer.from("\xe4\nB\n", "latin1")];
    expect(revertHunks(old, present, [0], DEFAULT_LIMITS)).toEqual(old);
  });
  it("that are not there, or in no text, are refused", () => {
    expect(reverted(target, now, 3)).toBeUndefined();
    expect(reverted("a\0", "b\0", 0)).toBeUndefined();
  });
  it("all together are the target, and each is counted as the diff shows it", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "dé\n"), { maxLength: 40 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (old, present) => {
        const { hunks } = fileDiff("x", bytes(old), bytes(present), DEFAULT_LIMITS);
        expect(reverted(old, present, ...hunks.keys())).toBe(old);
        expect(reverted(old, present)).toBe(present);
      }),
    );
  });
});
