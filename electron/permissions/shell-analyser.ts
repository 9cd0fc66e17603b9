// Asks the worker about a command and then looks at the repositories in which it runs git. Never rejects:
// a crash, a time-out or a broken answer is "unreadable", and that asks (P3).
import type { WorkerCalls } from "#electron/lib/worker-call.ts";
import type { ShellAnalyser } from "./contract.ts";
import { programsOfRepository } from "./git-repository.ts";
import { type Analysis, hideGit } from "#electron/permissions/shell/analyse.ts";
import { unreadableFacts } from "./shell-facts.ts";
import type { SHELL_VERBS } from "./shell-verbs.ts";

/** The first call also loads the grammar. */
export const ANALYSIS_LIMIT_MS = 5_000;

export type ShellAnalyserDeps = {
  readonly calls: WorkerCalls<typeof SHELL_VERBS>;
  readonly limitMs?: number;
};

export function createShellAnalyser(deps: ShellAnalyserDeps): ShellAnalyser {
  return {
    async analyse(command, place) {
      const answer = await deps.calls.call("analyse", { command, cwd: place.cwd, home: place.home }, { timeoutMs: deps.limitMs ?? ANALYSIS_LIMIT_MS });
      if (!answer.ok) return unreadableFacts(command, `the analysis failed (${answer.error.kind})`);
      return lookAtRepositories(answer.value);
    },
    close: () => deps.calls.close(),
  };
}

async function lookAtRepositories({ facts, git }: Analysis) {
  const folders = new Set(git.flatMap((run) => run.folders));
  const programs = new Map(await Promise.all([...folders].map(async (folder) => [folder, await programsOfRepository(folder)] as const)));
  const hidden = new Map<number, string>();
  for (const run of git) {
    const why = run.folders.map((folder) => programs.get(folder)).find((one) => one !== undefined);
    if (why !== undefined) hidden.set(run.part, why);
  }
  return hideGit(facts, hidden);
}
