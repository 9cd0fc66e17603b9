import { describe, expect, it } from "vitest";
import { ansiLines } from "./ansi.ts";

const words = (output: string) => ansiLines(output).map((line) => line.map((piece) => piece.text).join(""));

describe("ansiLines", () => {
  it.each([
    ["one\r\ntwo\n", ["one", "two"]],
    ["a\n\nb", ["a", "", "b"]],
    ["10%\r50%\r100%\n", ["100%"]],
    ["half\r", ["half"]],
    ["ab\bc", ["ac"]],
    ["\u001b[2J\u001b[Hclear\u001b[10;20Hjump", ["clearjump"]],
    ["\u001b]0;title\u0007x\u001b]8;;http://evil\u001b\\y", ["xy"]],
    ["bell\u0007 null\u0000", ["bell null"]],
    ["\u001b[2Kline", ["line"]],
    ["done\n\u001b[1G⠙\u001b[1G\u001b[0K", ["done"]],
    ["\u001b[1Gabc\u001b[1G\u001b[Kxy", ["xy"]],
    ["kept\u001b[K", ["kept"]],
    ["kept\r\nnext", ["kept", "next"]],
    ["", []],
  ])("reads %j", (output, lines) => {
    expect(words(output)).toEqual(lines);
  });

  it("keeps colours and styles until they are reset", () => {
    const [line] = ansiLines("\u001b[1;31mbad\u001b[0m ok \u001b[38;5;208mo\u001b[38;2;1;2;3mt\u001b[39mn");
    expect(line?.map(({ text, color, bold }) => [text, color, bold])).toEqual([
      ["bad", 1, true],
      [" ok ", undefined, false],
      ["o", "rgb(255 135 0)", false],
      ["t", "rgb(1 2 3)", false],
      ["n", undefined, false],
    ]);
  });

  it("carries a style over line ends", () => {
    expect(ansiLines("\u001b[32ma\nb").map((line) => line[0]?.color)).toEqual([2, 2]);
  });
});
