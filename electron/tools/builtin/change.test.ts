// write and edit on real files: the field cases of reading, writing and editing.
import { chmod, link, lstat, mkdir, readdir, readlink, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import iconv from "iconv-lite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReadState } from "#electron/tools/read-state.ts";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());

const read = (file: string, range: object = {}) => box.run("read", { file_path: file, ...range });
const edit = (file: string, old_string: string, new_string: string, replace_all?: boolean) =>
  box.run("edit", { file_path: file, old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) });
const write = (file: string, content: string) => box.run("write", { file_path: file, content });
/** Puts a file and reads it, as the model has to. */
const known = async (file: string, content: string | Uint8Array) => {
  await box.put(file, content);
  await read(file);
};
const okOf = (ran: { readonly returned: { readonly ok: boolean } }) => ran.returned.ok;
const isRoot = process.getuid?.() === 0;

describe("line endings on disk (C01)", () => {
  it("keeps CRLF, shows only the changed lines", async () => {
    await known("a.txt", "one\r\ntwo\r\nthree\r\n");
    const ran = await edit("a.txt", "one\ntwo", "one\nTWO\nextra");
    expect(await box.text("a.txt")).toBe("one\r\nTWO\r\nextra\r\nthree\r\n");
    expect(ran.text).toBe("Edited a.txt (1 place, +2 -1).\n@@ line 1 @@\n one\n-two\n+TWO\n+extra\n three");
    expect(ran.returned.view).toMatchObject({ kind: "file_change", change: "edited", diff: { path: "a.txt", added: 2, removed: 1 } });
  });

  it("write keeps the file's CRLF unless the content has its own", async () => {
    await known("a.txt", "one\r\ntwo\r\n");
    await write("a.txt", "three\nfour\n");
    expect(await box.text("a.txt")).toBe("three\r\nfour\r\n");
    await write("a.txt", "five\r\nsix\n");
    expect(await box.text("a.txt")).toBe("five\r\nsix\n");
  });

  it("new files are written as given, LF on every system", async () => {
    await write("n.txt", "a\nb\n");
    expect(await box.text("n.txt")).toBe("a\nb\n");
  });
});

describe("encodings (C02)", () => {
  it("an ASCII edit of a Latin-1 file changes the wanted bytes only", async () => {
    await known("s.txt", Buffer.from("const x = 1;\n// caf\xe9 note\n", "latin1"));
    await edit("s.txt", "const x = 1;", "const x = 2;");
    expect(await box.bytes("s.txt")).toEqual(Buffer.from("const x = 2;\n// caf\xe9 note\n", "latin1"));
  });

  it.each(["gbk", "shift_jis", "utf-16le", "utf-16be"])("reads, edits and writes %s in its own encoding", async (encoding) => {
    const before = "# 設定の読み込み、日本\r\nvalue = 1\r\n";
    const text = encoding === "gbk" ? "# 设置读取，中文\r\nvalue = 1\r\n" : before;
    const options = { addBOM: encoding.startsWith("utf") };
    await known("x.txt", iconv.encode(text, encoding, options));
    const shown = await read("x.txt");
    expect(shown.text).toContain(`1\t${text.split("\r\n")[0]}`);
    expect(okOf(await edit("x.txt", "value = 1", "value = 2"))).toBe(true);
    expect(await box.bytes("x.txt")).toEqual(iconv.encode(text.replace("1", "2"), encoding, options));
  });

  it("refuses what the encoding cannot hold, and the file stays", async () => {
    const bytes = Buffer.from("na\xefve = 1\nr\xe9sum\xe9\n", "latin1");
    await known("s.txt", bytes);
    const ran = await edit("s.txt", "= 1", "= '😀'");
    expect(ran.text).toMatch(/Nothing was written: s\.txt is .*no place for the character U\+1F600/);
    expect(await box.bytes("s.txt")).toEqual(bytes);
  });

  it("refuses to edit what cannot be written back without loss", async () => {
    const bytes = Buffer.concat([Buffer.from("\ufeffabc\n"), Buffer.from([0xff, 0x0a])]);
    await known("s.txt", bytes);
    expect((await edit("s.txt", "abc", "x")).text).toMatch(/fit no known encoding/);
    expect(await box.bytes("s.txt")).toEqual(bytes);
  });

  it("a lone surrogate never becomes another character silently", async () => {
    expect((await write("n.txt", "a\ud83d")).text).toMatch(/U\+D83D/);
    await expect(box.bytes("n.txt")).rejects.toThrow(/ENOENT/);
  });
});

