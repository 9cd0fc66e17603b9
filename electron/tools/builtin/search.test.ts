// ls, glob and grep on real folders with the real ripgrep (T14).
import { execFile } from "node:child_process";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ripgrep } from "#electron/lib/ripgrep.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";
import { createFindings } from "./grep-records.ts";
import { SEARCH_TIMEOUT_MS } from "./search-run.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());
const ls = (input: object = {}) => box.run("ls", input);
const glob = (pattern: string, rest: object = {}) => box.run("glob", { pattern, ...rest });
const grep = (pattern: string, rest: object = {}) => box.run("grep", { pattern, ...rest });
const lines = (ran: { readonly text: string }) => ran.text.split("\n").slice(1);

async function tree(): Promise<void> {
  for (const [file, content] of Object.entries({
    "src/a.ts": "import x\nconst needle = 1;\n",
    "src/b.tsx": "needle needle\nno\nNeedle\n",
    "src/deep/c.ts": "nothing\n",
    "README.md": "# needle\n",
    ".github/ci.yml": "needle: 1\n",
    "node_modules/p/index.js": "needle\n",
    "dist.min.js": "needle\n",
    ".gitignore": "node_modules/\n*.min.js\n",
    ".git/config": "needle\n",
  }))
    await box.put(file, content);
}

describe("ls", () => {
  it("shows everything in a folder in order: folders, sizes, links, hidden and ignored", async () => {
    await tree();
    await symlink("README.md", path.join(box.dir, "link"));
    await promisify(execFile)("mkfifo", [path.join(box.dir, "pipe")]);
    await box.put("od\nd", "");
    const ran = await ls();
    expect(ran.text).toBe(
      '[.: 10 entries]\n.git/\n.github/\n.gitignore  23 bytes\nREADME.md  9 bytes\ndist.min.js  7 bytes\nlink -> README.md\nnode_modules/\n"od\\nd"  0 bytes\npipe  a named pipe\nsrc/',
    );
    expect(ran.returned.view).toMatchObject({ kind: "listing", path: ".", count: 10, cut: false });
  });

  it("tells an empty folder, a file, a missing one and a cut list apart", async () => {
    await mkdir(path.join(box.dir, "empty"));
    await box.put("file", "");
    for (let index = 0; index < 1_100; index++) await writeFile(path.join(box.dir, `empty/../n${String(index).padStart(4, "0")}`), "");
    expect((await ls({ path: "empty" })).text).toBe("[empty: empty folder]");
    expect((await ls({ path: "file" })).text).toBe("file is a file, not a folder. Look into it with read.");
    expect((await ls({ path: "emty" })).text).toBe("emty does not exist. Did you mean empty?");
    const all = await ls();
    expect([lines(all).length, all.text.endsWith("[102 more entries are not shown; find files by name with glob.]")]).toEqual([1_001, true]);
    expect((await ls({ path: "/dev/null" })).text).toMatch(/is a device, not a folder/);
  });

  it("outside the workspace shows absolute paths and declares the place", async () => {
    await writeFile(path.join(box.outside, "x"), "");
    const ran = await ls({ path: box.outside });
    expect(ran.text).toBe(`[${box.outside}: 1 entry]\nx  0 bytes`);
    expect(ran.traits.effects).toEqual([{ kind: "reads", target: box.outside }]);
  });
});

