import { describe, expect, it } from "vitest";
import { fuzzyScore } from "./fuzzy.ts";

const best = (query: string, ...paths: readonly string[]) =>
  paths
    .map((path) => ({ path, score: fuzzyScore(path, query) }))
    .filter((one) => one.score !== undefined)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map((one) => one.path);

describe("a fuzzy match", () => {
  it.each([
    ["app", ["src/app.ts", "apps/x.ts", "a/p/p.txt"]],
    ["sdts", ["src/dates.ts"]],
    ["UI", ["renderer/UI.ts", "build.sh"]],
    ["日期", ["文档/日期.md"]],
  ])("%s prefers the best of %j", (query, paths) => {
    expect(best(query, ...[...paths].reverse())[0]).toBe(paths[0]);
  });

  it("needs all letters in their order; none fit everything", () => {
    expect([fuzzyScore("abc", "cab"), fuzzyScore("abc", ""), fuzzyScore("", "a")]).toEqual([undefined, 0, undefined]);
  });
});
