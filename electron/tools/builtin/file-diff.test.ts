import fc from "fast-check";
import { applyPatch } from "diff";
import { describe, expect, it } from "vitest";
import type { FileDiff } from "#shared/tools/card.ts";
import { fileDiff, unifiedText } from "./file-diff.ts";

describe("fileDiff", () => {
  it("shows the changed line with three lines around it and real line numbers", () => {
    const before = Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join("");
    expect(fileDiff("a.txt", before, before.replace("l10\n", "L10\nnew\n"))).toEqual({
      path: "a.txt",
      added: 2,
      removed: 1,
      hunks: [
        {
          oldStart: 7,
          newStart: 7,
          lines: [
            { kind: "same", text: "l7", old: 7, new: 7 },
            { kind: "same", text: "l8", old: 8, new: 8 },
            { kind: "same", text: "l9", old: 9, new: 9 },
            { kind: "del", text: "l10", old: 10 },
            { kind: "add", text: "L10", new: 10 },
            { kind: "add", text: "new", new: 11 },
            { kind: "same", text: "l11", old: 11, new: 12 },
            { kind: "same", text: "l12", old: 12, new: 13 },
            { kind: "same", text: "l13", old: 13, new: 14 },
          ],
        },
      ],
    });
  });

  it("is about the changed lines of a CRLF file only (C01)", () => {
    const diff = fileDiff("a", "one\r\ntwo\r\nthree\r\n", "one\r\nTWO\r\nthree\r\n");
    expect([diff.added, diff.removed, unifiedText(diff)]).toEqual([1, 1, "@@ line 1 @@\n one\n-two\n+TWO\n three"]);
  });

  it.each([
    ["a new file", "", "a\nb\n", { added: 2, removed: 0 }],
    ["an emptied file", "a\nb\n", "", { added: 0, removed: 2 }],
    ["a final newline", "a", "a\n", { added: 1, removed: 1 }],
    ["line endings alone", "a\r\nb\r\n", "a\nb\n", { added: 2, removed: 2 }],
    ["nothing", "a\n", "a\n", { added: 0, removed: 0 }],
  ])("counts %s", (_, before, after, counts) => {
    expect(fileDiff("a", before, after)).toMatchObject(counts);
  });

  it("for any two texts, turns the one into the other", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyPatch(before, asPatch(fileDiff("f", before, after)))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it("stays quick and bounded when everything changed", () => {
    const lines = (mark: string) => Array.from({ length: 50_000 }, (_, index) => `${mark}${index}\n`).join("");
    const started = performance.now();
    const diff = fileDiff("big", `same\n${lines("a")}`, `same\n${lines("b")}`);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect([diff.added, diff.removed, diff.cut, diff.hunks.flatMap((hunk) => hunk.lines).length]).toEqual([50_000, 50_000, true, 4_001]);
    expect(diff.hunks[0]?.lines[0]).toEqual({ kind: "same", text: "same", old: 1, new: 1 });
    expect(unifiedText(diff).split("\n")).toHaveLength(121);
  });

  it("finds a small change in a file of 200 000 lines without comparing all of it", () => {
    const big = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join("");
    const started = performance.now();
    expect(fileDiff("big", big, big.replace("line 100000\n", "x\n"))).toMatchObject({ added: 1, removed: 1 });
    expect(performance.now() - started).toBeLessThan(500);
  });
});

function asPatch(diff: FileDiff): string {
  const marks = { same: " ", add: "+", del: "-" } as const;
  const body = diff.hunks.map((hunk) => {
    const [old, now] = [hunk.lines.filter((line) => line.kind !== "add").length, hunk.lines.filter((line) => line.kind !== "del").length];
    const start = (first: number, count: number) => `${count === 0 ? first - 1 : first},${count}`;
    return `@@ -${start(hunk.oldStart, old)} +${start(hunk.newStart, now)} @@\n${hunk.lines.map((line) => `${marks[line.kind]}${line.text}\n`).join("")}`;
  });
  return `--- f\n+++ f\n${body.join("")}`;
}
