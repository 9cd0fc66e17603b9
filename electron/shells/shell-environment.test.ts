import { describe, expect, it } from "vitest";
import { shellEnvironment } from "./shell-environment.ts";
import { findShell, programOf } from "./shell-program.ts";

describe("the environment of commands", () => {
  const base = {
    HOME: "/h",
    PATH: "/bin",
    PAGER: "less",
    EDITOR: "vim",
    COLUMNS: "300",
    TMUX: "/t",
    SSH_ASKPASS: "/usr/bin/ksshaskpass",
    PWD: "/old",
    TERM: "dumb",
  };

  it("makes pagers, editors and prompts give way, and forgets another terminal (F04)", () => {
    const env = shellEnvironment(base, "/w", "none");
    expect(env).toMatchObject({
      HOME: "/h",
      PATH: "/bin",
      PAGER: "cat",
      GIT_PAGER: "cat",
      EDITOR: "true",
      GIT_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      DEBIAN_FRONTEND: "noninteractive",
      TERM: "xterm-256color",
      PWD: "/w",
    });
    expect(["COLUMNS", "TMUX", "SSH_ASKPASS", "CI"].filter((name) => name in env)).toEqual([]);
  });

  it("lets programs ask where somebody can answer", () => {
    const env = shellEnvironment(base, "/w", "terminal");
    expect([env["GIT_TERMINAL_PROMPT"], env["GIT_ASKPASS"], env["PAGER"]]).toEqual([undefined, undefined, "cat"]);
  });
});

describe("the program that runs commands", () => {
  const only =
    (...files: string[]) =>
    (file: string) =>
      Promise.resolve(files.includes(file));
  it.each<{ name: string; env?: Record<string, string>; platform: NodeJS.Platform; configured?: string; there: string[]; file: string; kind: string }>([
    { name: "is bash", platform: "linux", there: ["/bin/bash", "/bin/sh"], file: "/bin/bash", kind: "bash" },
    {
      name: "is a bash from the PATH",
      env: { PATH: "/opt/x/bin:relative" },
      platform: "linux",
      there: ["/opt/x/bin/bash"],
      file: "/opt/x/bin/bash",
      kind: "bash",
    },
    { name: "is sh without bash", platform: "linux", there: ["/bin/sh"], file: "/bin/sh", kind: "sh" },
    { name: "is what the person chose", platform: "darwin", configured: "/bin/zsh", there: ["/bin/zsh", "/bin/bash"], file: "/bin/zsh", kind: "sh" },
    { name: "is not a choice that is missing", platform: "darwin", configured: "/no/zsh", there: ["/bin/bash"], file: "/bin/bash", kind: "bash" },
    {
      name: "is Git's bash on Windows",
      env: { ProgramFiles: "C:\\Program Files" },
      platform: "win32",
      there: ["C:\\Program Files\\Git\\bin\\bash.exe"],
      file: "C:\\Program Files\\Git\\bin\\bash.exe",
      kind: "bash",
    },
    { name: "is PowerShell on Windows without bash", platform: "win32", there: [], file: "powershell.exe", kind: "powershell" },
  ])("$name", async ({ env = {}, platform, configured, there, file, kind }) => {
    const found = await findShell({ env, platform, ...(configured === undefined ? {} : { configured }), exists: only(...there) });
    expect([found.file, found.kind]).toEqual([file, kind]);
  });

  it("gets the command as one argument", () => {
    expect(programOf("/bin/bash").args("a 'b'")).toEqual(["-c", "a 'b'"]);
    expect(programOf("C:\\x\\pwsh.EXE").args("dir").slice(-2)).toEqual(["-Command", "dir"]);
  });
});
