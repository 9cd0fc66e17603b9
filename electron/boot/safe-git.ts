// Asks git about a folder with everything switched off that a repository could make it run: hooks, monitors, filters, transports,
// other folders (B06). Only reads, and takes no lock that the person's own git would wait for.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import type { SpawnResult } from "#electron/lib/spawn.ts";
import type { Engine } from "./engine.ts";

const MOST_CONFIG_BYTES = 256 * 1024;
const QUICK_MS = 1_500;
const SMALL_OUTPUT = 64_000;
/** `status.renames`: looking for renames reads contents, and those of a partial clone are fetched by a program that it names. */
const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "status.renames=false", "-c", "diff.renames=false"];
/** No transport at all, whatever the repository's settings say; newer versions of git know the second. */
const NO_FETCH = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" };

export type GitParts = Pick<Engine, "newId"> & { readonly shells: Pick<Engine["shells"], "processes" | "environment"> };
export type GitLimits = { readonly timeoutMs: number; readonly maxOutputBytes: number };
export type SafeGit = {
  run(args: readonly string[], limits?: GitLimits): Promise<SpawnResult>;
  /** For what has no folder of files of its own, such as the list of work trees. */
  bare(args: readonly string[], limits?: GitLimits): Promise<SpawnResult>;
};

/** "none": no repository begins here. "unknown": it cannot be asked safely. Never rejects. */
export async function safeGit(parts: GitParts, folder: string): Promise<SafeGit | "none" | "unknown"> {
  const isRepository = await access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (!isRepository) return "none";
  const withoutFilters = await filtersOff(parts, folder);
  if (withoutFilters === undefined) return "unknown";
  // Else the settings could name another folder, and its files would be told.
  const options = [...SAFE, ...withoutFilters, "--no-optional-locks"];
  return {
    run: (args, limits) => git(parts, folder, [...options, "--work-tree=.", ...args], limits),
    bare: (args, limits) => git(parts, folder, [...options, ...args], limits),
  };
}

async function git({ shells, newId }: GitParts, folder: string, args: readonly string[], limits?: GitLimits): Promise<SpawnResult> {
  return await shells.processes.run({
    file: "git",
    args,
    cwd: folder,
    env: { ...(await shells.environment()), GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1", ...NO_FETCH },
    mark: newId(),
    timeoutMs: limits?.timeoutMs ?? QUICK_MS,
    maxOutputBytes: limits?.maxOutputBytes ?? SMALL_OUTPUT,
  });
}

/** All settings are in the one file, and it names no filters: git need not be asked. */
async function hasPlainSettings(folder: string): Promise<boolean> {
  const elsewhere = await readPlainFile(join(folder, ".git", "commondir"), { maxBytes: 1 });
  if (elsewhere.kind !== "missing") return false;
  const settings = await readPlainFile(join(folder, ".git", "config"), { maxBytes: MOST_CONFIG_BYTES, within: folder });
  return settings.kind === "read" && !settings.cut && !/filter|include|worktreeconfig/i.test(settings.text);
}

/** Options that switch off the filters the repository itself brings: comparing a file runs them (B06). Undefined: cannot be done. */
async function filtersOff(parts: GitParts, folder: string): Promise<readonly string[] | undefined> {
  if (await hasPlainSettings(folder)) return [];
  const options: string[] = [];
  // Where a repository has several work trees and no settings for each, git refuses the question about those.
  const perTree = await git(parts, folder, [...SAFE, "config", "--local", "--includes", "--get", "extensions.worktreeConfig"]);
  if (perTree.kind === "failed") return undefined;
  for (const scope of perTree.stdout.trim() === "" ? ["--local"] : ["--local", "--worktree"]) {
    const told = await git(parts, folder, [...SAFE, "config", scope, "--includes", "--null", "--name-only", "--get-regexp", "^filter\\."]);
    // 1: there are none
    if (told.kind === "failed" || (told.exitCode !== 0 && told.exitCode !== 1)) return undefined;
    for (const key of told.stdout.split("\0").filter((one) => one !== "")) {
      if (key.includes("=")) return undefined; // cannot be named on the command line
      options.push("-c", key.endsWith(".required") ? `${key}=false` : `${key}=`);
    }
  }
  return options;
}
