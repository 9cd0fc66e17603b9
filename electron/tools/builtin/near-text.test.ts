import { describe, expect, it } from "vitest";
import { describeNearest } from "./near-text.ts";

describe("describeNearest", () => {
  it("shows the real lines when one line differs (C12)", () => {
    const go = "package x\n\nfunc a() {\n\tx := 1\n\ty := 2\n\tz := 3\n\treturn\n}\n";
    expect(describeNearest(go, "func a() {\n\tx := 1\n\ty := 99\n\tz := 3\n\treturn\n}")).toBe(
      "The nearest text in the file is:\n3\tfunc a() {\n4\t\tx := 1\n5\t\ty := 2\n6\t\tz := 3\n7\t\treturn\n8\t}",
    );
  });

  it.each([
    [
      "blanks at line ends",
      "keep   \nreplace me   \nafter\n",
      "replace me\nafter",
      "It differs only in white space (tabs, indentation or blanks at the end of lines). The nearest text in the file is:\n2\treplace me···\n3\tafter",
    ],
    [
      "a no-break space (C13)",
      "a\u00a0b\n",
      "a b",
      "It differs only in unusual spaces (such as a no-break space, shown below as \\u{…}). The nearest text in the file is:\n1\ta\\u{a0}b",
    ],
    [
      "curly quotes",
      "say “hi” now",
      'say "hi" now',
      "It differs only in quotes, dashes or spaces of another kind. The nearest text in the file is:\n1\tsay “hi” now",
    ],
    ["decomposed accents", "cafe\u0301\n", "café", "It differs only in how accented characters are composed. The nearest text in the file is:\n1\tcafe\u0301"],
    [
      "part of a line",
      "  const  value = 1;",
      "const value",
      "It differs only in white space (tabs, indentation or blanks at the end of lines). The nearest text in the file is:\n1\t  const  value = 1;",
    ],
    [
      "most words of one line",
      "const total = price * count;",
      "const total = price + count;",
      "The nearest text in the file is:\n1\tconst total = price * count;",
    ],
  ])("%s", (_, text, wanted, expected) => {
    expect(describeNearest(text, wanted)).toBe(expected);
  });

  it("points to where most of a stretch stands, not to its first line alone", () => {
    const doc = ["begin", ...Array.from({ length: 40 }, (_, index) => `line ${index}`), "end"].join("\n");
    expect(describeNearest(doc, "begin\nend")).toContain("1\tbegin\n2\tline 0");
  });

  it.each([
    ["nothing alike", "abc\ndef\n", "quite another thing"],
    ["only blanks asked", "abc\n", " \n "],
    ["a huge file", "a\n".repeat(60_000), "b"],
  ])("says nothing for %s", (_, text, wanted) => {
    expect(describeNearest(text, wanted)).toBe("");
  });

  it("stays short and quick for big texts", () => {
    const started = performance.now();
    const told = describeNearest("}\n".repeat(49_000), "}\n".repeat(2_000));
    expect(performance.now() - started).toBeLessThan(500);
    expect(told.length).toBeLessThan(1_000);
  });
});