describe("byte-order mark (C04)", () => {
  it("is kept once, never shown, never added", async () => {
    await box.put("t.ps1", "\ufeffhello\r\n中文\r\n");
    expect((await read("t.ps1")).text).not.toContain("\ufeff");
    await edit("t.ps1", "hello", "hello2");
    expect(await box.bytes("t.ps1")).toEqual(Buffer.from("\ufeffhello2\r\n中文\r\n"));
    await write("t.ps1", "\ufeffwhole new\r\n");
    expect(await box.bytes("t.ps1")).toEqual(Buffer.from("\ufeffwhole new\r\n"));
    await write("t.ps1", "again\r\n");
    expect(await box.bytes("t.ps1")).toEqual(Buffer.from("\ufeffagain\r\n"));
    await write("n.txt", "x\n");
    expect(await box.bytes("n.txt")).toEqual(Buffer.from("x\n"));
  });

  it("in the middle of a file it is left alone", async () => {
    await known("m.txt", "a\ufeffb\nc\n");
    await edit("m.txt", "c", "d");
    expect(await box.text("m.txt")).toBe("a\ufeffb\nd\n");
  });
});

describe("new text byte for byte (C06, C13)", () => {
  it("in edit, replace_all, several edits and write; the diff shows what lands on disk", async () => {
    const odd = 'log("$& ok $1 $$ $` $\' $<n>");';
    await known("f", 'log("done");\nPID=x\n');
    const ran = await box.run("edit", {
      file_path: "f",
      edits: [
        { old_string: 'log("done");', new_string: odd },
        { old_string: "PID=x", new_string: "'^[sv]d[a-z]$'" },
      ],
    });
    expect(await box.text("f")).toBe(`${odd}\n'^[sv]d[a-z]$'\n`);
    expect(ran.text).toContain(`+${odd}\n`);
    await write("q.txt", "d’apostrophe — “x”\u00a0!");
    expect(await box.text("q.txt")).toBe("d’apostrophe — “x”\u00a0!");
  });

  it("a no-break space is named when the plain one does not match", async () => {
    await known("q3", "a\u00a0b\n");
    expect((await edit("q3", "a b", "c")).text).toBe(
      "old_string was not found in q3. It differs only in unusual spaces (such as a no-break space, shown below as \\u{…}). The nearest text in the file is:\n1\ta\\u{a0}b\nCopy old_string from the file exactly, without line numbers. The file was not changed.",
    );
  });
});

