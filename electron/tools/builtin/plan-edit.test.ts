import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRegion, applyRegions, type Region } from "./edit-intent.ts";
import { planEdit, type TextEdit } from "./plan-edit.ts";

/** CAIRN_FUZZ_RUNS=100000 looks longer. */
const RUNS = Number(process.env["CAIRN_FUZZ_RUNS"] ?? 2_000);
const edit = (old_string: string, new_string: string, replace_all?: boolean): TextEdit => ({ old_string, new_string, replace_all });
const textOf = (base: string, ...edits: TextEdit[]) => {
  const plan = planEdit(base, edits);
  return plan.ok ? plan.value.text : plan.error.kind;
};

describe("line endings (C01)", () => {
  it.each([
    ["CRLF, several lines", "one\r\ntwo\r\nthree\r\n", edit("one\ntwo", "one\nTWO\nextra"), "one\r\nTWO\r\nextra\r\nthree\r\n"],
    ["mixed: others keep their own", "a\r\nb\nc\r\n", edit("b", "B"), "a\r\nB\nc\r\n"],
    ["mixed: each new line ends like the one it replaces", "a\r\nb\nc\r\n", edit("a\nb\nc", "A\nB\nC"), "A\r\nB\nC\r\n"],
    ["LF stays LF", "a\nb\n", edit("b", "B\nC"), "a\nB\nC\n"],
    ["one line of a CRLF file becomes two", "a\r\nb\r\n", edit("b", "B\nC"), "a\r\nB\r\nC\r\n"],
    ["CRLF given for a CRLF file is not doubled", "a\r\nb\r\n", edit("a\r\nb", "A\r\nB\r\nC"), "A\r\nB\r\nC\r\n"],
    ["CRLF given for an LF file stays as given", "a\nb\n", edit("b", "B\r\nC"), "a\nB\r\nC\n"],
    ["old Mac endings", "a\rb\rc", edit("a\nb", "A\nB\nX"), "A\rB\rX\rc"],
    ["a CR inside a line is text", "a\rb\nc\n", edit("a\rb", "x"), "x\nc\n"],
    ["no final newline stays none", "a\r\nb", edit("b", "c"), "a\r\nc"],
    ["deleting a line takes its ending along", "a\r\nb\r\nc\r\n", edit("b\n", ""), "a\r\nc\r\n"],
  ])("%s", (_, base, one, expected) => {
    expect(textOf(base, one)).toBe(expected);
  });

  it("matches what the model saw, not bytes that it could not see: LF does not match in the middle of CRLF", () => {
    expect(textOf("a\nb\n", edit("a\r\nb", "x"))).toBe("not_found");
  });
});

describe("new text is taken byte for byte (C06)", () => {
  const base = 'log("done");\nPID=x\n';
  it.each([
    [edit('log("done");', 'log("$& ok $1 $$ $` $\' $<n>");'), 'log("$& ok $1 $$ $` $\' $<n>");\nPID=x\n'],
    [edit("x", "$$", true), 'log("done");\nPID=$$\n'],
    [edit("x", "'^[sv]d[a-z]$'"), "log(\"done\");\nPID='^[sv]d[a-z]$'\n"],
    [edit("x", "’—“\u00a0”\ufeff"), 'log("done");\nPID=’—“\u00a0”\ufeff\n'],
    [edit("PID=x", "e\u0301"), 'log("done");\ne\u0301\n'],
  ])("%#", (one, expected) => {
    expect(textOf(base, one)).toBe(expected);
  });
});

