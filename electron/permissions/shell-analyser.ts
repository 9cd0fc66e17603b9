// Asks the worker about a command and then looks at what only the disk can tell: the settings of the repositories in which git
// runs (B06), and where links lead that a pattern may match (B11). Never rejects: whatever fails is "unreadable", and that asks (P3).
import picomatch from "picomatch";
import type { WorkerCalls } from "#electron/lib/worker-call.ts";
import { type Analysis, hideGit } from "#electron/permissions/shell/analyse.ts";
import type { ShellAnalyser, ShellFacts } from "./contract.ts";
import { programsOfRepository } from "./git-repository.ts";
import { findLinks } from "./links.ts";
import { isNetworkPath } from "./path-text.ts";
import { unreadableFacts } from "./shell-facts.ts";
import type { SHELL_VERBS } from "./shell-verbs.ts";

/** ms; the first call also loads the grammar. */
export const ANALYSIS_LIMIT_MS = 5_000;

export type ShellAnalyserDeps = {
  readonly calls: WorkerCalls<typeof SHELL_VERBS>;
  /** ms; after it the worker is ended and the command is asked about */
  readonly limitMs?: number;
};

export function createShellAnalyser(deps: ShellAnalyserDeps): ShellAnalyser {
  return {
    async analyse(command, place) {
      const answer = await deps.calls.call("analyse", { command, cwd: place.cwd, home: place.home }, { timeoutMs: deps.limitMs ?? ANALYSIS_LIMIT_MS });
      if (!answer.ok) return unreadableFacts(command, `the analysis failed (${answer.error.kind})`);
      try {
        return await lookAtLinks(answer.value, await lookAtRepositories(answer.value));
      } catch (error) {
        return unreadableFacts(command, `the folder could not be looked at (${error instanceof Error ? error.message : String(error)})`);
      }
    },
    close: () => deps.calls.close(),
  };
}

async function lookAtRepositories({ facts, git }: Analysis): Promise<ShellFacts> {
  const folders = new Set(git.flatMap((run) => run.folders).filter((folder) => !isNetworkPath(folder)));
  const programs = new Map(await Promise.all([...folders].map(async (folder) => [folder, await programsOfRepository(folder)] as const)));
  const hidden = new Map<number, string>();
  for (const run of git) {
    const why = run.folders.map((folder) => programs.get(folder)).find((one) => one !== undefined);
    if (why !== undefined) hidden.set(run.part, why);
  }
  return hideGit(facts, hidden);
}

async function lookAtLinks({ links: places }: Analysis, facts: ShellFacts): Promise<ShellFacts> {
  const found = await Promise.all(
    places
      .filter(({ folder }) => !isNetworkPath(folder))
      .map(({ folder, below, pattern }) =>
        findLinks(folder, { below, matches: pattern === undefined ? () => true : picomatch(pattern, { dot: true, windows: false }) }),
      ),
  );
  const links = found.flatMap((one) => one.links);
  const reads = links.length === 0 ? facts.reads : [...facts.reads, ...links];
  if (found.every((one) => one.complete)) return { ...facts, reads };
  return { ...facts, reads, readOnly: false, unproven: facts.unproven ?? "the folder is too large to look for links that lead out of it" };
}
