import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTexts } from "./merge-edit.ts";

const base = "one\ntwo\nthree\nfour\nfive\nsix\n";

describe("mergeTexts", () => {
  it.each([
    ["nothing else changed", base.replace("two", "TWO"), base, "one\nTWO\nthree\nfour\nfive\nsix\n"],
    ["a line added at the end", base.replace("two", "TWO"), `${base}seven\n`, "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"],
    ["a line removed far away", base.replace("two", "TWO"), base.replace("six\n", ""), "one\nTWO\nthree\nfour\nfive\n"],
    ["both made the same change", base.replace("two", "TWO"), base.replace("two", "TWO"), "one\nTWO\nthree\nfour\nfive\nsix\n"],
    ["the same line changed differently", base.replace("two", "TWO"), base.replace("two", "2"), undefined],
    ["neighbouring lines changed", base.replace("two", "TWO"), base.replace("three", "3"), undefined],
    ["all replaced", base.replace("two", "TWO"), "quite another file\n", undefined],
    ["emptied", base.replace("two", "TWO"), "", undefined],
    ["all line endings changed", base.replace("two", "TWO"), base.replaceAll("\n", "\r\n"), undefined],
  ])("%s", (_, mine, theirs, merged) => {
    expect(mergeTexts(base, mine, theirs)).toBe(merged);
  });

  it("keeps CRLF and a missing final newline", () => {
    const crlf = "a\r\nb\r\nc\r\nd\r\ne";
    expect(mergeTexts(crlf, crlf.replace("a", "A"), `${crlf}!`)).toBe("A\r\nb\r\nc\r\nd\r\ne!");
  });

  it("gives up on huge differences and stays quick", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    const started = performance.now();
    expect(mergeTexts(many.join(""), ["x\n", ...many].join(""), many.reverse().join(""))).toBeUndefined();
    const started2 = performance.now();
    const big = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join("");
    expect(mergeTexts(big, big.replace("line 100\n", "LINE\n"), big.replace("line 110\n", "THEIRS\n"))).toContain("LINE\nline 101\n");
    expect([performance.now() - started2 < 1_500, started2 - started < 1_500]).toEqual([true, true]);
  });

  it("with changes in different blocks, has both", () => {
    const block = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(
        block,
        block,
        fc.string({ unit: fc.constantFrom("x", "y") }),
        fc.string({ unit: fc.constantFrom("p", "q") }),
        (top, bottom, mineText, theirText) => {
          const build = (first: string, last: string) => `${first}\n${top.join("")}== middle ==\n${bottom.join("")}${last}\n`;
          expect(mergeTexts(build("0", "1"), build(`m${mineText}`, "1"), build("0", `t${theirText}`))).toBe(build(`m${mineText}`, `t${theirText}`));
        },
      ),
    );
  });
});
