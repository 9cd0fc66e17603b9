// Whether a turn made the tests weaker (L16): counted in the diffs of its edits, told as facts, never as a reproach.
import type { Notice } from "#shared/loop/turn-end.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { notice } from "./notices.ts";

const TEST_PATH =
  /(?:^|[/\\])(?:tests?|__tests__|specs?|fixtures?|__snapshots__|testdata)[/\\]|\.(?:test|spec)\.[cm]?[jt]sx?$|_test\.(?:go|py|rb|exs?)$|(?:^|[/\\])test_[^/\\]+\.py$|Tests?\.(?:java|kt|cs|swift)$|\.snap$|(?:^|[/\\])(?:conftest\.py|pytest\.ini|(?:jest|vitest|playwright|karma)\.config\.[cm]?[jt]s|phpunit\.xml)$/i;
const ASSERTION = /\b(?:expect|assert\w*|should|require\.(?:Equal|NoError|True|False)|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+)\b\s*[!(.]?/;
const SKIP =
  /\b(?:it|test|describe|suite|context)\.(?:skip|todo)\b|\bx(?:it|test|describe)\s*\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Ignore|Disabled)\b|\bt\.Skip(?:Now|f)?\(|#\[ignore|\bskip:\s*true\b/;
const TEST_CASE = /^\s*(?:(?:it|test)(?:\.\w+)?\s*\(|(?:async\s+)?def\s+test_\w+|func\s+Test\w+|#\[test\]|@Test\b)/;

export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}

const TEST_FACTS: ReadonlySet<string> = new Set(
  ["fact_touched_tests", "fact_fewer_assertions", "fact_skips_added", "fact_fewer_tests"].map((key) => `notices.${key}`),
);

export function isTestFact(fact: Notice): boolean {
  return TEST_FACTS.has(fact.key);
}

export function testFacts(diffs: readonly FileDiff[]): readonly Notice[] {
  const touched = diffs.filter((diff) => isTestPath(diff.path));
  if (touched.length === 0) return [];
  const lines = touched.flatMap((diff) => diff.hunks.flatMap((hunk) => hunk.lines));
  const gained = (pattern: RegExp) =>
    lines.filter((line) => line.kind === "add" && pattern.test(line.text)).length -
    lines.filter((line) => line.kind === "del" && pattern.test(line.text)).length;
  const assertions = -gained(ASSERTION);
  const skips = gained(SKIP);
  const cases = -gained(TEST_CASE);
  return [
    notice("fact_touched_tests", { count: new Set(touched.map((diff) => diff.path)).size }),
    ...(assertions > 0 ? [notice("fact_fewer_assertions", { count: assertions })] : []),
    ...(skips > 0 ? [notice("fact_skips_added", { count: skips })] : []),
    ...(cases > 0 ? [notice("fact_fewer_tests", { count: cases })] : []),
  ];
}