describe("glob", () => {
  it.each([
    ["**/*.ts", ["src/a.ts", "src/deep/c.ts"]],
    ["*.ts", ["src/a.ts", "src/deep/c.ts"]],
    ["src/*.ts", ["src/a.ts"]],
    ["src/**/*.{ts,tsx}", ["src/a.ts", "src/b.tsx", "src/deep/c.ts"]],
    ["**/*.yml", [".github/ci.yml"]],
    ["README.md", ["README.md"]],
    ["src/deep/c.ts", ["src/deep/c.ts"]],
    ["./src/*.tsx", ["src/b.tsx"]],
    ["**/config", []],
    ["**/*.js", []],
    ["*.py", []],
  ])("%s", async (pattern, expected) => {
    await tree();
    const ran = await glob(pattern);
    expect(lines(ran)).toEqual(expected);
    if (expected.length === 0)
      expect(ran.text).toBe(
        `[No files match ${pattern} in ${pattern.includes("/") && !pattern.startsWith("*") ? "src" : "."}. Files that .gitignore names, and links, are left out.]`,
      );
    expect(ran.returned.ok).toBe(true);
  });

  it("takes a folder, absolute patterns and ~, and declares the place that is searched", async () => {
    await tree();
    expect(lines(await glob("*.ts", { path: "src/deep" }))).toEqual(["src/deep/c.ts"]);
    const absolute = await glob(`${box.dir}/src/*.ts`);
    expect([lines(absolute), absolute.traits.effects]).toEqual([["src/a.ts"], [{ kind: "reads", target: path.join(box.dir, "src") }]]);
    expect((await glob("/*")).traits.effects).toEqual([{ kind: "reads", target: "/" }]);
    expect((await glob("../out/*")).traits.effects[0]).toEqual({ kind: "reads", target: box.outside });
    expect((await glob("~/**")).traits.effects).toEqual([{ kind: "reads", target: box.place.home }]);
  });

  it("walks no deeper than the pattern can reach", async () => {
    const asked: (readonly string[])[] = [];
    const other = await openToolbox({ ripgrep: { run: async ({ args }) => (asked.push(args), { kind: "done", code: 1, stderr: "", dropped: 0 }) } });
    const depth = async (pattern: string) => {
      await other.run("glob", { pattern });
      return asked.at(-1)?.find((arg) => arg.startsWith("--max-depth"));
    };
    expect([await depth("/*"), await depth("/*/a-*"), await depth("{a/b,c}/*.ts"), await depth("/**/x"), await depth("*.ts")]).toEqual([
      "--max-depth=1",
      "--max-depth=2",
      "--max-depth=3",
      undefined,
      undefined,
    ]);
    await other.close();
  });

  it("finds names with brackets by their name", async () => {
    await box.put("app/[id]/page.tsx", "");
    expect(lines(await glob("app/[id]/page.tsx"))).toEqual(["app/[id]/page.tsx"]);
  });

  it("does not follow links out of the workspace (B11)", async () => {
    await box.put("in.txt", "");
    await writeFile(path.join(box.outside, "secret.txt"), "");
    await symlink(box.outside, path.join(box.dir, "outbox"));
    expect(lines(await glob("**/*"))).toEqual(["in.txt"]);
  });

  it("says when more match than are shown", async () => {
    for (let index = 0; index < 1_050; index++) await writeFile(path.join(box.dir, `f${String(index).padStart(4, "0")}.txt`), "");
    const ran = await glob("*.txt");
    expect(ran.text.split("\n")[0]).toBe("[1050 files match *.txt; the first 1000 by path are shown. Use a narrower pattern or path for the others.]");
    expect([lines(ran).length, lines(ran)[0], lines(ran).at(-1)]).toEqual([1000, "f0000.txt", "f0999.txt"]);
  });

  it("keeps names with spaces, line breaks and other scripts whole", async () => {
    for (const name of ["a b.txt", "中文.txt", "li\nne.txt"]) await box.put(name, "");
    expect((await glob("*.txt")).text).toBe("[3 files match *.txt]\na b.txt\nli\nne.txt\n中文.txt");
  });
});

