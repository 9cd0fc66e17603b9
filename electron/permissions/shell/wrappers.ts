// Commands whose work is to start another command (P3). What they start is a part of its own; the wrapper itself does nothing,
// unless it changes who runs it, where, or in what shell.
import { isHarmlessAssignment } from "./env-names.ts";
import { type Call, type Handler, readPaths, record, unknown } from "./part.ts";
import { same } from "./state.ts";
import type { Assignment, At, Walked } from "./walk-context.ts";
import { textWord, type Word } from "./word.ts";

/** Options with a value, and how many words stand before the command. */
type Transparent = { readonly flags: RegExp; readonly values?: RegExp; readonly before?: number };
const TRANSPARENT: Readonly<Record<string, Transparent>> = {
  timeout: {
    flags: /^(?:-v|--verbose|--foreground|--preserve-status|-[ks]\S+|--(?:signal|kill-after)=\S+)$/,
    values: /^-[ks]$|^--(?:signal|kill-after)$/,
    before: 1,
  },
  gtimeout: { flags: /^(?:-v|--foreground|--preserve-status)$/, values: /^-[ks]$/, before: 1 },
  nice: { flags: /^(?:-\d+|-n-?\d+|--adjustment=-?\d+)$/, values: /^-n$/ },
  ionice: { flags: /^-[cn]\d$/, values: /^-[cn]$/ },
  time: { flags: /^-p$/ },
  stdbuf: { flags: /^-[ioe](?:L|\d+)$/, values: /^-[ioe]$/ },
  builtin: { flags: /^$/ },
};

const text = (word: Word | undefined) => (word?.kind === "text" ? word.text : undefined);
const inner = (call: Call): At => ({ ...call.at, env: [] });

function transparent(row: Transparent): Handler {
  return (call) => {
    let at = 0;
    while (at < call.args.length) {
      const word = text(call.args[at]);
      if (word === undefined) return unknown(call, "what it starts is only known at run time");
      if (row.values?.test(word) === true) at += 2;
      else if (row.flags.test(word)) at += 1;
      else break;
    }
    const words = call.args.slice(at + (row.before ?? 0));
    const [first] = words;
    if (first === undefined) return record(call, { does: "nothing", prints: "none" });
    if (text(first)?.startsWith("-") === true) return startsAnyway(call, words, `${call.name} with ${first.raw}`);
    return starts(call, words, call.at.env);
  };
}

/** The wrapper as a part that does nothing, then what it starts. */
function starts(call: Call, words: readonly Word[], env: readonly Assignment[]): Walked {
  const own = call.words.findIndex((word) => word === words[0]);
  record({ ...call, words: own === -1 ? call.words.slice(0, 1) : call.words.slice(0, own) }, { does: "nothing" });
  return call.walk.command(words, { ...call.at, env });
}

/** Not proven: the whole is one part, and what it starts is named for deny and ask rules only. */
function startsAnyway(call: Call, words: readonly Word[], why: string): Walked {
  const walked = unknown(call, why);
  if (words.length > 0) call.walk.found.aside(() => call.walk.command(words, inner(call)));
  return { outcome: same(call.at.state), prints: walked.prints };
}

const env: Handler = (call) => {
  const assigned: Assignment[] = [];
  let at = 0;
  let why: string | undefined;
  for (; at < call.args.length; at += 1) {
    const word = call.args[at];
    const value = text(word);
    const assignment = value === undefined ? null : /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(value);
    if (assignment !== null)
      assigned.push({ text: word?.raw ?? "", name: assignment[1] ?? "", harmless: isHarmlessAssignment(assignment[1] ?? "", assignment[2]) });
    else if (value === "-u" || value === "--unset") at += 1;
    else if (value?.startsWith("-") === true && value !== "-i") why ??= `env with ${value}`;
    else if (value !== "-i") break;
  }
  const words = call.args.slice(at);
  if (words.length === 0) return unknown(call, "it prints the whole environment");
  return why === undefined ? starts(call, words, [...call.at.env, ...assigned]) : startsAnyway(call, words, why);
};

const printenv: Handler = (call) => {
  const names = call.args.map(text);
  const harmless =
    names.length > 0 && names.every((name) => name !== undefined && /^(?:PATH|HOME|SHELL|USER|LANG|TERM|PWD|EDITOR|TZ|LC_\w+|NODE_ENV|CI)$/.test(name));
  return harmless ? record(call, { does: "reads" }) : unknown(call, "it prints the environment");
};

const command: Handler = (call) => {
  const [first, ...rest] = call.args;
  const flag = text(first);
  if (flag === "-v" || flag === "-V") return record(call, { does: "reads" });
  if (flag === "-p") return starts(call, rest, call.at.env);
  if (first === undefined) return record(call, { does: "nothing" });
  return flag === undefined || flag.startsWith("-")
    ? startsAnyway(call, rest, "what it starts is only known at run time")
    : starts(call, call.args, call.at.env);
};

const exec: Handler = (call) => {
  const [first] = call.args;
  if (first === undefined) return record(call, { does: "nothing" });
  return text(first)?.startsWith("-") === true ? startsAnyway(call, call.args.slice(1), "exec with options") : starts(call, call.args, call.at.env);
};

const nohup: Handler = (call) => {
  if (call.args.length === 0) return record(call, { does: "nothing" });
  record({ ...call, words: call.words.slice(0, 1) }, { does: "files", writes: (call.at.state.cwds ?? []).map((cwd) => `${cwd}/nohup.out`) });
  return call.walk.command(call.args, call.at);
};

