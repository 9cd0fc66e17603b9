// read on real files (T12), and its pure parts.
import { chmod, mkdir, open, symlink, truncate, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";
import { fileKindOf, sizeText } from "./file-kind.ts";
import { createLineWindow, READ_MAX_CHARS } from "./line-window.ts";
import { networkHost } from "./path-facts.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());
const read = (file_path: string, range: object = {}) => box.run("read", { file_path, ...range });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("text", () => {
  it("comes with line numbers, range, total, encoding, line ending and hash, and is recorded", async () => {
    await box.put("src/a.ts", "one\ntwo\n");
    const ran = await read("src/a.ts");
    expect(ran.text).toBe("[src/a.ts: lines 1-2 of 2; utf-8, LF, sha256 c3f9c8c283a2]\n1\tone\n2\ttwo");
    expect(ran.returned.view).toEqual({ kind: "file_read", path: "src/a.ts", from: 1, to: 2, total: 2 });
    expect(box.readState.seen(path.join(box.dir, "src/a.ts"))).toMatchObject({ complete: true });
    expect(ran.traits).toMatchObject({
      readOnly: true,
      concurrencySafe: true,
      mayWrite: false,
      reproducible: true,
      effects: [{ kind: "reads", target: path.join(box.dir, "src/a.ts") }],
    });
  });

  it.each([
    [
      "a range",
      numbers(10),
      { offset: 4, limit: 2 },
      "[f: lines 4-5 of 10; utf-8, LF, sha256 HASH]\n4\tline 4\n5\tline 5\n[More lines follow. Read on with offset 6.]",
    ],
    ["the end of a range", numbers(3), { offset: 3, limit: 9 }, "[f: lines 3-3 of 3; utf-8, LF, sha256 HASH]\n3\tline 3"],
    ["CRLF", "a\r\nb\r\n", {}, "[f: lines 1-2 of 2; utf-8, CRLF, sha256 HASH]\n1\ta\n2\tb"],
    ["mixed endings", "a\r\nb\n", {}, "[f: lines 1-2 of 2; utf-8, mixed line endings, sha256 HASH]\n1\ta\n2\tb"],
    ["old Mac endings", "a\rb", {}, "[f: lines 1-2 of 2; utf-8, CR, sha256 HASH]\n1\ta\n2\tb\n[No newline at the end of the file.]"],
    ["no final newline", "a", {}, "[f: lines 1-1 of 1; utf-8, no line ending, sha256 HASH]\n1\ta\n[No newline at the end of the file.]"],
    ["a mark", "\ufeffa\n", {}, "[f: lines 1-1 of 1; utf-8 with BOM, LF, sha256 HASH]\n1\ta"],
    ["blank lines", "\n\n", {}, "[f: lines 1-2 of 2; utf-8, LF, sha256 HASH]\n1\t\n2\t"],
    ["nothing", "", {}, "[f: empty file, utf-8]"],
  ])("%s", async (_, content, range, expected) => {
    await box.put("f", content);
    expect((await read("f", range)).text.replace(/sha256 [0-9a-f]{12}/, "sha256 HASH")).toBe(expected);
  });

  it("shows 2 000 lines and says how to read on; line by line it adds up to all", async () => {
    await box.put("f", numbers(4500));
    const ran = await read("f");
    expect([ran.text.split("\n").length, ran.text.endsWith("[More lines follow. Read on with offset 2001.]")]).toEqual([2002, true]);
    await read("f", { offset: 2001 });
    expect(box.readState.seen(path.join(box.dir, "f"))?.complete).toBe(false);
    await read("f", { offset: 4001 });
    expect(box.readState.seen(path.join(box.dir, "f"))?.complete).toBe(true);
  });

  it("cuts long lines and says so; what was cut does not count as seen", async () => {
    await box.put("f", `${"x".repeat(1999)}😀tail\nshort\n`);
    const ran = await read("f");
    expect(ran.text).toContain(`1\t${"x".repeat(1999)} [line cut: 2005 characters in all]\n2\tshort\n[1 long lines were cut`);
    expect(box.readState.seen(path.join(box.dir, "f"))?.complete).toBe(false);
  });

  it("stops at the size of one answer, at a line's end", async () => {
    await box.put("f", `${"y".repeat(1000)}\n`.repeat(500));
    const ran = await read("f");
    expect(ran.text.length).toBeLessThan(READ_MAX_CHARS + 1_500);
    expect(ran.text).toMatch(/\[Stopped at the size limit of one answer\. Read on with offset 100\.\]$/);
  });

  it("says when the offset is beyond the end", async () => {
    await box.put("f", numbers(3));
    expect((await read("f", { offset: 9 })).text).toBe("f has 3 lines; line 9 is beyond its end. Call again with a smaller offset.");
  });
});

describe("big files", () => {
  it("a range of a sparse 1 GB file is read in bounded memory, without going through all of it", async () => {
    const file = await box.put("big.log", numbers(200_000));
    const handle = await open(file, "r+");
    await handle.truncate(1024 * 1024 * 1024);
    await handle.close();
    const before = process.memoryUsage.rss();
    const ran = await read("big.log", { offset: 150_000, limit: 2 });
    expect(ran.text).toBe(
      "[big.log: lines 150000-150001 of more; the file was not read to its end; utf-8, LF]\n150000\tline 150000\n150001\tline 150001\n[More lines follow. Read on with offset 150002.]",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
    expect(box.readState.seen(file)).toBeUndefined();
  });

  it("a file of 20 MB in one line stays small, and its hash is known", async () => {
    const file = await box.put("min.js", `${"é".repeat(10_000_000)}\nend`);
    const ran = await read("min.js");
    expect(ran.text.length).toBeLessThan(5_000);
    expect(ran.text).toMatch(/lines 1-2 of 2; utf-8, (?:LF|no line ending), sha256/);
    expect(box.readState.seen(file)?.hash).toHaveLength(64);
  });

  it("an abort ends the reading", async () => {
    await box.put("f", "x\n".repeat(4_000_000));
    box.scope.abort({ by: "person" });
    expect((await read("f")).returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
  });
});

describe("what is no text", () => {
  it.each([
    ["an ELF program", Buffer.from("\x7fELF\x02\x01\0\0", "latin1"), /a\.bin is a binary file \(ELF program or library, 8 bytes\)/],
    ["an archive", Buffer.from("PK\x03\x04\0\0", "latin1"), /zip archive/],
    ["something else", Buffer.from([0, 1, 2, 3]), /unknown kind, 4 bytes/],
  ])("%s is named", async (_, bytes, message) => {
    await box.put("a.bin", bytes);
    expect((await read("a.bin")).text).toMatch(message);
  });

  it("text that begins like a program is text", async () => {
    await box.put("mz.txt", "MZ is a country code\n");
    expect((await read("mz.txt")).text).toContain("1\tMZ is a country code");
  });

  it("devices, pipes and sockets are refused without being opened", async () => {
    await promisify(execFile)("mkfifo", [path.join(box.dir, "pipe")]);
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(box.dir, "sock"), resolve));
    for (const [file, what] of [
      ["/dev/zero", "a device"],
      ["pipe", "a named pipe"],
      ["sock", "a socket"],
    ] as const) {
      expect((await read(file)).text).toBe(`${file} is ${what}, not a file with content; it is never opened. Find the file you mean with ls or glob.`);
    }
    await new Promise((resolve) => server.close(resolve));
  });

  it("folders, missing files and rings of links say what to do", async () => {
    await mkdir(path.join(box.dir, "src"));
    await box.put("src/index.ts", "");
    await symlink("ring", path.join(box.dir, "ring"));
    expect((await read("src")).text).toBe('src is a folder. List it with ls {"path": "src"}.');
    expect((await read("src/indx.ts")).text).toBe("src/indx.ts does not exist. Did you mean src/index.ts?");
    expect((await read("src/none.py")).text).toBe("src/none.py does not exist. Find it with glob, or list src with ls.");
    expect((await read("nope/deep/x.ts")).text).toBe(
      'nope/deep/x.ts does not exist. Its folder does not exist either; the nearest one that does is ".". List it with ls.',
    );
    expect((await read("src/index.ts/x")).text).toMatch(/does not exist/);
    expect((await read("ring")).text).toMatch(/ring \(ELOOP\)/);
  });

  it.runIf(process.getuid?.() !== 0)("a file without permission is named", async () => {
    await box.put("secret", "x");
    await chmod(path.join(box.dir, "secret"), 0);
    expect((await read("secret")).text).toMatch(/EACCES/);
  });
});

describe("paths", () => {
  it("relative, absolute, ~ and .. all lead to the file, shown from the workspace", async () => {
    await box.put("a/b.txt", "x\n");
    await writeFile(path.join(box.place.home, "h.txt"), "home\n");
    for (const given of ["a/b.txt", "./a/b.txt", path.join(box.dir, "a/b.txt"), "a/../a/b.txt"])
      expect((await read(given)).text).toMatch(/^\[a\/b\.txt: lines 1-1/);
    expect((await read("~/h.txt")).text).toMatch(new RegExp(`^\\[${box.place.home}/h\\.txt: `));
  });

  it("what leads outside is declared with its real place and its name (B11)", async () => {
    await symlink(box.outside, path.join(box.dir, "outbox"));
    await writeFile(path.join(box.outside, "secret.txt"), "s\n");
    const real = path.join(box.outside, "secret.txt");
    for (const given of ["outbox/secret.txt", "outbox/../out/secret.txt"]) {
      const ran = await read(given);
      expect(ran.traits.effects).toEqual([
        { kind: "reads", target: real },
        { kind: "reads", target: path.posix.join(box.dir, "outbox") + given.slice("outbox".length) },
      ]);
      expect(await box.tool("read").askCard?.({ file_path: given }, box.place)).toEqual({
        verb: "read_outside",
        subject: real,
        detail: { kind: "path", path: real },
      });
    }
  });

  it.each([
    ["\\\\host\\share\\x", "host"],
    ["//host/share/x", "host"],
    ["//host", "host"],
    ["/host/x", undefined],
    ["\\\\.\\PhysicalDrive0", undefined],
    ["//?/C:/x", undefined],
    ["a//b", undefined],
  ])("a network path is told by its text: %s", (given, host) => {
    expect(networkHost(given)).toBe(host);
  });

  it("a network path is declared as such and not touched before the call", async () => {
    const tool = box.tool("read");
    const facts = await tool.analyse?.({ file_path: "\\\\host\\share\\x" }, box.place);
    expect(tool.effects({}, box.place, facts)).toEqual([
      { kind: "network", target: "host" },
      { kind: "reads", target: "\\\\host\\share\\x" },
    ]);
    expect(tool.suggestRules?.({}, box.place, facts)).toEqual([]);
  });

  it("without facts a call counts as unsafe", () => {
    expect(() => box.tool("read").effects({ file_path: "a" }, box.place, undefined)).toThrow(/Invalid input/);
  });

  it("a link that moved between question and use is not followed", async () => {
    await box.put("a.txt", "inside\n");
    await writeFile(path.join(box.outside, "b.txt"), "outside\n");
    const ran = await box.run("read", { file_path: "l.txt" }, () => symlink(path.join(box.outside, "b.txt"), path.join(box.dir, "l.txt")));
    expect(ran.text).toMatch(/Nothing was touched/);
  });
});

describe("names that only look the same (C14)", () => {
  it("the exact name always wins; else exactly one look-alike, which is said", async () => {
    for (const name of ["Shot 1.01.11\u202fAM.png.txt", "v\u00a013.05", "\u1100\u1161.txt", "a b.txt", "a\u00a0b.txt", "x\u2009y", "x\u00a0y"])
      await box.put(name, `${name.length}\n`);
    expect((await read("Shot 1.01.11 AM.png.txt")).text).toMatch(/does not exist; this is "Shot 1\.01\.11\u202fAM\.png\.txt", whose name only looks the same/);
    expect((await read("v 13.05")).text).toContain("1\t7");
    expect((await read("가.txt")).text).toContain("1\t6");
    expect((await read("a\u00a0b.txt")).text).toMatch(/^\[a\u00a0b\.txt: lines/);
    expect((await read("a b.txt")).text).toMatch(/^\[a b\.txt: lines/);
    expect((await read("x y")).text).toBe(
      'x y does not exist, and several names look like it: "x\\u{a0}y", "x\\u{2009}y". Call again with the exact characters of one of them.',
    );
    await box.run("write", { file_path: "new\u202ffile.txt", content: "x" });
    expect(await box.text("new\u202ffile.txt")).toBe("x");
  });
});

describe("PDFs and notebooks", () => {
  it("a PDF is read page by page", async () => {
    await box.put("d.pdf", pdf(["Hello page one", "Second page", "Third page"]));
    expect((await read("d.pdf", { offset: 2, limit: 1 })).text).toBe("[d.pdf: pages 2-2 of 3]\n--- page 2 ---\nSecond page\n[Read on with offset 3.]");
    expect((await read("d.pdf")).text).toContain("--- page 3 ---\nThird page");
    expect((await read("d.pdf", { offset: 9 })).text).toContain("[There is no page 9.]");
  });

  it("a broken PDF says so", async () => {
    await box.put("d.pdf", "%PDF-1.4 broken");
    expect((await read("d.pdf")).text).toMatch(/could not be read as PDF: .*tell the person/);
  });

  it("a notebook is read cell by cell, its outputs in short", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title\n", "text"], metadata: {} },
      {
        cell_type: "code",
        id: "c2",
        source: "print(1)",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": "<Figure>" } },
          { output_type: "error", ename: "KeyError", evalue: "x" },
        ],
      },
    ];
    await box.put("n.ipynb", JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
    expect((await read("n.ipynb")).text).toBe(
      "[n.ipynb: cells 1-2 of 2]\n--- cell 1 (markdown) ---\n# Title\ntext\n--- cell 2 (code id=c2) ---\nprint(1)\n[output]\n1\n[output]\n<Figure>\n(image/png not shown)\n[output]\nKeyError: x",
    );
    expect(box.readState.seen(path.join(box.dir, "n.ipynb"))?.complete).toBe(false);
  });

  it("what is no notebook after all is shown as text", async () => {
    await box.put("n.ipynb", "{ not json\n");
    expect((await read("n.ipynb")).text).toContain("1\t{ not json");
  });
});

describe("bad input", () => {
  it.each([
    [{}, /"file_path": expected a string/],
    [{ file_path: ["a"] }, /got a list of 1/],
    [{ file_path: "a\0" }, /NUL/],
    [{ file_path: "a", offset: 0 }, /"offset": expected at least 1/],
    [{ file_path: "a", limit: 1.5 }, /whole number/],
    [{ file_path: "a", lines: 5 }, /unknown field: "lines"/],
    [{ file_path: "/".repeat(5000) }, /at most 4096/],
  ])("%j", async (input, message) => {
    expect((await box.run("read", input)).text).toMatch(message);
  });

  it("a file cut while it is read, and one that grows without end, come to an end", async () => {
    const file = await box.put("f", "x\n".repeat(1000));
    await truncate(file, 10);
    expect((await read("f")).text).toContain("lines 1-5 of 5");
    expect((await read("/proc/self/status")).text).toMatch(/^\[\/proc\//);
  });
});

describe("line window", () => {
  it("counts the same however the text is cut into pieces", () => {
    const text = "a\r\nbb\n\nccc\r\n\r\nlast";
    for (let size = 1; size <= text.length; size++) {
      const window = createLineWindow({ offset: 2, limit: 3, separator: "\n" });
      for (let at = 0; at < text.length; at += size) window.push(text.slice(at, at + size));
      expect(window.end()).toEqual({ lines: ["bb", "", "ccc"], from: 2, to: 4, total: 6, shortened: 0, full: false, finalNewline: false });
    }
  });
});

it("names sizes and kinds", () => {
  expect([sizeText(0), sizeText(1), sizeText(1536), sizeText(5 * 1024 ** 3)]).toEqual(["0 bytes", "1 bytes", "1.5 KB", "5.0 GB"]);
  expect([fileKindOf(Buffer.from("plain")), fileKindOf(Buffer.from("%PDF-1.7"))]).toEqual([undefined, { kind: "pdf" }]);
});

/** A PDF of one line a page, just enough for a reader. */
function pdf(pages: readonly string[]): string {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const [index, text] of pages.entries()) {
    const stream = `BT /F1 12 Tf 20 200 Td (${text}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  let out = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  return `${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF`;
}