describe("grep", () => {
  it("content: matches by file in order, with line numbers and totals", async () => {
    await tree();
    const ran = await grep("needle");
    expect(ran.text).toBe(
      "[4 matches in 4 files]\n.github/ci.yml\n1:needle: 1\nREADME.md\n1:# needle\nsrc/a.ts\n2:const needle = 1;\nsrc/b.tsx\n1:needle needle",
    );
    expect(ran.returned.view).toMatchObject({ kind: "search", pattern: "needle", matches: 4, files: 4, cut: false });
  });

  it.each([
    [{ output_mode: "files" }, "[4 files match]\n.github/ci.yml\nREADME.md\nsrc/a.ts\nsrc/b.tsx"],
    [{ output_mode: "count" }, "[5 matches in 4 files]\n.github/ci.yml: 1\nREADME.md: 1\nsrc/a.ts: 1\nsrc/b.tsx: 2"],
    [{ case_insensitive: true, glob: "*.tsx" }, "[2 matches in 1 file]\nsrc/b.tsx\n1:needle needle\n3:Needle"],
    [{ glob: "src/**" }, "[2 matches in 2 files]\nsrc/a.ts\n2:const needle = 1;\nsrc/b.tsx\n1:needle needle"],
    [{ glob: "!*.ts*" }, "[2 matches in 2 files]\n.github/ci.yml\n1:needle: 1\nREADME.md\n1:# needle"],
    [{ glob: "*.js" }, "[No matches for needle in . (*.js). Files that .gitignore names are left out.]"],
    [{ path: "src/a.ts" }, "[1 match in 1 file]\nsrc/a.ts\n2:const needle = 1;"],
    [{ path: "src/a.ts", context: 1 }, "[1 match in 1 file]\nsrc/a.ts\n1-import x\n2:const needle = 1;"],
    [{ path: "src/b.tsx", output_mode: "count" }, "[2 matches in 1 file]\nsrc/b.tsx: 2"],
    [
      { path: "src", output_mode: "files", head_limit: 1 },
      "[2 files match; the first 1 files by path are shown. Narrow the pattern, path or glob, or raise head_limit, for the others.]\nsrc/a.ts",
    ],
    [
      { head_limit: 2 },
      "[4 matches in 4 files; the first 2 matches by path are shown. Narrow the pattern, path or glob, or raise head_limit, for the others.]\n.github/ci.yml\n1:needle: 1\nREADME.md\n1:# needle",
    ],
  ])("%j", async (rest, expected) => {
    await tree();
    expect((await grep("needle", rest)).text).toBe(expected);
  });

  it("separates stretches that are apart", async () => {
    await box.put("f", "x\n1\n2\n3\n4\n5\nx\n");
    expect((await grep("x", { context: 1 })).text).toBe("[2 matches in 1 file]\nf\n1:x\n2-1\n--\n6-5\n7:x");
  });

  it("matches across lines when the pattern names a line break, look-around too", async () => {
    await box.put("f", "one\ntwo\nthree\n");
    expect((await grep("one\\ntwo")).text).toBe("[1 match in 1 file]\nf\n1:one\n2:two");
    expect((await grep("t(?=wo)")).text).toBe("[1 match in 1 file]\nf\n2:two");
  });

  it("nothing, a bad pattern and a bad glob are three answers", async () => {
    await tree();
    expect((await grep("zzz")).returned.ok).toBe(true);
    for (const pattern of ["(", "foo(", "[a", "a{2", "*x"]) {
      const ran = await grep(pattern);
      if (ran.returned.ok) continue;
      expect(ran.returned.failure.kind).toBe("invalid_input");
      expect(ran.text).toMatch(/not a valid regular expression[\s\S]*put a \\ before/);
    }
    expect((await grep("foo(")).returned.ok).toBe(false);
    expect((await grep("x", { glob: "a[" })).text).toMatch(/The glob "a\[" is not valid/);
    expect((await grep("x", { path: "gone" })).text).toMatch(/gone does not exist/);
  });

  it("never takes a pattern or file for an option", async () => {
    await box.put("-e", "--version needle\n");
    expect((await grep("--version")).text).toBe("[1 match in 1 file]\n-e\n1:--version needle");
    expect((await grep("needle", { path: "-e" })).text).toBe("[1 match in 1 file]\n-e\n1:--version needle");
  });

  it("cuts long lines around the match and drops what no memory should hold", async () => {
    await box.put("min.js", `${"a".repeat(5_000)}needle😀${"b".repeat(5_000)}\n`);
    await box.put("huge.js", `${"c".repeat(1_500_000)}needle\n`);
    const ran = await grep("needle");
    expect(ran.text).toMatch(/^\[1 match in 1 file\]\nmin\.js\n1:…a{150}needle😀b+…\n\[1 matching lines were too long to show\.\]$/);
    expect(ran.text.length).toBeLessThan(700);
  });

  it("shows the same files every time when there are too many", async () => {
    for (let index = 0; index < 30; index++) await box.put(`f${String(index).padStart(2, "0")}.txt`, "x\n".repeat(1_000));
    const first = await grep("x", { head_limit: 3 });
    expect(first.text).toBe(
      "[more than can be counted; the first 3 matches by path are shown. Narrow the pattern, path or glob, or raise head_limit, for the others.]\nf00.txt\n1:x\n2:x\n3:x",
    );
    expect((await grep("x", { head_limit: 3 })).text).toBe(first.text);
  });

  it("says what could not be searched beside what was found", async () => {
    const partly: Ripgrep = {
      run: async ({ onRecord }) => (onRecord("./a.ts"), { kind: "done", code: 2, stderr: "rg: ./locked: Permission denied (os error 13)\n", dropped: 0 }),
    };
    const other = await openToolbox({ ripgrep: partly });
    expect((await other.run("grep", { pattern: "x", output_mode: "files" })).text).toBe(
      "[1 file matches]\na.ts\n[Not everything could be searched: rg: ./locked: Permission denied (os error 13)]",
    );
    const nothing = await openToolbox({ ripgrep: { run: async () => ({ kind: "done", code: 2, stderr: "rg: ./locked: Permission denied\n", dropped: 0 }) } });
    expect((await nothing.run("grep", { pattern: "x" })).text).toBe("The search failed: ./locked: Permission denied");
    await other.close();
    await nothing.close();
  });

  it("names of other encodings and matches in binaries do not break the answer", () => {
    const findings = createFindings(10);
    for (const record of [
      "not json",
      JSON.stringify({
        type: "match",
        data: {
          path: { bytes: Buffer.from("f\xff", "latin1").toString("base64") },
          lines: { bytes: Buffer.from("x\xff\n", "latin1").toString("base64") },
          line_number: 4,
          submatches: [],
        },
      }),
      JSON.stringify({ type: "end", data: { path: { text: "bin" }, binary_offset: 3 } }),
    ])
      findings.add(record);
    expect([...findings.files]).toEqual([
      ["f\xff", { lines: [{ number: 4, text: "x\xff", isMatch: true }], binary: false }],
      ["bin", { lines: [], binary: true }],
    ]);
  });
});

