import { describe, expect, it } from "vitest";
import { markMaths } from "./maths-marks.ts";

describe("formulas in a text", () => {
  it.each([
    ["so \\(a_1 + b_2\\) holds", "so $$a_1 + b_2$$ holds"],
    ["\\[\nE = mc^2\n\\]", "\n$$\nE = mc^2\n$$\n"],
    ["$x^2$ and $y$.", "$$x^2$$ and $$y$$."],
    ["$$x$$", "\n$$\nx\n$$\n"],
    ["here $$x$$ inside", "here $$x$$ inside"],
    ["$$\nx\n= y\n$$\nmore", "\n$$\nx\n= y\n$$\n\nmore"],
  ])("%j becomes %j", (text, marked) => {
    expect(markMaths(text)).toBe(marked);
  });

  it.each([
    "costs $5 and $10",
    "between $5-$10, or US$5/US$6",
    "set $HOME and $PATH, or $HOME/$USER",
    "`$x$` and ``\\(a\\)``",
    "```sh\necho $A$ \\[x\\]\n```",
    "an escaped \\$x$ and \\\\(not\\\\)",
    "open \\( and never closed, $ too",
    "two \\[ parts\n\nof text \\]",
    "empty $$ $$ and \\(\\)",
    "no formula at all",
  ])("%j stays", (text) => {
    expect(markMaths(text)).toBe(text);
  });

  it("takes time in proportion to the text, whatever is left open", () => {
    for (const mark of ["\\(", "\\[", "$$", "$", "`", "``` ", "$a "]) {
      const text = mark.repeat(Math.ceil(200_000 / mark.length));
      const began = performance.now();
      markMaths(text);
      expect(performance.now() - began).toBeLessThan(1_500);
    }
  });
});
