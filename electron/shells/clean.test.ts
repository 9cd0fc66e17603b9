import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanOutput, fromLineStart, wholeCharacters } from "./clean.ts";

describe("terminal output for the model", () => {
  it.each<[string, string, string]>([
    ["plain text as it is", "a\tb\nç 中 🙂\n", "a\tb\nç 中 🙂\n"],
    ["CR LF as one line end", "a\r\nb\r\n", "a\nb\n"],
    ["no colours and cursor moves", "\u001b[1;31mred\u001b[0m \u001b[2K\u001b[10;3Hx\u001b[?25l", "red x"],
    ["no titles and links", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "alink"],
    ["no device strings, charset and keypad escapes", "\u001bP1$r0m\u001b\\a\u001b(Bb\u001b=c\u001b7", "abc"],
    ["an unfinished escape at the end", "a\u001b[3", "a"],
    ["an unfinished title only to the end of its line", "\u001b]0;never ends\nb", "\nb"],
    ["a progress bar's last state", " 10%\r 50%\r100%\nok\n", "100%\nok\n"],
    ["a bar that was wiped", "working\r       \r\nok", "working\nok"],
    ["what backspaces erase", "spin |\b/\b-\b done\n", "spin  done\n"],
    ["overstruck manuals", "N\bNA\bAM\bM", "NAM"],
    ["control bytes as pictures, bells not at all", "a\u0000b\u0001c\u0007d\u007fe\u009bf", "a\u2400b\u2401cd\u2421e\ufffdf"],
  ])("has %s", (_name, raw, clean) => {
    expect(cleanOutput(Buffer.from(raw))).toBe(clean);
  });

  it("never holds a byte that acts, whatever was printed (F05)", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.array(fc.constantFrom("\u001b[", "\u001b]", "\r", "\b", "31m", "\u0007", "\u001bP", "x"), { maxLength: 40 }),
        (noise, pieces) => {
          const text = cleanOutput(Buffer.concat([noise, Buffer.from(pieces.join(""))]));
          expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
          expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
        },
      ),
    );
  });

  it("is linear in hostile input", () => {
    const before = performance.now();
    for (const piece of ["\u001b]", "\u001b[0;", "\r", "a\b", "\u001bP", "\u001b[ "]) cleanOutput(Buffer.from(piece.repeat(200_000)));
    expect(performance.now() - before).toBeLessThan(3_000);
  });
});

describe("cutting a byte stream", () => {
  it("keeps whole characters at the end of the first part", () => {
    const bytes = Buffer.from("aé中🙂");
    const cuts = [...bytes.keys(), bytes.length].map((end) => wholeCharacters(bytes.subarray(0, end)).toString("utf8"));
    expect(cuts).toEqual(["", "a", "a", "aé", "aé", "aé", "aé中", "aé中", "aé中", "aé中", "aé中🙂"]);
  });

  it("begins the last part at a line, else at a character", () => {
    expect(fromLineStart(Buffer.from("31mrest\nline"), 100).toString()).toBe("line");
    expect(fromLineStart(Buffer.from("🙂abc").subarray(2), 100).toString()).toBe("abc");
    expect(fromLineStart(Buffer.from("long line\nx"), 4).toString()).toBe("long line\nx");
  });
});
