// Makes the part that a simple command leaves in the facts.
import type { PartPower, ShellPart } from "#electron/permissions/contract.ts";
import { absolute, same, type Outcome } from "./state.ts";
import type { At, Feed, Walk, Walked } from "./walk-context.ts";
import type { Names, Word } from "./word.ts";

/** One simple command about to be judged. */
export type Call = { readonly name: string; readonly words: readonly Word[]; readonly args: readonly Word[]; readonly at: At; readonly walk: Walk };

/** What a rule about a command found. */
export type Judged = {
  readonly does: PartPower;
  readonly why?: string;
  readonly writes?: readonly string[];
  readonly deletes?: readonly string[];
  readonly git?: string;
  readonly network?: boolean;
  readonly runsDownload?: boolean;
  readonly sweeping?: boolean;
  readonly outcome?: Outcome;
  readonly prints?: Feed;
};
export type Handler = (call: Call) => Walked;

/** Records the part; an assignment that changes what runs makes it unknown (B08). */
export function record(call: Call, judged: Judged): Walked {
  const { at, walk } = call;
  const risky = at.env.find((one) => !one.harmless);
  const why = judged.why ?? (risky === undefined ? `${call.name} may do anything` : `${risky.name} changes what is run`);
  walk.found.add(partOf(call, judged, judged.does === "unknown" || risky !== undefined ? why : undefined));
  const prints = judged.network === true || at.stdin === "network" ? "network" : (judged.prints ?? "other");
  return { outcome: judged.outcome ?? same(at.state), prints };
}

function partOf({ words, at }: Call, judged: Judged, unknownWhy: string | undefined): ShellPart {
  const known = knownWords(words);
  const { writes = [], deletes = [], git, network = false, runsDownload = false, sweeping = false } = judged;
  return {
    text: words.flatMap((word) => (word.raw === "" ? [] : [word.raw])).join(" "),
    known,
    complete: known.length === words.length,
    ...(unknownWhy === undefined ? { does: judged.does } : { does: "unknown", why: unknownWhy }),
    env: at.env.map(({ text, harmless }) => ({ text, harmless })),
    writes,
    deletes,
    ...(git === undefined ? {} : { git }),
    network,
    ...(runsDownload ? { runsDownload } : {}),
    sweeping,
  };
}

export function unknown(call: Call, why: string, more: Partial<Judged> = {}): Walked {
  readsFolder(call);
  return record(call, { ...more, does: "unknown", why });
}

function knownWords(words: readonly Word[]): readonly string[] {
  const known: string[] = [];
  for (const word of words) {
    if (word.kind !== "text") break;
    known.push(word.text);
  }
  return known;
}

/** The folder itself is looked at, so leaving the workspace shows (B13). */
export function readsFolder(call: Call): string | undefined {
  const { cwds } = call.at.state;
  if (cwds === undefined) return "the folder it runs in is not known";
  cwds.forEach((cwd) => call.walk.found.reads(cwd));
  return undefined;
}

/** Absolute paths of a word, from every folder the shell may be in; undefined when they cannot be told. */
export function pathsOf(word: Word, call: Call): readonly string[] | undefined {
  if (word.kind === "unknown") return undefined;
  const path = word.kind === "text" ? word.text : word.base;
  if (path.startsWith("/")) return [path];
  return call.at.state.cwds?.map((cwd) => absolute(path, cwd));
}

function noteLinks(word: Names, paths: readonly string[], call: Call): void {
  if (word.links === "none") return;
  for (const folder of paths)
    call.walk.found.links({ folder, below: word.links === "below", links: true, ...(word.pattern === undefined ? {} : { pattern: word.pattern }) });
}

/** Records paths that are read; answers why that cannot be done. `-` is the standard input. */
export function readPaths(words: readonly Word[], call: Call): string | undefined {
  for (const word of words) {
    if (word.kind === "text" && (word.text === "-" || word.text === "")) continue;
    const paths = pathsOf(word, call);
    if (paths === undefined) return `${word.raw.slice(0, 60)} is a path that is only known at run time`;
    if (word.kind === "names") noteLinks(word, paths, call);
    for (const path of paths) if (!/^\/dev\/(?:null|zero|stdin|tty|fd\/\d+)$/.test(path)) call.walk.found.reads(path);
  }
  return undefined;
}