describe("what is no match (C11, C12, C13)", () => {
  const go = "func a() {\n\tx := 1\n\ty := 2\n\tz := 3\n\treturn\n}\n";
  it.each([
    ["an empty old text", "abc\ndef", edit("", "X"), "empty_old"],
    ["an empty old text, everywhere", "abc\ndef", edit("", "X", true), "empty_old"],
    ["a blank that is not there", "abc\ndef", edit(" ", "X", true), "not_found"],
    ["the same text twice", "abc\ndef", edit("abc", "abc"), "no_change"],
    ["first and last line alone", go, edit("func a() {\n\tx := 1\n\ty := 99\n\tz := 3\n\treturn\n}", "x"), "not_found"],
    ["blanks at the end of a line", "keep   \nreplace me   \nafter\nlast   \n", edit("replace me\nafter", "DONE"), "not_found"],
    ["the ends of a long stretch", `begin\n${"x\n".repeat(40)}end`, edit("begin\nend", "x"), "not_found"],
    ["a plain space for a no-break space", "a\u00a0b\n", edit("a b", "c"), "not_found"],
    ["composed for decomposed", "e\u0301\n", edit("é", "c"), "not_found"],
    ["two places", "a b a", edit("a", "x"), "not_unique"],
    ["two places that overlap", "aaa", edit("aa", "x"), "not_unique"],
  ])("%s", (_, base, one, problem) => {
    expect(textOf(base, one)).toBe(problem);
  });

  it("names the lines where it stands", () => {
    expect(planEdit("a\nb\na\n", [edit("a", "x")])).toEqual({ ok: false, error: { kind: "not_unique", edit: 0, lines: [1, 3], count: 2 } });
  });

  it("curly quotes are a change", () => {
    expect(textOf("it's\n", edit("it's", "it’s"))).toBe("it’s\n");
  });
});

describe("several edits", () => {
  it("each sees what the ones before it left", () => {
    expect(textOf("one two", edit("one", "three"), edit("three two", "four"))).toBe("four");
  });

  it.each([
    ["second not found", [edit("a", "x"), edit("zzz", "y")], { kind: "not_found", edit: 1 }],
    ["second ambiguous because of the first", [edit("a", "b"), edit("b", "y")], { kind: "not_unique", edit: 1 }],
    ["they undo each other", [edit("a", "q"), edit("q", "a")], { kind: "no_change", edit: 1 }],
  ])("all or none: %s", (_, edits, problem) => {
    expect(planEdit("a b\n", edits)).toMatchObject({ ok: false, error: problem });
  });

  it("stays quick for very many places in one call", () => {
    const base = "a b\n".repeat(20_000);
    const started = performance.now();
    const plan = planEdit(base, [edit("a", "xx", true), edit("b", "y", true)]);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(plan.ok && [plan.value.text, plan.value.replaced, applyRegions(base, plan.value.regions) === plan.value.text]).toEqual([
      "xx y\n".repeat(20_000),
      40_000,
      true,
    ]);
  });

  it("replaces everywhere without looking at its own work again", () => {
    expect(textOf("aaaa", edit("aa", "aaa", true))).toBe("aaaaaa");
  });
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "$"), maxLength: 30 });

describe("an intent speaks of the base text only", () => {
  it("regions are ordered, name what stands there, and give the planned text", () => {
    fc.assert(
      fc.property(
        letters,
        fc.array(fc.record({ old_string: letters, new_string: letters, replace_all: fc.boolean() }), { minLength: 1, maxLength: 4 }),
        (base, edits) => {
          const plan = planEdit(base, edits);
          if (!plan.ok) return;
          const { regions, text } = plan.value;
          for (const [index, region] of regions.entries()) {
            expect(base.slice(region.start, region.end)).toBe(region.old);
            expect(region.start).toBeGreaterThanOrEqual(regions[index - 1]?.end ?? 0);
          }
          expect(applyRegions(base, regions)).toBe(text);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("adding any change gives the same text as making the changes one after the other", () => {
    const change = fc.record({ at: fc.nat(40), length: fc.nat(8), text: fc.string({ maxLength: 6 }) });
    fc.assert(
      fc.property(fc.string({ maxLength: 25 }), fc.array(change, { maxLength: 6 }), (base, changes) => {
        let regions: readonly Region[] = [];
        let text = base;
        for (const { at, length, text: put } of changes) {
          const start = Math.min(at, text.length);
          const end = Math.min(start + length, text.length);
          regions = addRegion(base, regions, { start, end, text: put });
          text = `${text.slice(0, start)}${put}${text.slice(end)}`;
          expect(applyRegions(base, regions)).toBe(text);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("one edit of a text with one place changes that place and nothing else", () => {
    fc.assert(
      fc.property(letters, letters, letters, (before, after, put) => {
        const base = `${before}<<needle>>${after}`;
        const plan = planEdit(base, [edit("<<needle>>", put)]);
        if (!plan.ok) throw new Error(plan.error.kind);
        expect(plan.value.text.startsWith(before)).toBe(true);
        expect(plan.value.text.endsWith(after)).toBe(true);
      }),
    );
  });

  it("does not apply to another text", () => {
    expect(applyRegions("abc", [{ start: 0, end: 1, old: "x", new: "y" }])).toBeUndefined();
  });
});