describe("mode and links (C07)", () => {
  it("keeps the mode in edit and write, and leaves no draft", async () => {
    await known("run.sh", "#!/bin/sh\necho X\n");
    await chmod(path.join(box.dir, "run.sh"), 0o750);
    await edit("run.sh", "X", "Y");
    expect((await stat(path.join(box.dir, "run.sh"))).mode & 0o7777).toBe(0o750);
    await write("run.sh", "#!/bin/sh\necho Z\n");
    expect((await stat(path.join(box.dir, "run.sh"))).mode & 0o7777).toBe(0o750);
    expect((await promisify(execFile)(path.join(box.dir, "run.sh"))).stdout).toBe("Z\n");
    await write("fresh.sh", "x");
    expect((await stat(path.join(box.dir, "fresh.sh"))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect((await readdir(box.dir)).sort()).toEqual(["fresh.sh", "run.sh"]);
  });

  it("changes the target of a link and keeps the link", async () => {
    await known("real/a.txt", "one\n");
    await symlink("real/a.txt", path.join(box.dir, "link.txt"));
    await edit("link.txt", "one", "two");
    expect([await readlink(path.join(box.dir, "link.txt")), await box.text("real/a.txt")]).toEqual(["real/a.txt", "two\n"]);
  });

  it.each([
    [
      "the second of three texts is not there",
      {
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "no", new_string: "2" },
          { old_string: "two", new_string: "2" },
        ],
      },
    ],
    [
      "the last stands twice",
      {
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "two", new_string: "2" },
        ],
      },
    ],
    [
      "an edit undoes the text of the next",
      {
        edits: [
          { old_string: "one", new_string: "two" },
          { old_string: "one", new_string: "1" },
        ],
      },
    ],
  ])("several edits are made all or none: %s", async (_, edits) => {
    const file = await box.put("a.txt", "one\ntwo two\n");
    await utimes(file, 1_000, 1_000);
    await read("a.txt");
    expect(okOf(await box.run("edit", { file_path: "a.txt", ...edits }))).toBe(false);
    expect([await box.text("a.txt"), (await stat(file)).mtimeMs, await readdir(box.dir)]).toEqual(["one\ntwo two\n", 1_000_000, ["a.txt"]]);
  });

  it("touches no other file", async () => {
    await known("a.txt", "one\n");
    await known("b.txt", "other\n");
    await utimes(path.join(box.dir, "b.txt"), 1_000, 1_000);
    await edit("a.txt", "one", "two");
    expect((await stat(path.join(box.dir, "b.txt"))).mtimeMs).toBe(1_000_000);
  });

  it("does not write through to another name of the same file", async () => {
    await known("a.txt", "one\n");
    await link(path.join(box.dir, "a.txt"), path.join(box.dir, "hard.txt"));
    await edit("a.txt", "one", "two");
    expect([await box.text("a.txt"), await box.text("hard.txt")]).toEqual(["two\n", "one\n"]);
  });
});

