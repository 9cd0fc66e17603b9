// Gathers what the walk finds. The only thing that changes during an analysis; made per analysis and never leaves it.
import type { ShellPart } from "#electron/permissions/contract.ts";
import type { Parse } from "./tree.ts";

/** `listed`: names from here are read as text, so one that would be cut into other words matters, too */
export type LinkPlace = { readonly folder: string; readonly below: boolean; readonly pattern?: string; readonly links: boolean; readonly listed?: true };
export type GitRun = { readonly part: number; readonly folders: readonly string[] };

export interface Collector {
  readonly home: string;
  readonly parse: Parse;
  add(part: ShellPart): number;
  /** parts so far */
  size(): number;
  /** whether a part added since then uses the network */
  networkSince(size: number): boolean;
  reads(path: string): void;
  redirects(path: string): void;
  /** links in this folder (or anywhere below) may be read through; where they lead is looked at afterwards */
  links(place: LinkPlace): void;
  /** something that could not be proven and is no part of its own */
  doubt(why: string): void;
  background(): void;
  /** git runs in these folders: their settings are looked at afterwards (B06) */
  git(run: GitRun): void;
  /** Parts found meanwhile belong to another part that a rule must cover; deny and ask rules see them too. */
  aside<T>(inner: () => T): T;
  /** Deeper nesting of scripts than any person writes is not followed. */
  enter<T>(inner: () => T, otherwise: () => T): T;
}

export type Findings = {
  readonly parts: readonly ShellPart[];
  readonly reads: readonly string[];
  readonly redirects: readonly string[];
  readonly doubts: readonly string[];
  readonly background: boolean;
  readonly git: readonly GitRun[];
  readonly links: readonly LinkPlace[];
};

const MAX_DEPTH = 60;
const MAX_PARTS = 200;

export function createCollector(home: string, parse: Parse): { readonly collector: Collector; readonly findings: () => Findings } {
  const parts: ShellPart[] = [];
  const git: GitRun[] = [];
  const links = new Map<string, LinkPlace>();
  const [reads, redirects, doubts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let background = false;
  let depth = 0;
  let aside = false;
  const collector: Collector = {
    home,
    parse,
    add(part) {
      if (parts.length >= MAX_PARTS) doubts.add("more commands than can be judged");
      else parts.push(aside ? { ...part, inside: true } : part);
      return parts.length - 1;
    },
    size: () => parts.length,
    networkSince: (size) => parts.slice(size).some(usesNetwork),
    reads: (path) => void reads.add(path),
    redirects: (path) => void redirects.add(path),
    links: (place) => void links.set(JSON.stringify(place), place),
    doubt: (why) => void doubts.add(why),
    background: () => void (background = true),
    git: (run) => void git.push(run),
    aside(inner) {
      const before = aside;
      aside = true;
      try {
        return inner();
      } finally {
        aside = before;
      }
    },
    enter(inner, otherwise) {
      if (depth >= MAX_DEPTH) {
        doubts.add("commands nested too deep to be judged");
        return otherwise();
      }
      depth += 1;
      try {
        return inner();
      } finally {
        depth -= 1;
      }
    },
  };
  return {
    collector,
    findings: () => ({
      parts: mergeSame(parts, git),
      reads: [...reads],
      redirects: [...redirects],
      doubts: [...doubts],
      background,
      git,
      links: [...links.values()],
    }),
  };
}

function usesNetwork(part: ShellPart): boolean {
  return part.network;
}

// Loops that were walked once per value leave equal parts behind; those that git runs point at keep their place.
function mergeSame(parts: readonly ShellPart[], git: readonly GitRun[]): readonly ShellPart[] {
  if (git.length > 0) return parts;
  const seen = new Set<string>();
  return parts.filter((part) => {
    const key = JSON.stringify(part);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
