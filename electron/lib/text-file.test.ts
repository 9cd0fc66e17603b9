import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeText, encodeText, guessFormat, lineEndingOf, unencodable } from "./text-file.ts";

const chinese = "// 中文注释：读取配置文件\nint a = 1;\n";
const japanese = "# 日本語のコメントです。テスト\nx = 1\n";

describe("what a file is", () => {
  it.each([
    ["plain ASCII", Buffer.from("abc\n"), { encoding: "utf-8", bom: false }, "abc\n"],
    ["an empty file", Buffer.from(""), { encoding: "utf-8", bom: false }, ""],
    ["UTF-8", Buffer.from(chinese), { encoding: "utf-8", bom: false }, chinese],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${chinese}`), { encoding: "utf-8", bom: true }, chinese],
    ["a mark in the middle is text", Buffer.from("\ufeffa\ufeffb"), { encoding: "utf-8", bom: true }, "a\ufeffb"],
    ["two marks: one is text", Buffer.from("\ufeff\ufeffa"), { encoding: "utf-8", bom: true }, "\ufeffa"],
    ["UTF-16 LE with a mark", iconv.encode(`${chinese}`, "utf-16le", { addBOM: true }), { encoding: "utf-16le", bom: true }, chinese],
    ["UTF-16 BE with a mark", iconv.encode(japanese, "utf-16be", { addBOM: true }), { encoding: "utf-16be", bom: true }, japanese],
    ["UTF-16 LE without", iconv.encode("hello world\n", "utf-16le"), { encoding: "utf-16le", bom: false }, "hello world\n"],
    ["UTF-16 BE without", iconv.encode("hello world\n", "utf-16be"), { encoding: "utf-16be", bom: false }, "hello world\n"],
    ["GBK", iconv.encode(chinese, "gbk"), { encoding: "gb18030", bom: false }, chinese],
    ["two hanzi in GBK", iconv.encode("// 中文\n", "gbk"), { encoding: "gb18030", bom: false }, "// 中文\n"],
    ["Shift-JIS", iconv.encode(japanese, "shift_jis"), { encoding: "shift_jis", bom: false }, japanese],
    ["Cyrillic", iconv.encode("Привет мир, это файл\n", "windows-1251"), { encoding: "windows-1251", bom: false }, "Привет мир, это файл\n"],
    ["Latin-1", Buffer.from("const x = 1;\n// caf\xe9 note\n", "latin1"), { encoding: "iso-8859-1", bom: false }, "const x = 1;\n// café note\n"],
  ])("%s", (_, bytes, format, text) => {
    expect(decodeText(bytes)).toEqual({ kind: "text", text, format, exact: true });
    expect(encodeText(text, format)).toEqual(bytes);
  });

  it.each([
    ["a NUL", Buffer.from("a\0b")],
    ["packed data", Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7) % 32))],
    ["an odd number of UTF-16 bytes without a mark", Buffer.concat([iconv.encode("hello", "utf-16le"), Buffer.from([0])])],
  ])("%s is binary", (_, bytes) => {
    expect(decodeText(bytes)).toEqual({ kind: "binary" });
  });

  it("says when a text cannot be written back as it was", () => {
    const torn = Buffer.concat([iconv.encode("hi", "utf-16le", { addBOM: true }), Buffer.from([0x41])]);
    expect(decodeText(torn)).toMatchObject({ kind: "text", exact: false });
    const broken = Buffer.concat([Buffer.from("\ufeffab"), Buffer.from([0xff])]);
    expect(decodeText(broken)).toMatchObject({ kind: "text", exact: false });
  });

  it("loses no byte of anything it calls exact", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const decoded = decodeText(bytes);
        if (decoded.kind === "text" && decoded.exact) expect(Buffer.from(encodeText(decoded.text, decoded.format) ?? [])).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it.each(["utf-8", "utf-16le", "utf-16be", "gb18030"])("brings any text back from %s", (encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const format = { encoding, bom: encoding.startsWith("utf") };
        const bytes = encodeText(text, format);
        expect(bytes).toBeDefined();
        expect(iconv.decode(Buffer.from(bytes ?? []), encoding)).toBe(text);
      }),
    );
  });
});

describe("encodeText", () => {
  it("refuses what the encoding cannot hold, and names it", () => {
    const latin = { encoding: "iso-8859-1", bom: false };
    expect([encodeText("naïve €", latin), unencodable("naïve €", latin)]).toEqual([undefined, "€"]);
    expect([encodeText("a\ud83d", { encoding: "utf-8", bom: false }), unencodable("ok", latin)]).toEqual([undefined, undefined]);
  });
});

describe("guessFormat", () => {
  it("copes with a head that ends inside a character", () => {
    const bytes = Buffer.from("x".repeat(99) + "中文");
    for (const end of [100, 101, 102, 103, 104]) expect(guessFormat(bytes.subarray(0, end))).toEqual({ encoding: "utf-8", bom: false });
  });
  it("knows binary and legacy heads", () => {
    expect(guessFormat(Buffer.from([0, 1, 2, 3, 5]))).toBeUndefined();
    expect(guessFormat(iconv.encode(chinese.repeat(20), "gbk"))?.encoding).toBe("gb18030");
  });
});

describe("lineEndingOf", () => {
  it.each([
    ["", "none"],
    ["a", "none"],
    ["a\nb", "lf"],
    ["a\r\nb", "crlf"],
    ["a\r\nb\n", "mixed"],
    ["a\rb", "cr"],
    ["a\rb\n", "lf"],
  ] as const)("%j is %s", (text, ending) => {
    expect(lineEndingOf(text)).toBe(ending);
  });
});
