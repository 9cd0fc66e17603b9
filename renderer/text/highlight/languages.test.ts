import { describe, expect, it } from "vitest";
import { grammarOf } from "./grammars.ts";
import { LANGUAGES, languageOf } from "./languages.ts";

describe("languages of code", () => {
  it.each([
    ["ts", "typescript"],
    ["TypeScript", "typescript"],
    ["sh", "bash"],
    ["C++", "cpp"],
    ["", undefined],
    ["nothing", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ])("%s is %s", (name, language) => {
    expect(languageOf(name)).toBe(language);
  });

  it("have a grammar each", async () => {
    const grammars = await Promise.all([...LANGUAGES].map(async (language) => await grammarOf(language)));
    expect(grammars.every((grammar) => Array.isArray(grammar?.default))).toBe(true);
    expect(grammarOf("toString")).toBeUndefined();
  });
});
