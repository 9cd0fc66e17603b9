import { describe, expect, it } from "vitest";
import { createCapture } from "./capture.ts";
import { CLEAN_OUTPUT_CHARS, describeOutput, needsShortening } from "./describe-output.ts";

const captured = (text: string, headBytes = 96_000, tailBytes = 96_000) => {
  const capture = createCapture(headBytes, tailBytes);
  capture.push(Buffer.from(text));
  return capture.read();
};
const stored = { file: "/s/out.txt", whole: true };
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, k) => `line ${from + k}\n`).join("");

describe("output for the model", () => {
  it("is whole when it fits, also where head and tail meet inside a character", () => {
    const text = "é".repeat(5_000);
    expect(describeOutput(captured(text, 4_001, 9_000), stored)).toEqual({ text, shortened: false });
    expect(needsShortening(captured(text, 4_001, 9_000))).toBe(false);
  });

  it("keeps 70 % of its beginning and 30 % of its end, and says how to read on (T9)", () => {
    const whole = captured(lines(1, 5_000));
    const { text, shortened } = describeOutput(whole, stored);
    const [first, note, last] = text.split("\n\n");
    expect([shortened, needsShortening(whole), first?.length, last?.length]).toEqual([true, true, CLEAN_OUTPUT_CHARS * 0.7, CLEAN_OUTPUT_CHARS * 0.3]);
    const next = first?.split("\n").length ?? 0;
    expect(note).toBe(
      `[… about ${whole.total - CLEAN_OUTPUT_CHARS} of ${whole.total} bytes left out here. The whole output is stored at /s/out.txt. Read on with read {"file_path":"/s/out.txt","offset":${next}} or search it with grep. …]`,
    );
    expect(text.endsWith("line 5000\n")).toBe(true);
  });

  it("begins the end of very long output at a line", () => {
    const { text } = describeOutput(captured(lines(1, 100_000)), stored);
    expect(text).toMatch(/…\]\n\nline \d+\n|…\]\n\n\S* ?\d*\n/);
    expect(text.endsWith("line 100000\n")).toBe(true);
  });

  it("counts what colours take up as left out, not as text", () => {
    const coloured = "\u001b[31m\u001b[0m".repeat(10_000);
    expect(describeOutput(captured(`${coloured}end`), stored)).toEqual({ text: "end", shortened: false });
  });

  it.each<[string, { file: string | undefined; whole: boolean }, RegExp]>([
    ["lost", { file: undefined, whole: false }, /could not be stored; run the command again/],
    ["partly stored", { file: "/s/o", whole: false }, /Its beginning is stored at \/s\/o \(the copy ends early/],
  ])("says when the rest is %s", (_name, where, words) => {
    expect(describeOutput(captured(lines(1, 5_000)), where).text).toMatch(words);
  });

  it("cuts one endless line between characters", () => {
    const { text } = describeOutput(captured("🙂".repeat(100_000)), stored);
    expect(text).not.toMatch(/\ufffd/);
    expect(text.endsWith("🙂")).toBe(true);
  });
});
