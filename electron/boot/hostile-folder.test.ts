// A folder that means harm, and a plain "hello": nothing of it runs, nothing outside it is told, nothing is waited for (B06, B11, C14).
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { EXIT } from "./cli-output.ts";

let at: HeadlessFixture;
let server: ModelServer | undefined;
const canary = () => join(at.cwd, "PWN");
beforeEach(async () => {
  at = await headlessFixture();
  await writeFile(join(at.cwd, "ev.sh"), `#!/bin/sh\ntouch ${canary()}\ncat\n`);
  await chmod(join(at.cwd, "ev.sh"), 0o755);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", ...args], { cwd: at.cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
async function hello(script: (n: number) => ScriptedReply = () => says("Hello."), more: readonly string[] = []) {
  server = await startModelServer({ script: (_request, n) => script(n) });
  return at.run(["-p", "hello", "--permission-mode", "plan", "--provider", "anthropic", "--base-url", server.url, "--model", "m", ...more]);
}

describe("saying hello in a hostile repository", () => {
  it("fetches nothing for a partial clone, whose server is a program of its own", async () => {
    git("init", "-q");
    await writeFile(join(at.cwd, "a"), Array.from({ length: 99 }, (_, n) => `${n}\n`).join(""));
    git("add", "a");
    git("commit", "-qm", "x");
    const blob = git("rev-parse", "HEAD:a");
    git("rm", "-q", "--cached", "a");
    await rename(join(at.cwd, "a"), join(at.cwd, "b"));
    await appendFile(join(at.cwd, "b"), "more\n");
    git("add", "b");
    await rm(join(at.cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    git("config", "core.repositoryformatversion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", at.cwd);
    git("config", "remote.origin.uploadpack", join(at.cwd, "ev.sh"));
    expect([(await hello()).code, existsSync(canary())]).toEqual([0, false]);
  });

  it("runs no filter of settings that lie elsewhere", async () => {
    git("init", "-q");
    await writeFile(join(at.cwd, "a"), "one\n");
    git("add", "a");
    git("commit", "-qm", "x");
    await rename(join(at.cwd, ".git"), join(at.cwd, "real"));
    await mkdir(join(at.cwd, ".git"));
    for (const name of ["HEAD", "index"]) await cp(join(at.cwd, "real", name), join(at.cwd, ".git", name));
    await writeFile(join(at.cwd, ".git/config"), "[core]\n");
    await writeFile(join(at.cwd, ".git/commondir"), "../real\n");
    await appendFile(join(at.cwd, "real/config"), `[filter "x"]\n\tclean = ${join(at.cwd, "ev.sh")}\n`);
    await writeFile(join(at.cwd, ".gitattributes"), "* filter=x\n");
    await writeFile(join(at.cwd, "a"), "two\n");
    expect([(await hello()).code, existsSync(canary())]).toEqual([0, false]);
  });

  it("does not tell the names of another folder that the settings call the work tree", async () => {
    git("init", "-q");
    const other = join(at.cwd, "..", "private");
    await mkdir(other);
    await writeFile(join(other, "tax-2031.ods"), "x");
    git("config", "core.worktree", other);
    await hello();
    expect(JSON.stringify(server?.requests.map((request) => request.body))).not.toContain("tax-2031");
  });
});

describe("git commands of the model in a hostile repository", () => {
  const variants: readonly (readonly [string, (evil: string) => string])[] = [
    ["a comment that seems to go on", (evil) => `[core]\n# x \\\nfsmonitor = ${evil}\n`],
    ["two sections on a line", (evil) => `[user][core]fsmonitor = ${evil}\n`],
    ["a lone carriage return", (evil) => `[core]\rfsmonitor = ${evil}\n`],
    ["an odd line separator", (evil) => `[core]\nfsmonitor = ${evil} #\u2028\n`],
  ];
  it.each(variants)("%s: git status is not run unasked", async (_name, settings) => {
    git("init", "-q");
    await appendFile(join(at.cwd, ".git/config"), settings(join(at.cwd, "ev.sh")));
    await hello((n) => (n === 0 ? calls("bash", { command: "git status", description: "x" }) : says("Done.")));
    expect(existsSync(canary())).toBe(false);
  });

  it("nor where a repository within it brings the program", async () => {
    git("init", "-q");
    const sub = join(at.cwd, "sub");
    await mkdir(sub);
    execFileSync("git", ["init", "-q"], { cwd: sub });
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x"], { cwd: sub });
    git("add", "sub");
    execFileSync("git", ["config", "core.fsmonitor", join(at.cwd, "ev.sh")], { cwd: sub });
    await hello((n) => (n === 0 ? calls("bash", { command: "git status", description: "x" }) : says("Done.")));
    expect(existsSync(canary())).toBe(false);
  });

  it("an ordinary repository is asked as ever", async () => {
    git("init", "-q");
    await hello((n) => (n === 0 ? calls("bash", { command: "git status", description: "x" }) : says("Done.")));
    expect(JSON.stringify(server?.requests[1]?.body)).toContain("No commits yet");
  });
});

describe("files of a hostile folder", () => {
  it.each(["AGENTS.md", "CLAUDE.md", "package.json"])("a link %s to a secret is not sent", async (name) => {
    await writeFile(join(at.cwd, "..", "secret"), JSON.stringify({ scripts: { "PRIVATE-KEY": "x" } }));
    await symlink("../secret", join(at.cwd, name));
    expect((await hello()).code).toBe(0);
    expect(JSON.stringify(server?.requests.map((request) => request.body))).not.toContain("PRIVATE-KEY");
  });

  it.runIf(process.platform !== "win32").each(["AGENTS.md", "CLAUDE.md", "package.json", ".git", ".git/config"])(
    "a FIFO %s is not waited for",
    async (name) => {
      if (name === ".git/config") {
        git("init", "-q");
        await rm(join(at.cwd, name));
      }
      execFileSync("mkfifo", [join(at.cwd, name)]);
      const ran = await hello((n) => (n === 0 ? calls("bash", { command: "git status", description: "x" }) : says("Hello.")));
      expect([ran.code, ran.out]).toEqual([0, "Hello.\n"]);
    },
  );
});

describe("a settings file that cannot be read", () => {
  it.runIf(process.platform !== "win32").each(["a folder", "a FIFO", "a device"])(
    "%s: rules may stand in it, so nothing is begun and nothing written over it",
    async (what) => {
      await mkdir(at.dataDir, { recursive: true });
      const file = join(at.dataDir, "settings.json");
      if (what === "a folder") await mkdir(file);
      else if (what === "a FIFO") execFileSync("mkfifo", [file]);
      else await symlink("/dev/zero", file);
      const ran = await hello();
      expect([ran.code, server?.requests.length]).toEqual([EXIT.usage, 0]);
      expect(ran.err).toContain("settings file cannot be read");
      await expect(readFile(join(at.dataDir, "settings.json.damaged"))).rejects.toThrow();
    },
  );
});