describe("ending early", () => {
  const hanging: Ripgrep = {
    run: ({ signal }) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve({ kind: "aborted" });
        signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
      }),
  };
  it("an abort stops the search; so does the time limit, which is another failure", async () => {
    const other = await openToolbox({ ripgrep: hanging });
    const clock = createManualClock();
    const tool = other.tool("grep");
    const timed = tool.call({ pattern: "x" }, { ...other.context(), clock }, () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    while (!(await settled(timed))) await clock.advance(SEARCH_TIMEOUT_MS);
    expect(await timed).toMatchObject({
      ok: false,
      failure: { kind: "timeout", message: "The search took longer than 60 s and was stopped. Search a smaller folder, or narrow it with a glob." },
    });
    const stopped = other.run("glob", { pattern: "**" });
    setImmediate(() => other.scope.abort({ by: "person" }));
    expect((await stopped).returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
    expect(other.scope.openChildren()).toEqual([]);
    await other.close();
  });

  it("a folder that vanishes between question and search is named", async () => {
    await box.put("sub/a.txt", "x\n");
    const ran = await box.run("grep", { pattern: "x", path: "sub" }, () => rm(path.join(box.dir, "sub"), { recursive: true }));
    expect(ran.text).toMatch(/sub does not exist/);
  });
});

describe("speed", () => {
  it("glob over 10 000 files takes little longer than ripgrep alone", async () => {
    for (let folder = 0; folder < 20; folder++) {
      await mkdir(path.join(box.dir, `d${folder}`));
      await Promise.all(Array.from({ length: 500 }, (_, index) => writeFile(path.join(box.dir, `d${folder}/f${index}.${index % 2 === 0 ? "ts" : "js"}`), "")));
    }
    const { createRipgrep, ripgrepPath } = await import("#electron/lib/ripgrep.ts");
    const bare = () =>
      createRipgrep(ripgrepPath()).run({
        args: ["--files", "--null", "--hidden"],
        cwd: box.dir,
        separator: 0,
        signal: new AbortController().signal,
        onRecord: () => true,
      });
    const ours = async () => expect((await glob("**/*.ts")).text).toMatch(/^\[5000 files match/);
    // Of this process only: what ripgrep itself takes, and what else the machine does, is not what is asked.
    const best = async (run: () => Promise<unknown>) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5; round++) {
        const before = process.cpuUsage();
        await run();
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, (user + system) / 1_000);
      }
      return least;
    };
    expect((await best(ours)) - (await best(bare))).toBeLessThan(50);
  });
});

describe("bad input", () => {
  it.each([
    ["glob", {}, /"pattern": expected a string/],
    ["glob", { pattern: "" }, /at least 1/],
    ["glob", { pattern: "a\0" }, /NUL/],
    ["glob", { pattern: "*/../../etc/*" }, /`\.\.` may stand only at the beginning/],
    ["glob", { pattern: "x".repeat(1_001) }, /at most 1000/],
    ["grep", { pattern: "x\0" }, /NUL/],
    ["grep", { pattern: "x".repeat(10_001) }, /at most 10000/],
    ["grep", { pattern: "x", context: -1 }, /"context": expected at least 0/],
    ["grep", { pattern: "x", output_mode: "lines" }, /one of "content", "files", "count"/],
    ["grep", { pattern: "x", head_limit: 0 }, /"head_limit": expected at least 1/],
    ["grep", { pattern: "x", glob: 3 }, /"glob": expected a string/],
    ["grep", { pattern: "x", type: "ts" }, /unknown field: "type"/],
    ["ls", { path: 3 }, /"path": expected a string/],
    ["ls", { path: "a\0" }, /NUL/],
    ["ls", { dir: "." }, /unknown field: "dir"/],
  ])("%s %j", async (tool, input, message) => {
    expect((await box.run(tool, input)).text).toMatch(message);
  });

  it.each(["glob", "grep", "ls"])("%s over a pipe or a device does not hang", async (tool) => {
    await promisify(execFile)("mkfifo", [path.join(box.dir, "pipe")]);
    const input = tool === "ls" ? {} : { pattern: "x" };
    expect((await box.run(tool, { ...input, path: "pipe" })).returned.ok).toBe(false);
    expect((await box.run("grep", { pattern: "x" })).returned.ok).toBe(true);
  });

  it.runIf(process.getuid?.() !== 0)("a folder without permission is named", async () => {
    await box.put("locked/a.txt", "x\n");
    await chmod(path.join(box.dir, "locked"), 0);
    expect((await ls({ path: "locked" })).text).toMatch(/EACCES/);
    await chmod(path.join(box.dir, "locked"), 0o755);
  });
});

async function settled(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}
