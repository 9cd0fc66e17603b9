// Judges a git call: options before the sub-command first, because some of them run programs; then the sub-command (P12, B06).
// Position matters: `git -p log` pages, `git log -p` shows patches.
import { splitWords } from "./flags.ts";
import { GIT_GUARDED, GIT_KNOWN_LONG, GIT_LIST_WITH_PATTERNS, GIT_NETWORK, GIT_PUBLIC_SETTINGS, GIT_READS, type GitRead } from "./git-commands.ts";
import { type Call, readPaths, readsFolder, record, unknown } from "./part.ts";
import { changeFolder, same } from "./state.ts";
import type { Feed, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

const HARMLESS_BEFORE = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--no-replace-objects",
  "--no-lazy-fetch",
  "--icase-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
]);

type Opened = { readonly call: Call; readonly sub: Word | undefined; readonly rest: readonly Word[]; readonly problem: string | undefined };
type GitFacts = { readonly git?: string; readonly network: boolean };

export function judgeGit(call: Call): Walked {
  const opened = openGit(call);
  const { walk, at } = opened.call;
  walk.found.git({ part: walk.found.size(), folders: at.state.cwds ?? [] });
  return { ...judgeSub(opened), outcome: same(call.at.state) };
}

function judgeSub({ call, sub: word, rest, problem }: Opened): Walked {
  if (word === undefined && problem === undefined) return record(call, { does: "reads" });
  const sub = textOf(word) ?? "";
  const facts = factsOf(sub, rest);
  if (problem !== undefined) return unknown(call, `git with ${problem}`, facts);
  if (sub === "") return unknown(call, "a git command that is only known at run time");
  if (sub === "config") return readSetting(call, rest, facts);
  if (facts.git !== undefined) return unknown(call, `${facts.git} publishes, rewrites or discards`, facts);
  const [row, args] = findRead(sub, rest);
  return row === undefined ? unknown(call, `git ${sub} may change the repository`, facts) : judgeRead(call, row, args);
}

function factsOf(sub: string, rest: readonly Word[]): GitFacts {
  const git = guardedWords(sub, rest);
  return { ...(git === undefined ? {} : { git }), network: GIT_NETWORK.has(sub) && (sub !== "remote" || git !== undefined) };
}

/** Options before the sub-command that take the next word. */
const TAKE_WORD = new Set(["-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"]);

// `-C` moves git into another folder; anything that names programs or other repositories is not proven.
function openGit(call: Call): Opened {
  let { state } = call.at;
  let problem: string | undefined;
  let at = 0;
  for (; at < call.args.length; at += 1) {
    const text = textOf(call.args[at]);
    if (text === undefined || !text.startsWith("-") || text === "--version") break;
    if (text === "-C") state = changeFolder(state, textOf(call.args[(at += 1)])).ok;
    else if (!HARMLESS_BEFORE.has(text)) {
      problem ??= text;
      if (TAKE_WORD.has(text)) at += 1;
    }
  }
  return { call: { ...call, at: { ...call.at, state } }, sub: call.args[at], rest: call.args.slice(at + 1), problem };
}

function textOf(word: Word | undefined): string | undefined {
  return word?.kind === "text" ? word.text : undefined;
}

function findRead(sub: string, rest: readonly Word[]): readonly [GitRead | undefined, readonly Word[]] {
  const [first] = rest;
  const two = first?.kind === "text" ? GIT_READS[`${sub} ${first.text}`] : undefined;
  return two === undefined ? [sub === "--version" ? GIT_READS["version"] : GIT_READS[sub], rest] : [two, rest.slice(1)];
}

// The words a rule must name; undefined when the call publishes, rewrites and discards nothing.
function guardedWords(sub: string, rest: readonly Word[]): string | undefined {
  if (!GIT_GUARDED.has(sub)) return undefined;
  const second = textOf(rest[0]) ?? "";
  const makesBranch = (sub === "checkout" || sub === "switch") && /^-[bc]$/.test(second);
  if (makesBranch || GIT_READS[`${sub} ${second}`] !== undefined) return undefined;
  const row = GIT_READS[sub];
  return row !== undefined && listsOnly(row, rest) ? undefined : `git ${sub}`;
}

function listsOnly(row: GitRead, rest: readonly Word[]): boolean {
  const split = splitWords(rest, rulesOf(row), false);
  const patterns = GIT_LIST_WITH_PATTERNS.some((flag) => split.flags.includes(flag));
  return split.problem === undefined && (row.operands !== "none" || split.operands.length === 0 || patterns);
}

function rulesOf(row: GitRead) {
  const { only, ...rules } = row.rules;
  // `--text` would otherwise be taken for a short form of `--textconv`.
  return only === undefined ? { ...rules, values: [...(rules.values ?? [])], paths: [] } : { ...rules, only };
}

function judgeRead(call: Call, row: GitRead, args: readonly Word[]): Walked {
  const checked = args.filter((word) => !(word.kind === "text" && GIT_KNOWN_LONG.includes(word.text)));
  const split = splitWords(checked, rulesOf(row), false);
  if (split.problem !== undefined) return unknown(call, `git with ${split.problem}`);
  const patterns = GIT_LIST_WITH_PATTERNS.some((flag) => split.flags.includes(flag));
  if (row.operands === "none" && split.operands.length > 0 && !patterns) return unknown(call, "a git command with arguments that change something");
  const outside = split.operands.filter((word) => word.kind === "text" && /^(?:\/|~|\.\.(?:\/|$))/.test(word.text));
  const why = readPaths([...outside, ...split.files], call) ?? readsFolder(call);
  if (why !== undefined) return unknown(call, why);
  const prints: Feed =
    row.prints === "names" && call.args.some((word) => /^(?:ls-files|--name-only|-l|--files-with-matches)$/.test(word.raw)) ? "entries" : "other";
  return record(call, { does: "reads", prints });
}

function readSetting(call: Call, rest: readonly Word[], facts: { readonly git?: string; readonly network: boolean }): Walked {
  const [first, key, more] = rest.map((word) => (word.kind === "text" ? word.text : undefined));
  const named = rest.length === 1 ? first : (first === "--get" || first === "get") && more === undefined && rest.length === 2 ? key : undefined;
  const asks = named !== undefined && GIT_PUBLIC_SETTINGS.test(named);
  if (!asks) return unknown(call, "git config can change what git runs", { ...facts, git: "git config" });
  const why = readsFolder(call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
}
