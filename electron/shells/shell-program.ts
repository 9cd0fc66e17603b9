// Which program runs commands: bash where there is one, PowerShell on Windows without it (T15).
import { access, constants } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "#electron/lib/child-environment.ts";

export type ShellProgram = { readonly kind: "bash" | "sh" | "powershell"; readonly file: string; readonly args: (command: string) => readonly string[] };

export type FindShellOptions = {
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  /** the person's choice; used when it exists */
  readonly configured?: string;
  readonly exists?: (file: string) => Promise<boolean>;
};

/** Never rejects: the last resort is named without looking. */
export async function findShell({ env, platform = process.platform, configured, exists = isExecutable }: FindShellOptions): Promise<ShellProgram> {
  const windows = platform === "win32";
  for (const file of [...(configured === undefined ? [] : [configured]), ...(windows ? gitBash(env) : posixShells(env))]) {
    if (await exists(file)) return programOf(file);
  }
  return programOf(windows ? "powershell.exe" : "/bin/sh");
}

/** The arguments follow from the program's name. */
export function programOf(file: string): ShellProgram {
  const name = path.win32
    .basename(file)
    .toLowerCase()
    .replace(/\.exe$/, "");
  if (name === "powershell" || name === "pwsh")
    return { kind: "powershell", file, args: (command) => ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", command] };
  return { kind: name === "bash" ? "bash" : "sh", file, args: (command) => ["-c", command] };
}

function posixShells(env: Environment): readonly string[] {
  const inPath = (env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/"));
  return ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", ...inPath.map((dir) => path.posix.join(dir, "bash")), "/bin/sh"];
}

function gitBash(env: Environment): readonly string[] {
  const roots = [
    env["ProgramFiles"],
    env["ProgramFiles(x86)"],
    env["LOCALAPPDATA"] === undefined ? undefined : path.win32.join(env["LOCALAPPDATA"], "Programs"),
  ];
  return roots.flatMap((root) => (root === undefined ? [] : [path.win32.join(root, "Git", "bin", "bash.exe")]));
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
