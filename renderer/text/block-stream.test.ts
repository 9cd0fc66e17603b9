import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendBlocks, blocksOf, NO_BLOCKS } from "./block-stream.ts";

const feed = (text: string, size: number) => {
  let stream = NO_BLOCKS;
  for (let at = 0; at < text.length; at += size) stream = appendBlocks(stream, text.slice(at, at + size));
  return stream;
};
const squeeze = (text: string) => text.replace(/\s+/g, "");

describe("blocksOf", () => {
  it.each([
    ["one paragraph", ["one paragraph"]],
    ["# Title\n\ntext\n\n- a\n- b", ["# Title\n\n", "text", "- a\n- b"]],
    ["before\n\n```ts\na\n\nb\n```\n\nafter", ["before", "```ts\na\n\nb\n```\n", "after"]],
    ["```\nnever closed\n\n# not a title", ["```\nnever closed\n\n# not a title"]],
    ["~~~\n```\n~~~\nx", ["~~~\n```\n~~~\n", "x"]],
    ["````\n```\n````", ["````\n```\n````"]],
    ["", []],
    ["\n\n", []],
    ["a\r\n\r\nb", ["a", "b"]],
  ])("splits %j", (text, blocks) => {
    expect(blocksOf(text).map((block) => block.replace(/\n+$/, ""))).toEqual(blocks.map((block) => block.replace(/\n+$/, "")));
  });
});

describe("appendBlocks", () => {
  it("never touches a finished block again", () => {
    const early = feed("# One\n\ntwo\n\nthree", 3);
    const late = appendBlocks(early, " more\n\nfour\n\nfive");
    expect(late.done.slice(0, early.done.length)).toEqual(early.done);
  });

  it("keeps an open fence in the tail, whatever it holds", () => {
    const stream = feed("intro\n\n```ts\nconst a = 1;\n\n# no title\n", 4);
    expect(stream.tail).toBe("```ts\nconst a = 1;\n\n# no title\n");
    expect(stream.done).toHaveLength(1);
  });

  it("loses and doubles nothing, however the text is cut", () => {
    const piece = fc.constantFrom(
      "word ",
      "\n\n",
      "\n",
      "# T\n",
      "- item\n",
      "```\n",
      "```ts\n",
      "| a | b |\n|---|---|\n",
      "> q\n",
      "1. x\n",
      "~~~\n",
      "    code\n",
      "é日本 ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = pieces.join("");
        const stream = feed(text, size);
        expect(squeeze(stream.done.join("") + stream.tail)).toBe(squeeze(text));
        expect(squeeze(blocksOf(text).join(""))).toBe(squeeze(text));
      }),
      { numRuns: 300 },
    );
  });

  it("costs about the same at the end of a long answer as at its start", () => {
    const line = "A sentence of the answer that is neither short nor long.\n\n";
    const long = feed(line.repeat(4_000), line.length);
    expect(long.tail.length).toBeLessThan(12_000);
    expect(long.done.length).toBeGreaterThan(3_990);
  });

  it.each([
    ["a table of many rows", "| a | b |\n|---|---|\n".concat("| one | two |\n".repeat(3_000))],
    ["a paragraph without any line end", "word ".repeat(10_000)],
  ])("cuts %s, so that its tail stays small", (_name, text) => {
    expect(feed(text, 500).tail.length).toBeLessThan(13_000);
  });
});