describe("compare and swap (C09)", () => {
  it("a: write over what was changed since the read is refused", async () => {
    await known("a.txt", "v1\n");
    await box.put("a.txt", "v2-user\n");
    const ran = await write("a.txt", "v1-agent\n");
    expect(ran.returned).toMatchObject({ ok: false, failure: { kind: "tool_error", retryable: true, suggestion: "read a.txt" } });
    expect(ran.text).toMatch(/has changed since you read it/);
    expect(await box.text("a.txt")).toBe("v2-user\n");
  });

  it("b: an edit elsewhere is merged onto the new content, and says so", async () => {
    await known("b.txt", "one\ntwo\nthree\nfour\n");
    await box.put("b.txt", "one\ntwo\nthree\nfour\nadded by user\n");
    const ran = await edit("b.txt", "one", "ONE");
    expect(await box.text("b.txt")).toBe("ONE\ntwo\nthree\nfour\nadded by user\n");
    expect(ran.text).toMatch(/had changed since you read it, in other places; those changes were kept/);
    // What the person added was never shown, so the whole file must not be replaced yet.
    expect((await write("b.txt", "x")).text).toMatch(/only a part/);
    expect(okOf(await edit("b.txt", "two", "TWO"))).toBe(true);
  });

  it.each([
    ["the same place", "one\nTWO by user\nthree\n"],
    ["the next line", "one\ntwo\nTHREE by user\n"],
    ["the file emptied", ""],
    ["the same change made", "one\nTWO\nthree\n"],
  ])("b: %s is refused and stays", async (_, theirs) => {
    await known("b.txt", "one\ntwo\nthree\n");
    await box.put("b.txt", theirs);
    const ran = await edit("b.txt", "two", "TWO");
    expect(ran.text).toMatch(/has changed since you read it/);
    expect(await box.text("b.txt")).toBe(theirs);
  });

  it("b: after a resume the old text is gone, so a changed file is refused", async () => {
    await known("b.txt", "one\ntwo\n");
    const later = await openToolbox({ readState: createReadState({ known: box.readState.snapshot() }) });
    await box.put("b.txt", "one\ntwo\nmore\n");
    const file = path.join(box.dir, "b.txt");
    expect((await later.run("edit", { file_path: file, old_string: "one", new_string: "ONE" })).text).toMatch(/has changed since/);
    await later.close();
  });

  it("state survives a resume: an unchanged file needs no second read", async () => {
    await known("b.txt", "one\n");
    const later = await openToolbox({ readState: createReadState({ known: box.readState.snapshot() }) });
    expect(okOf(await later.run("write", { file_path: path.join(box.dir, "b.txt"), content: "two\n" }))).toBe(true);
    await later.close();
  });

  it("c: a file never read is refused for both, and stays", async () => {
    await box.put("c.txt", "mine\n");
    for (const ran of [await write("c.txt", "x"), await edit("c.txt", "mine", "x")])
      expect(ran.text).toMatch(/you have not read it in this session\. Read it first/);
    expect(await box.text("c.txt")).toBe("mine\n");
  });

  it("d: a file read in part is not replaced, until the rest was read", async () => {
    await box.put("d.txt", Array.from({ length: 500 }, (_, index) => `${index}\n`).join(""));
    await read("d.txt", { offset: 1, limit: 10 });
    expect((await write("d.txt", "x\n")).text).toMatch(/only a part of d\.txt/);
    await read("d.txt", { offset: 11 });
    expect(okOf(await write("d.txt", "x\n"))).toBe(true);
  });

  it("new files are free, own writes are known, and the same content is not written again", async () => {
    expect((await write("n/e/w.txt", "one\n")).text).toBe("Created n/e/w.txt (1 lines).");
    expect(okOf(await write("n/e/w.txt", "two\n"))).toBe(true);
    expect(okOf(await edit("n/e/w.txt", "two", "three"))).toBe(true);
    const before = await stat(path.join(box.dir, "n/e/w.txt"));
    expect((await write("n/e/w.txt", "three\n")).text).toMatch(/exactly this content already/);
    expect((await stat(path.join(box.dir, "n/e/w.txt"))).ino).toBe(before.ino);
  });

  it("a file that appears while a new one is written is not replaced", async () => {
    const box2 = await openToolbox({ disk: await slowDisk(async () => void (await box2.put("n.txt", "theirs\n"))) });
    const ran = await box2.run("write", { file_path: "n.txt", content: "mine\n" });
    expect([ran.text, await box2.text("n.txt"), await readdir(box2.dir)]).toEqual([
      expect.stringMatching(/changed by somebody else at the same moment/),
      "theirs\n",
      ["n.txt"],
    ]);
    await box2.close();
  });
});

describe("empty and missing (C11)", () => {
  it.each([
    ["", "X", undefined, /old_string is empty, but f exists/],
    ["", "X", true, /old_string is empty/],
    [" ", "X", true, /not found/],
    ["abc", "abc", undefined, /the same/],
  ])("%j → %j all=%s is an error", async (old, put, all, message) => {
    await known("f", "abc\ndef");
    expect((await edit("f", old, put, all)).text).toMatch(message);
    expect(await box.text("f")).toBe("abc\ndef");
  });

  it("an empty old text creates a missing file, and nothing else does", async () => {
    expect(okOf(await edit("new.txt", "", "hello"))).toBe(true);
    expect(await box.text("new.txt")).toBe("hello");
    expect((await edit("gone.txt", "a", "b")).text).toMatch(/gone\.txt does not exist/);
    expect((await edit("new.tx", "a", "b")).text).toMatch(/Did you mean new\.txt/);
  });
});

describe("no fuzzy matching (C12)", () => {
  it("fails with the nearest real text and leaves the file", async () => {
    const go = "func a() {\n\tx := 1\n\ty := 2\n\tz := 3\n\treturn\n}\n";
    await known("g.go", go);
    expect((await edit("g.go", "func a() {\n\tx := 1\n\ty := 99\n\tz := 3\n\treturn\n}", "x")).text).toContain("3\t\ty := 2");
    expect(await box.text("g.go")).toBe(go);
  });

  it("says where an ambiguous text stands", async () => {
    await known("f", "a\nb\na\n");
    expect((await edit("f", "a", "x")).text).toMatch(/2 times \(lines 1, 3\)/);
  });
});

