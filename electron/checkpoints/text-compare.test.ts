import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";
import { countLines, fileDiff, splitLines } from "./text-compare.ts";

const bytes = (text: string) => Buffer.from(text);
const guard = { maxBytes: 1000, timeMs: 1000 };

describe("counting lines", () => {
  for (const [what, before, after, expected] of [
    ["a new file", undefined, "a\nb\n", { added: 2, removed: 0, binary: false }],
    ["a deleted file", "a\nb", undefined, { added: 0, removed: 2, binary: false }],
    ["a changed line", "a\nb\nc\n", "a\nB\nc\n", { added: 1, removed: 1, binary: false }],
    ["a moved line", "a\nb\nc\n", "b\nc\na\n", { added: 1, removed: 1, binary: false }],
    ["an empty file", undefined, "", { added: 0, removed: 0, binary: false }],
    ["binary", "a\0", "b\0", { added: 0, removed: 0, binary: true }],
  ] as const) {
    it(what, () =>
      expect(countLines(before === undefined ? undefined : bytes(before), after === undefined ? undefined : bytes(after), guard)).toEqual(expected),
    );
  }
  it("without time or with too much text still tells lines that are there from those that are not", () => {
    expect(countLines(bytes("a\nb\nc\n"), bytes("a\nx\ny\n"), { ...guard, timeMs: 0 })).toEqual({ added: 2, removed: 2, binary: false });
    expect(countLines(bytes("a\nb\n".repeat(900)), bytes("a\nb\n".repeat(900).concat("z")), guard)).toEqual({ added: 1, removed: 0, binary: false });
  });
  it("lines joined are the text", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é") }), (text) => {
        expect(splitLines(text).join("")).toBe(text);
      }),
    ));
});

describe("hunks", () => {
  it("carry numbers and context", () => {
    expect(fileDiff("x", bytes("1\n2\n3\n4\n5\n6\n"), bytes("1\n2\n3\n4\nfive\n6\n"), DEFAULT_LIMITS)).toEqual({
      path: "x",
      added: 1,
      removed: 1,
      hunks: [
        {
          oldStart: 2,
          newStart: 2,
          lines: [
            { kind: "same", text: "2", old: 2, new: 2 },
            { kind: "same", text: "3", old: 3, new: 3 },
            { kind: "same", text: "4", old: 4, new: 4 },
            { kind: "del", text: "5", old: 5 },
            { kind: "add", text: "five", new: 5 },
            { kind: "same", text: "6", old: 6, new: 6 },
          ],
        },
      ],
    });
  });
  it("are left out, and said so, where there is too much", () => {
    const long = Array.from({ length: 20_000 }, (_unused, n) => `${n}\n`).join("");
    // only the number of lines may cut it here, however slow the machine is
    const diff = fileDiff("x", undefined, bytes(long), { ...DEFAULT_LIMITS, diffTimeMs: Number.POSITIVE_INFINITY });
    expect({ ...diff, hunks: diff.hunks.map((hunk) => hunk.lines.length) }).toEqual({ path: "x", added: 20_000, removed: 0, hunks: [5000], cut: true });
    expect(fileDiff("x", bytes("a"), bytes("b"), { ...DEFAULT_LIMITS, maxTextBytes: 0 })).toEqual({ path: "x", added: 1, removed: 1, hunks: [], cut: true });
  });
  it("are left out, and said so, where there is no time for them", () =>
    expect(fileDiff("x", bytes("a\nb\n"), bytes("a\nc\n"), { ...DEFAULT_LIMITS, diffTimeMs: -1 })).toEqual({
      path: "x",
      added: 1,
      removed: 1,
      hunks: [],
      cut: true,
    }));
  it("are none for binary files", () =>
    expect(fileDiff("x", bytes("\0a"), bytes("\0b"), DEFAULT_LIMITS)).toEqual({ path: "x", added: 0, removed: 0, hunks: [], binary: true }));
});
