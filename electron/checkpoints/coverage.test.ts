// Ignore files as git reads them, and which folders are dependencies or build results (K4).
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createTempWorkspace, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createIgnoreRules, isBareRepository, isDependencyFolder, isOwnTemporary, isVersionControl } from "./coverage.ts";
import { createDisk } from "./disk.ts";

const run = promisify(execFile);
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const FILES = {
  ".gitignore": "*.log\n!keep.log\n/root-only\nbuild/\n**/deep/*.tmp\n\\#odd\nspace\\ \n",
  "sub/.gitignore": "!again.log\n*.txt\n",
  "sub/inner/.gitignore": "*\n!.gitignore\n",
  "build/.gitignore": "!*\n",
  "a.log": "",
  "keep.log": "",
  "root-only": "",
  "sub/root-only": "",
  "build/x.js": "",
  "sub/build/y.js": "",
  "sub/again.log": "",
  "sub/other.log": "",
  "sub/notes.txt": "",
  "notes.txt": "",
  "sub/inner/x": "",
  "one/deep/a.tmp": "",
  "deep/b.tmp": "",
  "#odd": "",
  "UPPER.LOG": "",
  "ünïcode.log": "",
};

async function ignoredByGit(ws: TempWorkspace, paths: readonly string[]): Promise<readonly string[]> {
  await run("git", ["init", "-q"], { cwd: ws.root });
  const { stdout } = await run(
    "git",
    ["-c", "core.excludesFile=/dev/null", "-c", "core.quotePath=false", "ls-files", "--others", "--ignored", "--exclude-standard"],
    { cwd: ws.root },
  );
  return stdout.split("\n").filter((line) => paths.includes(line));
}
const rulesOf = (ws: TempWorkspace, platform: NodeJS.Platform = "linux") => createIgnoreRules({ disk: createDisk(process.platform), root: ws.root, platform });

describe("ignore files", () => {
  it("say the same as git", async () => {
    const ws = await createTempWorkspace(FILES);
    open.push(() => ws.dispose());
    const paths = Object.keys(FILES);
    const expected = await ignoredByGit(ws, paths);
    const rules = rulesOf(ws);
    expect(expected.length).toBeGreaterThan(5);
    expect(paths.filter((path) => rules.isIgnored(path, false)).sort()).toEqual([...expected].sort());
  });
  it("of an outer repository have no say in an inner one", async () => {
    const ws = await createTempWorkspace({ ".gitignore": "*.log\n", "inner/.git/HEAD": "x", "inner/a.log": "", "other/a.log": "" });
    open.push(() => ws.dispose());
    const rules = rulesOf(ws);
    expect(["inner/a.log", "other/a.log"].map((path) => rules.isIgnored(path, false))).toEqual([false, true]);
  });
  it("follow the case of the file system", async () => {
    const ws = await createTempWorkspace({ ".gitignore": "*.log\n" });
    open.push(() => ws.dispose());
    expect([rulesOf(ws).isIgnored("A.LOG", false), rulesOf(ws, "darwin").isIgnored("A.LOG", false)]).toEqual([false, true]);
  });
  it("that are no files, or nonsense, ignore nothing", async () => {
    const ws = await createTempWorkspace({ ".gitignore": { folder: true }, "a/.gitignore": "\0\xff[", "a/x": "" });
    open.push(() => ws.dispose());
    expect(rulesOf(ws).isIgnored("a/x", false)).toBe(false);
  });
});

describe("folders", () => {
  const none = () => false;
  for (const [folder, names, isIgnored, expected] of [
    ["node_modules", [], false, true],
    ["a/node_modules", [], false, true],
    ["build", [], false, false],
    ["build", [], true, true],
    ["src", [], true, false],
    ["env", ["pyvenv.cfg"], false, true],
    ["target", ["CACHEDIR.TAG"], false, true],
  ] as const) {
    it(`${folder} with ${names.join()}${isIgnored ? ", ignored" : ""}`, () =>
      expect(isDependencyFolder(folder, names, isIgnored ? () => true : none)).toBe(expected));
  }
  it("of version control, whatever their case, and bare repositories are known", () => {
    expect([".git", ".GIT", ".hg", ".jj", ".gitignore", "git"].map(isVersionControl)).toEqual([true, true, true, true, false, false]);
    expect([isBareRepository(["HEAD", "objects", "refs", "x"]), isBareRepository(["HEAD", "refs"])]).toEqual([true, false]);
  });
  it("hold files of a roll-back only under its own names", () => {
    expect([".cairn-0123456789ab-3.old", ".cairn-0123456789ab-3.new", ".cairn-notes", ".cairn-0123456789ab-3.old.txt"].map(isOwnTemporary)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
