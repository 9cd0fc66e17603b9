import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programsOfRepository } from "./git-repository.ts";
import { readSettings } from "./git-settings.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-repo-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}
const HEAD = { ".git/HEAD": "ref: refs/heads/main\n" };

describe("settings that run programs (B06)", () => {
  it.each([
    ['[core]\n\tfsmonitor = "touch PWNED"', "core.fsmonitor"],
    ["[core] fsmonitor = .git/evil", "core.fsmonitor"],
    ["[diff]\n\texternal = evil", "diff.external"],
    ['[diff "x"]\n\ttextconv = evil', "diff.x.textconv"],
    ['[diff "X y"]\n\tcommand = evil', "diff.x y.command"],
    ['[filter "a"]\n\tclean = evil', "filter.a.clean"],
    ['[filter "a"]\n\tprocess = evil', "filter.a.process"],
    ["[core]\n\tpager = evil", "core.pager"],
    ["[pager]\n\tlog = evil", "pager.log"],
    ["[core]\n\tsshCommand = evil", "core.sshcommand"],
    ["[core]\n\thooksPath = .husky", "core.hookspath"],
    ["[alias]\n\tst = !evil", "alias.st"],
    ["[gpg]\n\tprogram = evil", "gpg.program"],
    ['[gpg "ssh"]\n\tprogram = evil', "gpg.ssh.program"],
    ['[credential "https://x"]\n\thelper = !evil', "credential.https://x.helper"],
    ["[CORE]\n\tFsMonitor = evil", "core.fsmonitor"],
    ["[core]\n\tfsmonitor = \\\n evil", "core.fsmonitor"],
    ["[core]\n\tx = 1 ; comment\n\tfsmonitor = evil # true", "core.fsmonitor"],
    ['[merge "x"]\n\tdriver = evil', "merge.x.driver"],
    ["[core]\n\tworktree = /", "core.worktree"],
  ])("%j sets %s", async (config, key) => {
    await plant({ ...HEAD, ".git/config": config });
    expect(await programsOfRepository(root)).toBe(`the repository sets ${key}, which can run a program`);
  });

  it.each([
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true",
    "[core]\n\tfsmonitor = true",
    "[core]\n\tfsmonitor",
    "[core]\n\tpager = less",
    '[remote "origin"]\n\turl = git@example.org:x/y.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true',
    "[alias]\n\tst = status -s",
    "[user]\n\tname = diff.external",
    "; [core]\n# fsmonitor = evil",
    "",
  ])("%j runs nothing", async (config) => {
    await plant({ ...HEAD, ".git/config": config });
    expect(await programsOfRepository(root)).toBeUndefined();
  });
});

describe("where settings of a repository lie", () => {
  const EVIL = "[core]\n\tfsmonitor = evil\n";

  it("in the repository above the folder", async () => {
    await plant({ ...HEAD, ".git/config": EVIL, "a/b/c.txt": "" });
    expect(await programsOfRepository(join(root, "a/b"))).toMatch(/fsmonitor/);
  });

  it("in files that the settings include", async () => {
    await plant({ ...HEAD, ".git/config": "[include]\n\tpath = ../more", more: EVIL });
    expect(await programsOfRepository(root)).toMatch(/fsmonitor/);
    await plant({ ".git/config": '[includeIf "gitdir:/"]\n\tpath = more', ".git/more": EVIL });
    expect(await programsOfRepository(root)).toMatch(/fsmonitor/);
  });

  it("in an include that includes itself, which is a question and not a loop", async () => {
    await plant({ ...HEAD, ".git/config": "[include]\n\tpath = config" });
    expect(await programsOfRepository(root)).toMatch(/include too many/);
  });

  it("in the settings of a work tree, behind a file that points there", async () => {
    await plant({
      "main/.git/HEAD": "x",
      "main/.git/config": "",
      "main/.git/worktrees/w/commondir": "../..",
      "main/.git/worktrees/w/config.worktree": EVIL,
      "w/.git": "gitdir: ../main/.git/worktrees/w\n",
    });
    expect(await programsOfRepository(join(root, "w"))).toMatch(/fsmonitor/);
  });

  it("in the common folder of a work tree", async () => {
    await plant({
      "main/.git/HEAD": "x",
      "main/.git/config": EVIL,
      "main/.git/worktrees/w/commondir": "../..",
      "w/.git": `gitdir: ${join(root, "main/.git/worktrees/w")}\n`,
    });
    expect(await programsOfRepository(join(root, "w"))).toMatch(/fsmonitor/);
  });

  it("in a folder that is itself laid out as a repository", async () => {
    await plant({ "d/HEAD": "ref: refs/heads/main", "d/objects/x": "", "d/refs/x": "", "d/config": EVIL });
    expect(await programsOfRepository(join(root, "d"))).toMatch(/fsmonitor/);
  });

  it("in submodules", async () => {
    await plant({
      ...HEAD,
      ".git/config": "",
      ".git/modules/a/HEAD": "x",
      ".git/modules/a/config": "",
      ".git/modules/deep/b/HEAD": "x",
      ".git/modules/deep/b/config": EVIL,
    });
    expect(await programsOfRepository(root)).toMatch(/fsmonitor/);
  });

  it("in hooks that run although the command only reads", async () => {
    await plant({ ...HEAD, ".git/config": "", ".git/hooks/post-index-change": "#!/bin/sh\n" });
    expect(await programsOfRepository(root)).toMatch(/hook post-index-change/);
  });

  it("not in hooks that only run when something is committed", async () => {
    await plant({ ...HEAD, ".git/config": "", ".git/hooks/pre-commit": "#!/bin/sh\n", ".git/hooks/post-index-change.sample": "" });
    expect(await programsOfRepository(root)).toBeUndefined();
  });

  it("nowhere when there is no repository or no folder", async () => {
    expect([await programsOfRepository(root), await programsOfRepository(join(root, "gone"))]).toEqual([undefined, undefined]);
  });

  it("in a file that is too large or cannot be read, which asks", async () => {
    await plant({ ...HEAD, ".git/config": `[a]\n${"\tx = 1\n".repeat(60_000)}` });
    expect(await programsOfRepository(root)).toMatch(/could not be read/);
    await plant({ "other/.git/config/x": "" });
    await chmod(join(root, "other"), 0o755);
    expect(await programsOfRepository(join(root, "other"))).toBeUndefined();
  });
});

describe("readSettings", () => {
  it("reads sections, quotes, comments and lines that go on", () => {
    expect(readSettings('[a]\n\tb = "x;y" # z\n[c "D e"] f = g\\\nh\n\ti\n')).toEqual([
      { key: "a.b", value: "x;y" },
      { key: "c.d e.f", value: "gh" },
      { key: "c.d e.i", value: "true" },
    ]);
  });

  it("refuses in words or reads", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          readSettings(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
