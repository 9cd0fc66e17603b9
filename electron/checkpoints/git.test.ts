// A repository's own data stays byte for byte as it is, and git's settings have no say (K1, D04, D06, D10).
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { type CheckpointHarness, openCheckpoints } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createDisk } from "./disk.ts";
import { readGitHead } from "./git-head.ts";

const run = promisify(execFile);
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function git(cwd: string, ...words: readonly string[]): Promise<string> {
  const settings = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"];
  return (await run("git", [...settings, ...words], { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" } })).stdout;
}

async function repository(): Promise<{ ws: TempWorkspace; cp: CheckpointHarness }> {
  const ws = await createTempWorkspace({ "a.txt": "a\n", "b.txt": "b\n" });
  await git(ws.root, "init", "-q");
  await git(ws.root, "add", "-A");
  await git(ws.root, "commit", "-qm", "first");
  const cp = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  return { ws, cp };
}

/** Every byte and time of everything in `.git`. */
async function gitData(folder: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const name of await fs.readdir(folder)) {
    const file = path.join(folder, name);
    const stat = await fs.lstat(file);
    if (stat.isDirectory()) Object.assign(all, await gitData(file));
    else
      all[file] = `${stat.mtimeMs} ${stat.mode} ${createHash("sha1")
        .update(await fs.readFile(file))
        .digest("hex")}`;
  }
  return all;
}

describe("a person's repository", () => {
  it("is left alone by checkpoints and by going back; commits made since are told (D06)", async () => {
    const { ws, cp } = await repository();
    await ws.plant({ "stashed.txt": "s\n" });
    await git(ws.root, "add", "stashed.txt");
    await git(ws.root, "stash", "-q");
    await ws.plant({ "a.txt": "staged\n", ".git/hooks/post-checkout": { bytes: `#!/bin/sh\ntouch "${ws.root}/PWNED"\n`, mode: 0o755 } });
    await git(ws.root, "add", "a.txt");
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(() => ws.plant({ "b.txt": "agent\n" }), { declared: ["b.txt"] });
    await git(ws.root, "commit", "-qm", "by the person", "--", "a.txt");
    const before = await gitData(ws.at(".git"));
    const status = await git(ws.root, "stash", "list");
    const preview = await cp.preview(start);
    expect(preview.irreversible).toMatchObject([{ kind: "git_history" }]);
    expect(await cp.goBack(start)).toMatchObject({ ok: true, value: { files: ["b.txt"] } });
    expect(await gitData(ws.at(".git"))).toEqual(before);
    expect(await git(ws.root, "stash", "list")).toBe(status);
    expect(await ws.read("b.txt")).toBe("b\n");
    await expect(ws.read("PWNED")).rejects.toThrow();
  });

  it("and those inside it too: nested, submodule and linked work tree are covered, their data is not (D04)", async () => {
    const { ws, cp } = await repository();
    const library = await createTempWorkspace({ "y.c": "y\n" });
    open.push(() => library.dispose());
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "x"],
    ])
      await git(library.root, ...words);
    await ws.plant({ "vendor/lib/x.c": "x\n" });
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "x"],
    ])
      await git(ws.at("vendor/lib"), ...words);
    await git(ws.root, "submodule", "add", "-q", library.root, "sub");
    await git(ws.root, "worktree", "add", "-q", "wt");
    const start = await cp.take({ kind: "turn_start" });
    const before = await ws.picture();
    await cp.agent(() => ws.plant({ "vendor/lib/x.c": "agent\n", "sub/y.c": "agent\n", "wt/a.txt": "agent\n", "z.c": "agent\n" }));
    expect(await cp.goBack(start)).toMatchObject({ ok: true, value: { files: ["sub/y.c", "vendor/lib/x.c", "wt/a.txt", "z.c"] } });
    expect(await ws.picture()).toEqual(before);
    for (const folder of [".", "vendor/lib", "sub", "wt"]) await git(ws.at(folder), "status", "--porcelain");
  });

  it("made by the agent in a new folder keeps its data when the files go", async () => {
    const { ws, cp } = await repository();
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(async () => {
      await ws.plant({ "made/x.txt": "x\n" });
      await git(ws.at("made"), "init", "-q");
    });
    expect(await cp.goBack(start)).toMatchObject({ ok: true, value: { files: ["made/x.txt"] } });
    await git(ws.at("made"), "rev-parse", "--git-dir");
  });

  it("with odd settings and environment changes nothing of what is held (D10)", async () => {
    const { ws, cp } = await repository();
    await ws.plant({ ".git/config": "[core]\n\tautocrlf = true\n\texcludesFile = ign\n", ign: "*.ts\n", "a.ts": "one\r\ntwo\n" });
    const before = await ws.picture();
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(() => ws.plant({ "a.ts": "changed" }));
    await cp.goBack(start);
    expect(await ws.picture()).toEqual(before);
  });
});

describe("the commit a repository stands at", () => {
  const head = (root: string) => readGitHead(createDisk(process.platform), root);
  it("is read from loose and packed references, work trees and detached heads", async () => {
    const { ws } = await repository();
    const commit = (await git(ws.root, "rev-parse", "HEAD")).trim();
    expect(head(ws.root)).toBe(commit);
    await git(ws.root, "worktree", "add", "-q", "wt", "-b", "side");
    expect(head(ws.at("wt"))).toBe(commit);
    await git(ws.root, "pack-refs", "--all");
    expect([head(ws.root), head(ws.at("wt"))]).toEqual([commit, commit]);
    await git(ws.root, "checkout", "-q", "--detach");
    expect(head(ws.root)).toBe(commit);
  });
  it("is nothing without a repository, without a commit, or with nonsense", async () => {
    const ws = await createTempWorkspace({ "empty/a": "a", "odd/.git": "gitdir: ../nowhere\n", "bad/.git/HEAD": "ref: refs/../../x\n" });
    open.push(() => ws.dispose());
    await fs.mkdir(ws.at("new"));
    await git(ws.at("new"), "init", "-q");
    expect(["empty", "odd", "bad", "new"].map((name) => head(ws.at(name)))).toEqual([undefined, undefined, undefined, undefined]);
  });
});
