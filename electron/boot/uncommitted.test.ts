// What is not committed, asked of real repositories, kind and hostile (U7, B06).
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createProcessTable } from "#electron/lib/process-tree.ts";
import { createProcessRunner } from "#electron/lib/spawn.ts";
import type { GitParts } from "./safe-git.ts";
import { readPatch, uncommittedOf } from "./uncommitted.ts";

let base = "";
let folder = "";
const clock = createSystemClock();
const environment = {
  ...childEnvironment(process.env),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};
let ids = 0;
const parts: GitParts = {
  newId: () => `git-${(ids += 1)}`,
  shells: { processes: createProcessRunner({ clock, table: createProcessTable(process.platform) }), environment: async () => environment },
};
const git = (...args: readonly string[]) => promisify(execFile)("git", [...args], { cwd: folder, env: environment });

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "uncommitted-"));
  folder = join(base, "work");
  await mkdir(folder);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function repository(files: Readonly<Record<string, string>>): Promise<void> {
  await git("init", "-q", "-b", "main");
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await git("add", "-A");
  await git("commit", "-q", "-m", "one");
}
async function seen() {
  const found = await uncommittedOf(parts, folder);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}
const short = async () => (await seen()).diffs.map(({ path, added, removed, binary }) => [path, added, removed, binary === true]);

describe("what is not committed", () => {
  it("is what changed, came, and went, with its lines; the index of the person is as it was", async () => {
    await repository({ "a.txt": "1\n2\n3\n", "gone.txt": "x\n", "same.txt": "s\n", "staged.txt": "old\n", "b.bin": "\0\0" });
    await writeFile(join(folder, "a.txt"), "1\ntwo\n3\n");
    await rm(join(folder, "gone.txt"));
    await writeFile(join(folder, "new file é.txt"), "n\nm\n");
    await writeFile(join(folder, "staged.txt"), "new\n");
    await writeFile(join(folder, "b.bin"), "\0\0\0");
    await git("add", "staged.txt");
    const before = await readFile(join(folder, ".git/index"));
    expect(await short()).toEqual([
      ["a.txt", 1, 1, false],
      ["b.bin", 0, 0, true],
      ["gone.txt", 0, 1, false],
      ["new file é.txt", 2, 0, false],
      ["staged.txt", 1, 1, false],
    ]);
    const [first] = (await seen()).diffs;
    expect(first?.hunks).toEqual([
      {
        oldStart: 1,
        newStart: 1,
        lines: [
          { kind: "same", text: "1", old: 1, new: 1 },
          { kind: "del", text: "2", old: 2 },
          { kind: "add", text: "two", new: 2 },
          { kind: "same", text: "3", old: 3, new: 3 },
        ],
      },
    ]);
    expect(await readFile(join(folder, ".git/index"))).toEqual(before);
    expect((await readdir(join(folder, ".git"))).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("is everything before the first commit, and nothing is said where there is no repository", async () => {
    expect(await uncommittedOf(parts, folder)).toMatchObject({ ok: false, error: { kind: "no_repository" } });
    await git("init", "-q");
    await writeFile(join(folder, "a.txt"), "1\n");
    expect(await short()).toEqual([["a.txt", 1, 0, false]]);
  });

  it("runs nothing that the repository brings, and shows nothing of other folders", async () => {
    await repository({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
    const canary = join(base, "PWNED");
    const run = `sh -c 'touch ${canary}; cat'`;
    for (const key of ["filter.evil.clean", "filter.evil.smudge", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "diff.external", "core.pager"])
      await git("config", key, run);
    await writeFile(join(folder, "a.txt"), "2\n");
    await writeFile(join(base, "secret.txt"), "secret\n");
    await symlink(join(base, "secret.txt"), join(folder, "link.txt"));
    const { diffs } = await seen();
    expect(JSON.stringify(diffs)).not.toContain("secret\\n");
    expect(diffs.map((diff) => diff.path)).toEqual(["a.txt", "link.txt"]);
    await expect(stat(canary)).rejects.toThrow();
    await git("config", "core.worktree", base);
    await seen();
    await expect(stat(canary)).rejects.toThrow();
  });

  it("is bounded: too big and too many", async () => {
    await repository({ "a.txt": "1\n" });
    await writeFile(join(folder, "big.txt"), "x\n".repeat(200_000));
    for (let n = 0; n < 310; n += 1) await writeFile(join(folder, `n${String(n).padStart(3, "0")}.txt`), "1\n");
    const found = await seen();
    expect([found.diffs.length, found.more, found.diffs.find((diff) => diff.path === "big.txt")?.binary]).toEqual([300, 11, true]);
  });
});

describe("a patch", () => {
  it("of files with odd names is read, and one that was cut is read as far as it goes", () => {
    const patch = [
      "diff --git a/x b/y.txt b/x b/y.txt\nindex 1..2 100644\n--- a/x b/y.txt\t\n+++ b/x b/y.txt\t\n@@ -1 +1 @@\n-a\n+b\n",
      "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
      "diff --git a/cut b/cut\n--- a/cut\n+++ b/cut\n@@ -1,9 +1,9 @@\n-a\n",
    ].join("");
    expect(readPatch(patch).map(({ path, added, removed }) => [path, added, removed])).toEqual([
      ["x b/y.txt", 1, 1],
      ["run", 0, 0],
    ]);
  });
});
