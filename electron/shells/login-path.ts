// The PATH of the person's login shell, for an app that was started from a desktop and got a bare one (F09). Asks the shell once,
// for 5 s at most, and takes nothing but what stands between two sentinels; otherwise the usual folders.
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Environment } from "#electron/lib/child-environment.ts";
import type { ProcessRunner } from "#electron/lib/spawn.ts";

export type LoginPath = {
  readonly path: string;
  /** `common_folders`: the shell did not tell in time; worth a notice to the person */
  readonly from: "environment" | "login_shell" | "common_folders";
};
export type LoginPathDeps = {
  readonly processes: ProcessRunner;
  /** the account's shell, when the environment does not name one */
  readonly accountShell?: string;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
};

export const LOGIN_PATH_TIMEOUT_MS = 5_000;
const MAX_OUTPUT_BYTES = 1_000_000;
const GRACE_MS = 200;
/** Profiles may test this variable and skip what is slow or interactive. */
const MARKER = { CAIRN_RESOLVING_ENVIRONMENT: "1", TERM: "dumb" };
const COMMON = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin"];
const COMMON_AT_HOME = [".local/bin", "bin", ".cargo/bin", ".bun/bin", ".deno/bin", ".volta/bin", "go/bin", ".npm-global/bin"];

/** A terminal sets TERM; a dock, a menu or a launcher does not. */
export function startedFromDesktop(env: Environment, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== "win32" && (env["TERM"] ?? "dumb") === "dumb";
}

/** Never rejects. `env` has been through `childEnvironment`. */
export async function loginPath(env: Environment, deps: LoginPathDeps): Promise<LoginPath> {
  const own = env["PATH"] ?? "";
  if (!startedFromDesktop(env, deps.platform)) return { path: own, from: "environment" };
  const shell = env["SHELL"] ?? deps.accountShell;
  const told = shell === undefined || shell === "" ? undefined : await askShell(shell, env, deps);
  if (told !== undefined) return { path: joined([told, own]), from: "login_shell" };
  const home = env["HOME"];
  return { path: joined([own, ...(home === undefined ? [] : COMMON_AT_HOME.map((dir) => path.posix.join(home, dir))), ...COMMON]), from: "common_folders" };
}

async function askShell(shell: string, env: Environment, { processes, timeoutMs = LOGIN_PATH_TIMEOUT_MS }: LoginPathDeps): Promise<string | undefined> {
  const sentinel = `cairn-${randomUUID()}`;
  const result = await processes.run({
    file: shell,
    // External commands and `;` mean the same to bash, zsh, fish and nu.
    args: ["-l", "-i", "-c", `/bin/echo ${sentinel}; /usr/bin/env; /bin/echo ${sentinel}`],
    env: { ...env, ...MARKER },
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    mark: randomUUID(),
    graceMs: GRACE_MS,
    endLeftovers: true,
  });
  // A shell that had to be ended may have skipped half of the profile and still have answered.
  return result.kind === "failed" || result.endedBy !== undefined ? undefined : pathBetween(result.stdout, sentinel);
}

/** The PATH among the variables printed between the two sentinels; undefined when it is not there or makes no sense. */
export function pathBetween(output: string, sentinel: string): string | undefined {
  const [, printed] = output.split(`${sentinel}\n`);
  const line = printed?.split("\n").find((one) => one.startsWith("PATH="));
  const value = line?.slice("PATH=".length);
  return value !== undefined && value.includes("/") && !/[\u0000-\u001f\u007f]/.test(value) ? value : undefined;
}

function joined(lists: readonly string[]): string {
  return [...new Set(lists.flatMap((list) => list.split(":")).filter((dir) => dir !== ""))].join(":");
}