const XARGS_VALUES = /^-[nPLdEs]$|^--(?:max-args|max-procs|max-lines|delimiter|max-chars)$/;
const XARGS_FLAGS = /^(?:-[0rtx]+|-[nPLd]\S+|--(?:null|no-run-if-empty|verbose|max-args=\d+|max-procs=\d+|delimiter=\S+))$/;

const xargs: Handler = (call) => {
  let at = 0;
  let why: string | undefined;
  let replaced: string | undefined;
  for (; at < call.args.length; at += 1) {
    const word = text(call.args[at]);
    const joined = word === undefined ? null : /^-I(\S+)$/.exec(word);
    if (word !== undefined && XARGS_VALUES.test(word)) at += 1;
    else if (word === "-I") replaced = text(call.args[(at += 1)]);
    else if (joined !== null) replaced = joined[1];
    else if (word?.startsWith("-") !== true) break;
    else if (!XARGS_FLAGS.test(word)) why ??= `xargs with ${word}`;
  }
  const words = call.args.slice(at);
  const given: Word = call.at.stdin === "names" ? { kind: "names", raw: "{}", base: "", dash: true } : { kind: "unknown", raw: "{}", head: "" };
  const filled = replaced === undefined ? [...(words.length === 0 ? [textWord("echo")] : words), given] : words.map((word) => fill(word, replaced, given));
  if (why !== undefined) return startsAnyway(call, filled, why);
  const walked = starts(call, filled, call.at.env);
  return { outcome: same(call.at.state), prints: walked.prints === "names" ? "other" : walked.prints };
};

function fill(word: Word, placeholder: string, given: Word): Word {
  if (word.kind !== "text" || !word.text.includes(placeholder)) return word;
  return word.text === placeholder ? given : { kind: "unknown", raw: word.raw, head: word.text.slice(0, word.text.indexOf(placeholder)) };
}

/** Runs its words as another user or elsewhere: never proven. `skip` says where the command begins. */
function elsewhere(why: string, skip: RegExp): Handler {
  return (call) => {
    const at = call.args.findIndex((word) => !(word.kind === "text" && skip.test(word.text)));
    return startsAnyway(call, at === -1 ? [] : call.args.slice(at), why);
  };
}

const SHELL_FLAGS = /^[-+][euxv]+$/;

function shell(readable: boolean): Handler {
  return (call) => {
    const fed = call.at.stdin === "network" || call.at.fetchesWords;
    let at = 0;
    while (SHELL_FLAGS.test(text(call.args[at]) ?? "")) at += 1;
    const flag = text(call.args[at]);
    if (flag === "-n" && call.args.length === at + 2) {
      const why = readPaths(call.args.slice(at + 1), call);
      return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
    }
    if (flag === undefined || !/^-[euxv]*c$/.test(flag)) return unknown(call, "it runs a script that was not read", { runsDownload: fed });
    const script = text(call.args[at + 1]);
    if (script === undefined) return unknown(call, "it runs a script that is only known at run time", { runsDownload: fed });
    // Without words after it, `$0` is the shell's name and nothing else is passed on.
    const read = () => call.walk.script(script, { ...call.at.state, vars: new Map() }, call.at.stdin);
    const provable = readable && call.args.length === at + 2;
    const walked = provable ? read() : call.walk.found.aside(read);
    if (walked === undefined || !provable) return unknown(call, "it runs a script that could not be read", { runsDownload: fed && walked === undefined });
    record({ ...call, words: call.words.slice(0, at + 2) }, { does: "nothing" });
    return { outcome: same(call.at.state), prints: walked.prints };
  };
}

const evaluate: Handler = (call) => {
  const words = call.args.map(text);
  const script = words.every((word) => word !== undefined) ? words.join(" ") : undefined;
  const walked = script === undefined ? undefined : call.walk.script(script, call.at.state, call.at.stdin);
  if (walked === undefined)
    return unknown(call, "it runs text that is only known at run time", { runsDownload: call.at.fetchesWords || call.at.stdin === "network" });
  record(call, { does: "nothing" });
  return walked;
};

const interpreter: Handler = (call) => {
  const named = call.args.some((word) => word.kind === "text" && /\.\w+$/.test(word.text) && !word.text.startsWith("-"));
  const fed = call.at.fetchesWords || (call.at.stdin === "network" && !named && !call.args.some((word) => /^-[ce]$/.test(text(word) ?? "")));
  return unknown(call, `${call.name} runs a program`, { runsDownload: fed });
};

export const WRAPPERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.entries(TRANSPARENT).map(([name, row]) => [name, transparent(row)])),
  env,
  printenv,
  command,
  exec,
  nohup,
  xargs,
  sudo: elsewhere("it runs as another user", /^-/),
  doas: elsewhere("it runs as another user", /^-/),
  pkexec: elsewhere("it runs as another user", /^-/),
  setsid: elsewhere("it leaves the session, so it cannot be ended", /^-/),
  watch: elsewhere("it runs again and again", /^-|^\d/),
  chroot: elsewhere("it runs in another root", /^-|\//),
  busybox: elsewhere("it may be any command", /^-/),
  coproc: elsewhere("it runs in the background", /^-/),
  trap: elsewhere("it runs later", /^-/),
  parallel: elsewhere("it runs commands made from its input", /^-/),
  npx: elsewhere("it may fetch and run a package", /^-/),
  bash: shell(true),
  sh: shell(true),
  dash: shell(true),
  zsh: shell(false),
  ksh: shell(false),
  fish: shell(false),
  eval: evaluate,
  source: interpreter,
  ".": interpreter,
  ...Object.fromEntries(
    ["python", "python2", "python3", "node", "nodejs", "deno", "bun", "perl", "ruby", "php", "lua", "osascript", "pwsh", "powershell", "tclsh", "Rscript"].map(
      (name) => [name, interpreter],
    ),
  ),
};
