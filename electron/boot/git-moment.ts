// The state of a repository in a line or two, for the newest message (C7, P12): what is dirty at the turn's start is the person's.
// Asked with everything switched off that a repository could make git run.
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "./engine.ts";

const LIMIT_MS = 1_500;
const MOST_OUTPUT = 64_000;
const MOST_NAMED = 12;
const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

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
    "status",
    "--porcelain=v1",
    "--branch",
    "--untracked-files=normal",
    "--ignore-submodules=dirty", // else git runs what the submodule's settings say
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
    env: { ...(await engine.shells.environment()), GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" },
    mark: engine.newId(),
    timeoutMs: LIMIT_MS,
    maxOutputBytes: MOST_OUTPUT,
  });
}

/** Options that switch off the filters the repository itself brings: comparing a file runs them (B06). Undefined: cannot be done. */
async function filtersOff(engine: Engine, folder: string): Promise<readonly string[] | undefined> {
  const settings = await readFile(join(folder, ".git", "config"), "utf8").catch(() => undefined);
  if (settings !== undefined && !/filter|include|worktreeconfig/i.test(settings)) return [];
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
