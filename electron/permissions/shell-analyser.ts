// Asks the worker about a command and then looks at what only the disk can tell: the settings of the repositories in which git
// runs (B06), and where links lead that a pattern may match (B11). Never rejects: whatever fails is "unreadable", and that asks (P3).
import picomatch from "picomatch";
import type { WorkerCalls } from "#electron/lib/worker-call.ts";
import { type Analysis, hideGit } from "#electron/permissions/shell/analyse.ts";
import { isPortable } from "#electron/permissions/shell/posix.ts";
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
  /** files looked at in search of links and odd names; a larger folder asks */
  readonly maxEntries?: number;
  /** which shell will run the command: only bash is read, and of other POSIX shells what they read as bash does */
  shell?(): Promise<ShellLanguage>;
};
export type ShellLanguage = "bash" | "sh" | "powershell";

export function createShellAnalyser(deps: ShellAnalyserDeps): ShellAnalyser {
  return {
    async analyse(command, place) {
      const language = (await deps.shell?.().catch(() => "powershell" as const)) ?? "bash";
      if (language === "powershell") return { ...unreadableFacts(command, "commands of this shell cannot be read beforehand"), foreign: true };
      if (language === "sh" && !isPortable(command)) return unreadableFacts(command, "this shell may read it differently than bash");
      const answer = await deps.calls.call("analyse", { command, cwd: place.cwd, home: place.home }, { timeoutMs: deps.limitMs ?? ANALYSIS_LIMIT_MS });
      if (!answer.ok) return unreadableFacts(command, `the analysis failed (${answer.error.kind})`);
      try {
        return await lookAtNames(answer.value, await lookAtRepositories(answer.value), deps.maxEntries);
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

async function lookAtNames({ links: places }: Analysis, facts: ShellFacts, maxEntries: number | undefined): Promise<ShellFacts> {
  const found = await Promise.all(
    places
      .filter(({ folder }) => !isNetworkPath(folder))
      .map(({ folder, below, links, listed, pattern }) => {
        const matches = pattern === undefined ? () => true : picomatch(pattern, { dot: true, windows: false });
        return findLinks(folder, { below, links: links ? matches : undefined, listed: listed === true }, maxEntries);
      }),
  );
  const links = found.flatMap((one) => one.links);
  const reads = links.length === 0 ? facts.reads : [...facts.reads, ...links];
  const trap = found.find((one) => one.trap !== undefined)?.trap;
  if (trap !== undefined) return doubtful({ ...facts, reads }, `the name ${trap} may be cut into other words`);
  return found.every((one) => one.complete)
    ? { ...facts, reads }
    : doubtful({ ...facts, reads }, "the folder is too large to look for links that lead out of it");
}

function doubtful(facts: ShellFacts, why: string): ShellFacts {
  return { ...facts, readOnly: false, unproven: facts.unproven ?? why };
}
