// The state of a repository in a line or two, for the newest message (C7, P12): what is dirty at the turn's start is the person's.
// Asked with everything switched off that a repository could make git run.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import type { Engine } from "./engine.ts";

const LIMIT_MS = 1_500;
const MOST_OUTPUT = 64_000;
const MOST_NAMED = 12;
const MOST_CONFIG_BYTES = 256 * 1024;
/** `status.renames`: looking for renames reads contents, and those of a partial clone are fetched by a program that it names. */
const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "status.renames=false", "-c", "diff.renames=false"];
/** No transport at all, whatever the repository's settings say; newer versions of git know the second. */
const NO_FETCH = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" };

/** Empty where there is no repository, no git, or no answer in time. */
export async function gitMoment(engine: Engine, folder: string): Promise<readonly string[]> {
  const isRepository = await access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (!isRepository) return [];
  const withoutFilters = await filtersOff(engine, folder);
  if (withoutFilters === undefined) return [];
  const told = await git(engine, folder, [
    ...SAFE,
    ...withoutFilters,
    "--no-optional-locks",
    "--work-tree=.", // else the settings could name another folder, and its files would be told
    "status",
    "--no-renames",
    "--porcelain=v1",
    "--branch",
    "--untracked-files=normal",
    "--ignore-submodules=all", // else git runs what the submodule's settings say
  ]);
  if (told.kind === "failed" || told.exitCode !== 0) return [];
  const [branch, ...dirty] = told.stdout.split("\n").filter((line) => line !== "");
  const names = dirty.slice(0, MOST_NAMED).map((line) => line.trim());
  const more = dirty.length > MOST_NAMED ? `, … ${dirty.length - MOST_NAMED} more` : "";
  const state = dirty.length === 0 ? "nothing is uncommitted" : `uncommitted before this turn, so the user's unless you changed it: ${names.join(", ")}${more}`;
  return [`git branch ${(branch ?? "").replace(/^## /, "")}`, state];
}

async function git(engine: Engine, folder: string, args: readonly string[]) {
  return await engine.shells.processes.run({
    file: "git",
    args,
    cwd: folder,
    env: { ...(await engine.shells.environment()), GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1", ...NO_FETCH },
    mark: engine.newId(),
    timeoutMs: LIMIT_MS,
    maxOutputBytes: MOST_OUTPUT,
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
async function filtersOff(engine: Engine, folder: string): Promise<readonly string[] | undefined> {
  if (await hasPlainSettings(folder)) return [];
  const options: string[] = [];
  for (const scope of ["--local", "--worktree"]) {
    const told = await git(engine, folder, [...SAFE, "config", scope, "--includes", "--null", "--name-only", "--get-regexp", "^filter\\."]);
    // 1: there are none
    if (told.kind === "failed" || (told.exitCode !== 0 && told.exitCode !== 1)) return undefined;
    for (const key of told.stdout.split("\0").filter((one) => one !== "")) {
      if (key.includes("=")) return undefined; // cannot be named on the command line
      options.push("-c", key.endsWith(".required") ? `${key}=false` : `${key}=`);
    }
  }
  return options;
}
