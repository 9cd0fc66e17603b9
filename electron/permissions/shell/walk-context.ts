// What the pieces of the walk hand to each other. Each gets the others through `Walk`, so that no file imports in a ring.
import type { Collector } from "./collector.ts";
import type { Outcome, ShellState } from "./state.ts";
import type { SyntaxNode } from "./tree.ts";
import type { Names, Word } from "./word.ts";

/** What flows out of a command: names of files below the folder (`entries`: links may be among them), something fetched, or anything else. */
export type Feed = "none" | "names" | "entries" | "network" | "other";
export type Walked = { readonly outcome: Outcome; readonly prints: Feed };

export type Assignment = { readonly text: string; readonly name: string; readonly harmless: boolean };
/** The surroundings of one simple command. */
export type At = {
  readonly state: ShellState;
  readonly stdin: Feed;
  readonly env: readonly Assignment[];
  /** what its own words fetch when they are expanded comes from the network */
  readonly fetchesWords: boolean;
};

/** The words that names flowing in may become. */
export function namesFrom(feed: Feed): Names | undefined {
  if (feed === "names") return { base: "", dash: true, links: "none", listed: true };
  return feed === "entries" ? { base: "", dash: true, links: "below", listed: true } : undefined;
}

export interface Walk {
  readonly found: Collector;
  /** statements one after another, in this shell */
  statements(nodes: readonly SyntaxNode[], state: ShellState, stdin: Feed): Walked;
  command(words: readonly Word[], at: At): Walked;
  /** a script given as text (`bash -c`, `eval`); undefined when it cannot be read */
  script(source: string, state: ShellState, stdin: Feed): Walked | undefined;
}