describe("a disk that fails (C15)", () => {
  it.each([
    ["ENOSPC", /disk is full/],
    ["EACCES", /permissions of the file or its folder/],
    ["EROFS", /read-only/],
  ])("%s is named, the old content is whole, nothing lies about", async (code, message) => {
    const broken = await openToolbox({ disk: await failingDisk(code) });
    await broken.put("a.txt", "old\n".repeat(1000));
    await broken.run("read", { file_path: "a.txt" });
    const ran = await broken.run("write", { file_path: "a.txt", content: "new\n".repeat(3000) });
    expect(ran.returned).toMatchObject({ ok: false, failure: { kind: "tool_error" } });
    expect(ran.text).toMatch(message);
    expect(ran.text).toContain(code);
    expect([await broken.text("a.txt"), await readdir(broken.dir)]).toEqual(["old\n".repeat(1000), ["a.txt"]]);
    await broken.close();
  });

  it("a really full disk: old content whole, no draft left", async () => {
    const mount = path.join(box.dir, "small");
    await mkdir(mount);
    if (!(await canMount(mount))) return;
    try {
      const old = `needle\n${"old\n".repeat(75_000)}`;
      await known("small/a.txt", old);
      const ran = await edit("small/a.txt", "needle", "new text\n".repeat(100_000));
      expect(ran.text).toMatch(/disk is full.*ENOSPC/);
      expect([await box.text("small/a.txt"), await readdir(mount)]).toEqual([old, ["a.txt"]]);
    } finally {
      await promisify(execFile)("umount", [mount]);
    }
  });

  it("a read-only file is not made writable, nor replaced behind its back", async () => {
    await known("ro.txt", "old\n");
    await chmod(path.join(box.dir, "ro.txt"), 0o444);
    expect((await edit("ro.txt", "old", "new")).text).toMatch(/read-only \(EACCES\)/);
    expect([await box.text("ro.txt"), (await stat(path.join(box.dir, "ro.txt"))).mode & 0o777]).toEqual(["old\n", 0o444]);
  });

  it.runIf(!isRoot)("a folder without write permission is named", async () => {
    await known("d/a.txt", "old\n");
    await chmod(path.join(box.dir, "d"), 0o555);
    expect((await edit("d/a.txt", "old", "new")).text).toMatch(/EACCES/);
    await chmod(path.join(box.dir, "d"), 0o755);
    expect(await box.text("d/a.txt")).toBe("old\n");
  });

  it("what a killed writer left is swept by the next write", async () => {
    await writeFile(path.join(box.dir, ".cairn-999999999-0123456789ab.tmp"), "half");
    await write("a.txt", "x");
    expect(await readdir(box.dir)).toEqual(["a.txt"]);
  });
});

describe("links and the workspace's border (B11)", () => {
  beforeEach(async () => {
    await symlink(box.outside, path.join(box.dir, "outbox"));
    await mkdir(path.join(box.dir, "real"));
    await symlink("real", path.join(box.dir, "inlink"));
  });

  it.each([
    ["outbox/new.txt", "out/new.txt"],
    ["outbox/sub/deep/new.txt", "out/sub/deep/new.txt"],
    ["inlink/ok.txt", "ws/real/ok.txt"],
    ["outbox/../out/x.txt", "out/x.txt"],
  ])("write %s declares where it really leads", async (given, real) => {
    const target = path.join(path.dirname(box.dir), real);
    const ran = await write(given, "x\n");
    expect(ran.traits.effects).toContainEqual({ kind: "writes", target });
    expect(ran.traits.conflictKeys).toEqual([target]);
    expect(await box.tool("write").askCard?.({ file_path: given, content: "y\n" }, box.place)).toMatchObject({ detail: { kind: "diff" } });
    expect((await lstat(target)).isFile()).toBe(true);
  });

  it("a link put in place between question and use is not followed", async () => {
    await mkdir(path.join(box.dir, "sub"));
    const ran = await box.run("write", { file_path: "sub/a.txt", content: "x" }, async () => {
      await rm(path.join(box.dir, "sub"), { recursive: true });
      await symlink(box.outside, path.join(box.dir, "sub"));
    });
    expect(ran.text).toMatch(/led to .* when the call was checked .* now\. Nothing was touched/);
    expect(await readdir(box.outside)).toEqual([]);
  });
});

