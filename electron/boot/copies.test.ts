// A session in a copy of its own, through the whole engine (K8): git's work tree or a cloned folder, brought over, taken back, thrown away.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { type EngineFixture, openEngine } from "#electron/testkit/engine.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type Script } from "#electron/testkit/server/script.ts";

const PERSON = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"];
const gitIn =
  (cwd: string) =>
  (...args: readonly string[]) =>
    promisify(execFile)("git", [...PERSON, ...args], { cwd });
const missing = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  );

async function withEngine(script: Script, act: (engine: EngineFixture) => Promise<void>): Promise<void> {
  const server = await startModelServer({ script });
  try {
    await using engine = await openEngine(server.url);
    await act(engine);
    server.assertClean();
  } finally {
    await server.close();
  }
}
async function inCopy({ services, cwd }: EngineFixture): Promise<SessionActor> {
  const made = await services.copies.make(cwd);
  if (!made.ok) throw new Error(made.error.message);
  return services.sessions.create({ cwd: made.value.path, copyOf: made.value.copyOf, mode: "acceptEdits", maker: { provider: "anthropic", model: "m" } });
}
const WORK: Script = [
  calls("read", { file_path: "a.txt" }),
  calls("edit", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
  calls("write", { file_path: "b.txt", content: "b\n" }),
  says("Done."),
];

/** Everything of the repository that is the person's: not the list of work trees. */
async function repositoryOf(cwd: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(join(cwd, ".git"), { recursive: true })).filter((name) => !/^(worktrees|objects)/.test(name));
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(cwd, ".git", name), "base64").catch(() => "folder")] as const));
  return Object.fromEntries(files);
}

