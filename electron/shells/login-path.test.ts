import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createProcessTable } from "#electron/lib/process-tree.ts";
import { createProcessRunner } from "#electron/lib/spawn.ts";
import { type LoginPath, loginPath, pathBetween, startedFromDesktop } from "./login-path.ts";

const processes = createProcessRunner({ clock: createSystemClock(), table: createProcessTable() });
const BARE = "/usr/bin:/bin";
let home = "";
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "login-"));
  await mkdir(path.join(home, "mytools"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** The path found with this text in the profile of a login shell. */
async function withProfile(profile: string, env: Record<string, string> = {}, timeoutMs = 5_000) {
  await writeFile(path.join(home, ".bash_profile"), profile);
  return loginPath({ HOME: home, SHELL: "/bin/bash", PATH: BARE, ...env }, { processes, timeoutMs });
}

/** First in the path; the system's own folders follow, without noise. */
function expectFound({ path: found, from }: LoginPath, dir: string): void {
  expect(from).toBe("login_shell");
  expect(found.split(":")[0]).toBe(dir);
  expect(found).toMatch(/^[\w./:-]+$/);
  expect(found.split(":")).toEqual(expect.arrayContaining(["/usr/bin", "/bin"]));
}

describe.runIf(process.platform !== "win32")("the login shell's PATH (F09)", () => {
  it("is found behind banners and colours, with the app's own entries after it", async () => {
    const found = await withProfile('echo WELCOME; export PATH="$HOME/mytools:$PATH"; printf "\\033[31m"; echo PATH=/fake');
    expectFound(found, `${home}/mytools`);
  });

  it("lets profiles see that nobody is there", async () => {
    const found = await withProfile('[ -n "$CAIRN_RESOLVING_ENVIRONMENT" ] && PATH="$HOME/quick:$PATH"');
    expect(found.path.startsWith(`${home}/quick:`)).toBe(true);
  });

  it.each<[string, string, Record<string, string>]>([
    ["sleeps", "sleep 60", {}],
    ["becomes another program", "exec tmux-is-not-here", {}],
    ["ends early", "exit 3", {}],
    ["is of a shell that does not exist", "", { SHELL: "/nonexistent" }],
    ["belongs to no shell", "", { SHELL: "" }],
  ])("gives way to the usual folders when the profile %s", async (_name, profile, env) => {
    const before = performance.now();
    const found = await withProfile(profile, env, 400);
    expect(found.from).toBe("common_folders");
    expect(found.path.split(":")).toEqual(expect.arrayContaining(["/usr/bin", "/bin", "/usr/local/bin", `${home}/.local/bin`, "/opt/homebrew/bin"]));
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it("does not wait for a profile that reads", async () => {
    const found = await withProfile('read x; export PATH="$HOME/mytools:$PATH"');
    expectFound(found, `${home}/mytools`);
  });

  it("ends what the profile left running", async () => {
    await withProfile("sleep 93 & disown");
    const names = (await createProcessTable().list()).map((one) => one.name);
    expect(names.includes("sleep 93")).toBe(false);
  });

  it("is not asked for when the app was started in a terminal", async () => {
    expect(await loginPath({ PATH: BARE, TERM: "xterm", SHELL: "/nonexistent" }, { processes })).toEqual({ path: BARE, from: "environment" });
    expect([startedFromDesktop({}, "darwin"), startedFromDesktop({}, "win32")]).toEqual([true, false]);
  });

  it("works with a shell of another family", async () => {
    const shell = path.join(home, "othersh");
    await writeFile(shell, '#!/bin/sh\nshift 3\nPATH="/other/bin:$PATH"; export PATH; eval "$1"\n');
    await chmod(shell, 0o755);
    expect((await withProfile("", { SHELL: shell })).path).toBe(`/other/bin:${BARE}`);
  });
});

describe("reading the shell's answer", () => {
  it.each<[string, string | undefined]>([
    ["noise\nS\nA=1\nPATH=/a:/b\nS\nmore", "/a:/b"],
    ["S\nA=1\nS\nPATH=/a", undefined],
    ["PATH=/a\n", undefined],
    ["S\nPATH=\u001b[31m/a\nS\n", undefined],
    ["S\nPATH=\nS\n", undefined],
  ])("takes %j for %j", (output, found) => {
    expect(pathBetween(output, "S")).toBe(found);
  });
});