describe("the question to the person", () => {
  it("shows the very change, for edits, new files and replaced ones", async () => {
    await known("a.txt", "one\ntwo\n");
    const card = (name: string, input: unknown) => box.tool(name).askCard?.(input, box.place);
    expect(await card("edit", { file_path: "a.txt", old_string: "two", new_string: "TWO" })).toMatchObject({
      verb: "edit_file",
      subject: "a.txt",
      detail: { kind: "diff", diff: { added: 1, removed: 1 } },
    });
    expect(await card("write", { file_path: "a.txt", content: "x\n" })).toMatchObject({
      verb: "overwrite_file",
      detail: { kind: "diff", diff: { added: 1, removed: 2 } },
    });
    expect(await card("write", { file_path: "b.txt", content: "x\n" })).toMatchObject({
      verb: "create_file",
      detail: { kind: "diff", diff: { added: 1, removed: 0 } },
    });
    expect(await card("edit", { file_path: "a.txt", old_string: "nowhere", new_string: "x" })).toMatchObject({
      verb: "edit_file",
      detail: { kind: "path", path: path.join(box.dir, "a.txt") },
    });
    expect(await box.text("a.txt")).toBe("one\ntwo\n");
  });

  it("offers rules for the file and its folder; outside they name the place in full; odd names are escaped", async () => {
    const rules = async (file_path: string) =>
      box.tool("edit").suggestRules?.({ file_path }, box.place, await box.tool("edit").analyse?.({ file_path }, box.place));
    expect(await rules("src/a.ts")).toEqual(["edit(src/a.ts)", "edit(src/**)"]);
    expect(await rules("a.ts")).toEqual(["edit(a.ts)"]);
    expect(await rules("app/[id]/p.tsx")).toEqual(["edit(app/\\[id\\]/p.tsx)", "edit(app/\\[id\\]/**)"]);
    expect(await rules(`${box.outside}/x`)).toEqual([`edit(/${box.outside}/x)`, `edit(/${box.outside}/**)`]);
  });

  it("hooks and rules see the absolute real path", async () => {
    await mkdir(path.join(box.dir, "real"));
    await symlink("real", path.join(box.dir, "inlink"));
    const input = { file_path: "./inlink/../real/a.ts", content: "x" };
    const facts = await box.tool("write").analyse?.(input, box.place);
    expect(box.tool("write").observable(input, box.place, facts)).toEqual({ file_path: path.join(box.dir, "real/a.ts"), content: "x" });
    expect(box.tool("write").permissionTarget?.(input, box.place, facts)).toBe(path.join(box.dir, "real/a.ts"));
  });
});