describe("a session in a copy", () => {
  it("of a git repository leaves folder and repository alone; its work is brought over, taken back, and the copy thrown away", async () => {
    await withEngine(WORK, async (engine) => {
      const { services, cwd } = engine;
      const git = gitIn(cwd);
      await git("init", "-q");
      await writeFile(join(cwd, "a.txt"), "one\ntwo\nthree\n");
      await git("add", "-A");
      await git("commit", "-q", "-m", "first");
      await writeFile(join(cwd, "mine.txt"), "not committed\n");
      await git("stash", "list");
      const before = await repositoryOf(cwd);
      const actor = await inCopy(engine);
      const copy = actor.view.cwd;
      expect([actor.view.copyOf, await readFile(join(copy, "mine.txt"), "utf8")]).toEqual([
        { folder: cwd, git: true, base: actor.view.copyOf?.base },
        "not committed\n",
      ]);
      expect((await gitIn(copy)("status", "--porcelain")).stdout).toBe("?? mine.txt\n");
      await actor.prompt([text("go")]);
      expect((await actor.idle())?.why).toBe("answered");
      expect([await readFile(join(copy, "a.txt"), "utf8"), await readFile(join(cwd, "a.txt"), "utf8"), await missing(join(cwd, "b.txt"))]).toEqual([
        "ONE\ntwo\nthree\n",
        "one\ntwo\nthree\n",
        true,
      ]);
      await writeFile(join(cwd, "a.txt"), "one\ntwo\nTHREE\n");
      const preview = await services.copies.plan(actor.view, {});
      if (!preview.ok) throw new Error(preview.error.message);
      expect(preview.value.files.map(({ path, action }) => [path, action])).toEqual([
        ["a.txt", "restore"],
        ["b.txt", "recreate"],
      ]);
      expect((await services.copies.apply(actor, preview.value.plan)).ok).toBe(true);
      expect([await readFile(join(cwd, "a.txt"), "utf8"), await readFile(join(cwd, "b.txt"), "utf8")]).toEqual(["ONE\ntwo\nTHREE\n", "b\n"]);
      expect(await services.copies.plan(actor.view, {})).toMatchObject({ ok: true, value: { files: [] } });
      expect((await services.copies.undo(actor)).ok).toBe(true);
      expect([await readFile(join(cwd, "a.txt"), "utf8"), await missing(join(cwd, "b.txt")), actor.view.broughtOver]).toEqual(["one\ntwo\nTHREE\n", true, []]);
      expect(await repositoryOf(cwd)).toEqual(before);
      await services.sessions.remove(actor.id);
      expect([await missing(dirname(copy)), (await git("worktree", "list")).stdout.trim().split("\n").length]).toEqual([true, 1]);
      expect(await repositoryOf(cwd)).toEqual(before);
    });
  });

  it("of a plain folder is a clone, links as links, without sockets and pipes", async () => {
    await withEngine([says("Nothing to do.")], async (engine) => {
      const { cwd, services } = engine;
      await mkdir(join(cwd, "sub"));
      await writeFile(join(cwd, "sub/x.txt"), "x");
      await symlink("sub/x.txt", join(cwd, "link"));
      await promisify(execFile)("mkfifo", [join(cwd, "pipe")]);
      const actor = await inCopy(engine);
      expect((await readdir(actor.view.cwd)).sort()).toEqual(["link", "sub"]);
      expect(actor.view.copyOf?.git).toBe(false);
      // A copy that was deleted by hand is said, and nothing else happens.
      await rm(actor.view.cwd, { recursive: true });
      expect(await services.copies.plan(actor.view, {})).toMatchObject({ ok: false });
      expect(await readFile(join(cwd, "sub/x.txt"), "utf8")).toBe("x");
    });
  });

  it("runs nothing that a hostile repository brings, and takes nothing of another one along", async () => {
    await withEngine([says("Nothing.")], async (engine) => {
      const { cwd } = engine;
      const git = gitIn(cwd);
      const canary = join(dirname(cwd), "PWNED");
      await git("init", "-q");
      await writeFile(join(cwd, ".gitattributes"), "*.txt filter=evil\n");
      await writeFile(join(cwd, "a.txt"), "a\n");
      await git("add", "-A");
      await git("commit", "-q", "-m", "first");
      await writeFile(join(cwd, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
      for (const key of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor"]) await git("config", key, `sh -c 'touch ${canary}; cat'`);
      const actor = await inCopy(engine);
      expect([actor.view.copyOf?.git, await missing(canary), await readFile(join(actor.view.cwd, "a.txt"), "utf8")]).toEqual([true, true, "a\n"]);
      // A file in place of the repository names another one: its work trees are not touched, and the copy does not point there.
      const other = join(dirname(cwd), "other");
      await mkdir(other);
      await promisify(execFile)("mv", [join(cwd, ".git"), join(other, "repository")]);
      await writeFile(join(cwd, ".git"), `gitdir: ${join(other, "repository")}\n`);
      const second = await inCopy(engine);
      expect([second.view.copyOf?.git, await missing(join(second.view.cwd, ".git"))]).toEqual([false, true]);
    });
  });

  it("is thrown away only below the folder of copies", async () => {
    await withEngine([says("Nothing.")], async (engine) => {
      const { cwd, services } = engine;
      await writeFile(join(cwd, "a.txt"), "a");
      const actor = await inCopy(engine);
      const copyOf = actor.view.copyOf;
      if (copyOf === undefined) throw new Error("no copy");
      for (const wrong of [cwd, dirname(dirname(actor.view.cwd)), dirname(actor.view.cwd), "/"]) await services.copies.discard({ cwd: wrong, copyOf });
      expect([await readFile(join(cwd, "a.txt"), "utf8"), await missing(actor.view.cwd)]).toEqual(["a", false]);
    });
  });

  it("goes on from a stone in the middle of a turn, with the files as they were there, and brings only its own work over", async () => {
    const script: Script = [
      calls("write", { file_path: "a.txt", content: "first\n" }),
      calls("write", { file_path: "b.txt", content: "second\n" }),
      says("Both written."),
      calls("write", { file_path: "c.txt", content: "in the copy\n" }),
      says("Done."),
    ];
    await withEngine(script, async (engine) => {
      const { actor, services, cwd } = engine;
      await actor.prompt([text("write two files")]);
      await actor.idle();
      const stone = actor.view.trail.find((node) => node.checkpoint.cause.kind === "before_call" && node.checkpoint.cause.label.includes("b.txt"));
      if (stone === undefined) throw new Error("no stone");
      const made = await services.copies.make(cwd, stone.checkpoint.id);
      if (!made.ok) throw new Error(made.error.message);
      const forked = await services.sessions.fork(
        actor.id,
        { kind: "checkpoint", id: stone.checkpoint.id },
        { cwd: made.value.path, copyOf: made.value.copyOf },
      );
      if (!forked.ok) throw new Error(forked.error.message);
      const child = forked.value.actor;
      expect([(await readdir(child.view.cwd)).sort(), (await readdir(cwd)).sort()]).toEqual([["a.txt"], ["a.txt", "b.txt"]]);
      expect([child.view.turn, child.view.trail.map((node) => node.checkpoint.cause.kind), Object.values(child.view.calls).map((call) => call.state)]).toEqual([
        undefined,
        ["turn_start", "before_call"],
        ["ok"],
      ]);
      await child.prompt([text("now c")]);
      expect((await child.idle())?.why).toBe("answered");
      const preview = await services.copies.plan(child.view, {});
      if (!preview.ok) throw new Error(preview.error.message);
      expect(preview.value.files.map((file) => file.path)).toEqual(["c.txt"]);
      expect((await services.copies.apply(child, preview.value.plan)).ok).toBe(true);
      expect((await readdir(cwd)).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
      const again = await services.sessions.fork(child.id, { kind: "end" });
      if (!again.ok) throw new Error(again.error.message);
      await services.sessions.remove(child.id);
      expect(await missing(again.value.actor.view.cwd)).toBe(false);
      await services.sessions.remove(again.value.actor.id);
      expect(await missing(again.value.actor.view.cwd)).toBe(true);
    });
  });
});
