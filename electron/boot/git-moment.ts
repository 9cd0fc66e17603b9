// The state of a repository in a line or two, for the newest message (C7, P12): HEAD, index and files as they are, and what of it
// was so when the session began, for that is the person's.
import type { RepositoryAtStart } from "#shared/events/session.ts";
import type { Engine } from "./engine.ts";
import { safeGit } from "./safe-git.ts";
import { momentLines, type RepositoryState, readStatus } from "./git-status.ts";

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
  const git = await safeGit(engine, folder);
  if (typeof git === "string") return git;
  const told = await git.run([
    "status",
    "--no-renames",
    "--porcelain=v2",
    "--branch",
    "--untracked-files=normal",
    "--ignore-submodules=all", // else git runs what the submodule's settings say
  ]);
  return told.kind === "failed" || told.exitCode !== 0 ? "unknown" : readStatus(told.stdout);
}