describe("bad input", () => {
  it.each([
    ["write", {}, /"file_path": expected a string/],
    ["write", { file_path: "a", content: 5 }, /"content": expected a string, got number 5/],
    ["write", { file_path: "a\0b", content: "" }, /NUL/],
    ["write", { file_path: "a", content: "x\0" }, /NUL/],
    ["write", { file_path: "a".repeat(5000), content: "" }, /at most 4096 characters/],
    ["write", { file_path: "", content: "" }, /"file_path": expected at least 1/],
    ["write", { file_path: "a", content: "", mode: 7 }, /unknown field: "mode"/],
    ["edit", { file_path: "a" }, /"old_string": expected a string, got nothing[\s\S]*"new_string"/],
    ["edit", { file_path: "a", old_string: "x", new_string: "y", edits: [{ old_string: "x", new_string: "y" }] }, /either edits or/],
    ["edit", { file_path: "a", edits: [] }, /at least 1 items/],
    ["edit", { file_path: "a", edits: [{ old_string: 1 }] }, /"edits\[0\]\.old_string": expected a string/],
    ["edit", { file_path: "a", old_string: "x", new_string: "\0" }, /NUL/],
  ])("%s %j", async (tool, input, message) => {
    expect((await box.run(tool, input)).text).toMatch(message);
  });

  it.each([
    ["a folder", "dir", /is a folder/],
    ["below a file", "file.txt/x", /part of the path is a file|does not exist/],
    ["a device", "/dev/null", /is a device/],
    ["a name that is too long", "x".repeat(300), /too long/],
  ])("write to %s", async (_, file, message) => {
    await mkdir(path.join(box.dir, "dir"));
    await box.put("file.txt", "x");
    expect((await write(file, "y")).text).toMatch(message);
  });

  it("a pipe, a ring of links, a binary, a file that is too big, a folder that vanished", async () => {
    await promisify(execFile)("mkfifo", [path.join(box.dir, "pipe")]);
    await symlink("ring", path.join(box.dir, "ring"));
    await box.put("bin", Buffer.from([0, 1, 2, 3]));
    expect((await write("pipe", "x")).text).toMatch(/named pipe/);
    expect((await write("ring", "x")).text).toMatch(/ring|ELOOP/);
    expect((await write("bin", "x")).text).toMatch(/binary file/);
    expect((await edit("bin", "a", "x")).text).toMatch(/binary file/);
    await known("sub/a.txt", "one\n");
    const gone = await box.run("edit", { file_path: "sub/a.txt", old_string: "one", new_string: "two" }, () =>
      rm(path.join(box.dir, "sub"), { recursive: true }),
    );
    expect(gone.text).toMatch(/does not exist/);
  });

  it("an interrupted read state never lets a write through", async () => {
    await box.put("a.txt", "x");
    expect(okOf(await write("~/a.txt", "home\n"))).toBe(true);
    expect(await readdir(box.place.home)).toEqual(["a.txt"]);
    expect(await box.text("a.txt")).toBe("x");
  });
});

describe("any text through read and edit", () => {
  it("keeps every byte before and after the place that was edited", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, ""));
    const encoding = fc.constantFrom(
      { name: "utf-8", addBOM: false },
      { name: "utf-8", addBOM: true },
      { name: "utf-16le", addBOM: true },
      { name: "gb18030", addBOM: false },
      { name: "latin1", addBOM: false },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), encoding, line, async (lines, ending, { name, addBOM }, put) => {
        const [head, tail] = [iconv.encode(`${lines.join(ending)}${ending}`, name, { addBOM }), iconv.encode(`${ending}${lines.join(ending)}`, name)];
        const before = Buffer.concat([head, iconv.encode("<needle>", name), tail]);
        await known("p.txt", before);
        const ran = await edit("p.txt", "<needle>", put);
        const after = await box.bytes("p.txt");
        if (!okOf(ran)) expect(after).toEqual(before);
        else expect([after.subarray(0, head.length), after.subarray(after.length - tail.length)]).toEqual([head, tail]);
      }),
      { numRuns: 150 },
    );
  });
});

/** The real disk, failing with `code` after half of the bytes. */
async function failingDisk(code: string) {
  const fail = async () => {
    throw Object.assign(new Error(code), { code });
  };
  return {
    create: async (file: string) => {
      await writeFile(file, "", { flag: "wx" });
      return {
        writeFile: async (data: Uint8Array) => (await writeFile(file, data.subarray(0, data.length / 2)), fail()),
        chmod: fail,
        chown: fail,
        sync: fail,
        close: async () => undefined,
      };
    },
    rename: fail,
    unlink: (file: string) => rm(file),
    syncFolder: async () => undefined,
  };
}

/** The real disk; `meanwhile` happens after the draft was written. */
async function slowDisk(meanwhile: () => Promise<void>) {
  const { rename } = await import("node:fs/promises");
  return {
    create: async (file: string) => {
      await writeFile(file, "", { flag: "wx" });
      return {
        writeFile: (data: Uint8Array) => writeFile(file, data),
        chmod: async () => undefined,
        chown: async () => undefined,
        sync: meanwhile,
        close: async () => undefined,
      };
    },
    rename,
    unlink: (file: string) => rm(file),
    syncFolder: async () => undefined,
  };
}

async function canMount(folder: string): Promise<boolean> {
  return promisify(execFile)("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).then(
    () => true,
    () => false,
  );
}
