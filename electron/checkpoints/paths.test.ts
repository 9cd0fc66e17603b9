import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ancestorsOf, bytesOfText, depthOf, isBelow, nativePath, parentOf, relativePath, textOfBytes } from "./paths.ts";

describe("names of any bytes (K4)", () => {
  it("survive the way through text and back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(bytesOfText(textOfBytes(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });
  it("stay plain text when they are UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(textOfBytes(Buffer.from(text))).toBe(text);
      }),
    );
  });
  it("differ where their bytes differ, also beside a real replacement character", () => {
    expect(textOfBytes(Buffer.from("a\uFFFDb"))).toBe("a\uFFFDb");
    expect(textOfBytes(Buffer.from([0x61, 0xff, 0xef, 0xbf, 0xbd]))).toBe("a\uDCFF\uFFFD");
  });
  it("reach the file system as bytes only where text would lose some", () => {
    expect(nativePath("/a/ü")).toBe("/a/ü");
    expect(nativePath("/a/\uDCFF")).toEqual(Buffer.from([0x2f, 0x61, 0x2f, 0xff]));
    expect(nativePath("/a/😀")).toBe("/a/😀");
  });
});

describe("paths inside the workspace", () => {
  it("know what is above and below", () => {
    expect(ancestorsOf("a/b/c")).toEqual(["a/b", "a"]);
    expect(parentOf("a")).toBe("");
    expect([depthOf("a"), depthOf("a/b/c")]).toEqual([0, 2]);
    expect([isBelow("a/b", "a"), isBelow("ab", "a"), isBelow("a", "a"), isBelow("a", "")]).toEqual([true, false, false, true]);
  });
  for (const [given, platform, expected] of [
    ["src/a.ts", "linux", "src/a.ts"],
    ["./src//a.ts", "linux", "src/a.ts"],
    ["src/", "linux", "src"],
    ["/w/p/src/a.ts", "linux", "src/a.ts"],
    ["/w/p", "linux", ""],
    ["/w/pp/a", "linux", undefined],
    ["/W/p/a", "linux", undefined],
    ["/W/P/a", "darwin", "a"],
    ["../x", "linux", undefined],
    ["a/../../x", "linux", undefined],
    ["a/../b", "linux", "b"],
    ["back\\slash", "linux", "back\\slash"],
    ["src\\a.ts", "win32", "src/a.ts"],
  ] as const) {
    it(`${given} on ${platform} is ${String(expected)}`, () => expect(relativePath("/w/p", given, platform)).toBe(expected));
  }
  it("are cut from a drive whatever its case", () => expect(relativePath("C:/Work/P", "c:\\work\\p\\src\\a.ts", "win32")).toBe("src/a.ts"));
});
