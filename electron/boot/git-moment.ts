// The state of a repository in a line or two, for the newest message (C7, P12): HEAD, index and files as they are, and what of it
// was so when the session began, for that is the person's. Asked with everything switched off that a repository could make git run.
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryAtStart } from "#shared/events/session.ts";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import type { Engine } from "./engine.ts";
import { momentLines, type RepositoryState, readStatus } from "./git-status.ts";

const LIMIT_MS = 1_500;
const MOST_OUTPUT = 64_000;
const MOST_CONFIG_BYTES = 256 * 1024;
/** `status.renames`: looking for renames reads contents, and those of a partial clone are fetched by a program that it names. */
const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "status.renames=false", "-c", "diff.renames=false"];
/** No transport at all, whatever the repository's settings say; newer versions of git know the second. */
const NO_FETCH = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" };
/** Dirty files kept of a session's beginning. */
const MOST_KEPT = 200;

export type MomentOf = {
  readonly folder: string;
  /** of the session's beginning, if it was looked at */
  readonly start: RepositoryAtStart | undefined;
  /** nothing of the session has happened here yet, so what is seen now is its beginning */
  readonly begins: boolean;
  onStart(seen: RepositoryAtStart): void;
};

/** No lines where there is no repository, no git, or no answer in time; the beginning is told of once whatever it was. */
export async function gitMoment(engine: Engine, at: MomentOf): Promise<readonly string[]> {
  const seen = await look(engine, at.folder);
  if (at.start === undefined) at.onStart(startOf(at, seen));
  if (typeof seen === "string") return [];
  return momentLines(seen, at.start ?? (at.begins ? startOf(at, seen) : undefined));
}

function startOf({ folder, begins }: MomentOf, seen: RepositoryState | "none" | "unknown"): RepositoryAtStart {
  // In a session from before this was looked at, what is there now may be the agent's.
  if (typeof seen === "string" || !begins) return { cwd: folder, state: typeof seen === "string" && begins ? seen : "unknown", dirty: [], more: 0 };
  const { head, branch, dirty } = seen;
  return {
    cwd: folder,
    state: "repository",
    ...(head === undefined ? {} : { head }),
    ...(branch === undefined ? {} : { branch }),
    dirty: dirty.slice(0, MOST_KEPT).map((one) => ({ ...one })),
    more: Math.max(0, dirty.length - MOST_KEPT),
  };
}

async function look(engine: Engine, folder: string): Promise<RepositoryState | "none" | "unknown"> {
  const isRepository = await access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (!isRepository) return "none";
  const withoutFilters = await filtersOff(engine, folder);
  if (withoutFilters === undefined) return "unknown";
  const told = await git(engine, folder, [
    ...SAFE,
    ...withoutFilters,
    "--no-optional-locks",
    "--work-tree=.", // else the settings could name another folder, and its files would be told
    "status",
    "--no-renames",
    "--porcelain=v2",
    "--branch",
    "--untracked-files=normal",
    "--ignore-submodules=all", // else git runs what the submodule's settings say
  ]);
  return told.kind === "failed" || told.exitCode !== 0 ? "unknown" : readStatus(told.stdout);
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
