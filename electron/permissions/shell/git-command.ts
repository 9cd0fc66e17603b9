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

export function judgeGit(call: Call): Walked {
  const opened = openGit(call);
  const sub = opened.sub?.kind === "text" ? opened.sub.text : undefined;
  const within = opened.call;
  within.walk.found.git({ part: within.walk.found.size(), folders: within.at.state.cwds ?? [] });
  const second = opened.rest[0]?.kind === "text" ? opened.rest[0].text : undefined;
  const guarded = guardedWords(sub, second, opened.rest);
  const facts = {
    ...(guarded === undefined ? {} : { git: guarded }),
    network: sub !== undefined && GIT_NETWORK.has(sub) && !(sub === "remote" && guarded === undefined),
  };
  const stay = (walked: Walked): Walked => ({ ...walked, outcome: same(call.at.state) });
  if (opened.problem !== undefined) return stay(unknown(within, `git with ${opened.problem}`, facts));
  if (sub === undefined)
    return stay(onlyOptions(within, opened.sub) ? record(within, { does: "reads" }) : unknown(within, "a git command that is only known at run time"));
  if (sub === "config") return stay(readSetting(within, opened.rest, facts));
  const [row, args] = findRead(sub, opened.rest);
  if (row === undefined || guarded !== undefined)
    return stay(unknown(within, guarded === undefined ? `git ${sub} may change the repository` : `git ${sub} publishes, rewrites or discards`, facts));
  return stay(judgeRead(within, row, args));
}

// `-C` moves git into another folder; anything that names programs or other repositories is not proven.
function openGit(call: Call): Opened {
  let { state } = call.at;
  let problem: string | undefined;
  let at = 0;
  for (; at < call.args.length; at += 1) {
    const word = call.args[at];
    const text = word?.kind === "text" ? word.text : undefined;
    if (text === "-C") {
      const target = call.args[(at += 1)];
      state = changeFolder(state, target?.kind === "text" ? target.text : undefined).ok;
    } else if (text === undefined || !text.startsWith("-") || text === "--version") break;
    else if (!HARMLESS_BEFORE.has(text)) {
      problem ??= text;
      if (text === "-c" || text === "--git-dir" || text === "--work-tree" || text === "--namespace" || text === "--config-env" || text === "--exec-path")
        at += text === "--exec-path" ? 0 : 1;
    }
  }
  return { call: { ...call, at: { ...call.at, state } }, sub: call.args[at], rest: call.args.slice(at + 1), problem };
}

function onlyOptions(call: Call, sub: Word | undefined): boolean {
  return sub === undefined && call.args.length === 0;
}

function findRead(sub: string, rest: readonly Word[]): readonly [GitRead | undefined, readonly Word[]] {
  const [first] = rest;
  const two = first?.kind === "text" ? GIT_READS[`${sub} ${first.text}`] : undefined;
  return two === undefined ? [sub === "--version" ? GIT_READS["version"] : GIT_READS[sub], rest] : [two, rest.slice(1)];
}

// The words a rule must name; undefined when the call publishes, rewrites and discards nothing.
function guardedWords(sub: string | undefined, second: string | undefined, rest: readonly Word[]): string | undefined {
  if (sub === undefined || !GIT_GUARDED.has(sub)) return undefined;
  const two = second === undefined ? undefined : GIT_READS[`${sub} ${second}`];
  if (two !== undefined) return undefined;
  if ((sub === "checkout" || sub === "switch") && /^-[bc]$/.test(second ?? "")) return undefined;
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
    row.prints === "names" && call.args.some((word) => /^(?:ls-files|--name-only|-l|--files-with-matches)$/.test(word.raw)) ? "names" : "other";
  return record(call, { does: "reads", prints });
}

function readSetting(call: Call, rest: readonly Word[], facts: { readonly git?: string; readonly network: boolean }): Walked {
  const [first, key, more] = rest.map((word) => (word.kind === "text" ? word.text : undefined));
  const asks = (first === "--get" || first === "get") && key !== undefined && more === undefined && rest.length === 2 && GIT_PUBLIC_SETTINGS.test(key);
  if (!asks) return unknown(call, "git config can change what git runs", { ...facts, git: "git config" });
  const why = readsFolder(call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
}
