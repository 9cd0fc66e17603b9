// From a command line to facts: pure, apart from the parser it is given (P3). Whatever cannot be read is asked.
import type { ShellFacts, ShellPart } from "#electron/permissions/contract.ts";
import { unreadableFacts } from "#electron/permissions/shell-facts.ts";
import { type Collector, createCollector, type Findings, type GitRun, type LinkPlace } from "./collector.ts";
import { walkCommand } from "./command.ts";
import type { ShellState } from "./state.ts";
import { walkStatements } from "./statements.ts";
import type { Parse } from "./tree.ts";
import { findTreeFault } from "./tree-check.ts";
import type { Walk } from "./walk-context.ts";

/** Longer commands are asked about without being read (DESIGN E). */
export const SHELL_MAX_CHARS = 20_000;

export type Analysis = { readonly facts: ShellFacts; readonly git: readonly GitRun[]; readonly links: readonly LinkPlace[] };

// Bash takes these as letters of a word or ends lines at them, other readers take them as spaces: a proof would be about another text.
const ODD_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/u;
// `a\` at the end of a line joins two words for bash, but not for the grammar.
const JOINED_LINES = /\S\\\n\S/;

export function analyseCommand(command: string, place: { readonly cwd: string; readonly home: string }, parse: Parse): Analysis {
  const why = whyUnreadable(command);
  if (why !== undefined) return { facts: unreadableFacts(command, why), git: [], links: [] };
  const tree = parse(command);
  if (tree === undefined) return { facts: unreadableFacts(command, "the shell grammar could not read it"), git: [], links: [] };
  const { collector, findings } = createCollector(place.home, parse);
  const fault = findTreeFault(tree, command);
  if (fault !== undefined) collector.doubt(fault);
  const start: ShellState = { cwds: [place.cwd], vars: new Map() };
  createWalk(collector).statements(tree.children, start, "none");
  const { git, links, ...found } = findings();
  return { facts: toFacts(command, { ...found, parts: distrustGit(found, git) }), git, links };
}

function whyUnreadable(command: string): string | undefined {
  if (command.length > SHELL_MAX_CHARS) return "it is too long to be read";
  if (ODD_CHARACTERS.test(command)) return "it holds control characters or characters that do not show";
  return JOINED_LINES.test(command) ? "it joins words over a line end" : undefined;
}

function createWalk(found: Collector): Walk {
  const walk: Walk = {
    found,
    statements: (nodes, state, stdin) => walkStatements(nodes, state, { stdin, walk }),
    command: (words, at) => walkCommand(words, at, walk),
    script(source, state, stdin) {
      if (whyUnreadable(source) !== undefined) return undefined;
      const tree = found.parse(source);
      const fault = tree === undefined ? undefined : findTreeFault(tree, source);
      if (fault !== undefined) found.doubt(fault);
      return tree === undefined
        ? undefined
        : found.enter(
            () => walkStatements(tree.children, state, { stdin, walk }),
            () => undefined,
          );
    },
  };
  return walk;
}

type Found = Omit<Findings, "git" | "links">;

function toFacts(command: string, found: Found): ShellFacts {
  const { parts, reads, redirects, doubts, background } = found;
  const unproven = doubts[0] ?? parts.find((part) => part.does === "unknown")?.why;
  const readOnly = unproven === undefined && redirects.length === 0 && parts.every((part) => part.does === "nothing" || part.does === "reads");
  const [unseen] = doubts;
  const doubtful = { ...(unproven === undefined ? {} : { unproven }), ...(unseen === undefined ? {} : { unseen }) };
  return { kind: "shell_facts", command, parts, reads, redirects, readOnly, ...doubtful, unreadable: false, background };
}

// A line that writes files may write the settings of the repository it then asks git about.
function distrustGit(found: Found, git: readonly GitRun[]): readonly ShellPart[] {
  const writes = found.redirects.length > 0 || found.parts.some((part) => part.does === "files");
  if (!writes) return found.parts;
  const runs = new Set(git.map((run) => run.part));
  return found.parts.map((part, at) =>
    runs.has(at) && part.does === "reads" ? { ...part, does: "unknown", why: "the same line writes files that git may read its settings from" } : part,
  );
}

/** The same facts when the repository's settings run programs: those git calls hide what they do (B06). */
export function hideGit(facts: ShellFacts, hidden: ReadonlyMap<number, string>): ShellFacts {
  if (hidden.size === 0) return facts;
  const parts = facts.parts.map((part, at) => {
    const why = hidden.get(at);
    return why === undefined ? part : { ...part, does: "unknown" as const, why: part.why ?? why, hidden: why };
  });
  const [first = "a setting of the repository runs a program"] = hidden.values();
  return { ...facts, parts, readOnly: false, unproven: facts.unproven ?? first };
}
