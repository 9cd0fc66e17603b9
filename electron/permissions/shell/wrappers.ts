// Commands whose work is to start another command (P3). What they start is a part of its own; the wrapper itself does nothing,
// unless it changes who runs it, where, or in what shell.
import { isHarmlessAssignment } from "./env-names.ts";
import { type Call, type Handler, record, unknown } from "./part.ts";
import { same } from "./state.ts";
import { type Assignment, namesFrom, type Walked } from "./walk-context.ts";
import { isOneWord, textWord, type Word } from "./word.ts";

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

function transparent(row: Transparent): Handler {
  return (call) => {
    let at = 0;
    for (let word = text(call.args[at]); word !== undefined; word = text(call.args[at])) {
      if (row.values?.test(word) === true) at += 2;
      else if (row.flags.test(word)) at += 1;
      else break;
    }
    const words = call.args.slice(at + (row.before ?? 0));
    const [first] = words;
    // A value that may become several words brings a command of its own.
    const unclear = call.args.slice(0, call.args.length - words.length).find((word) => !isOneWord(word));
    if (unclear !== undefined) return startsAnyway(call, words, `${call.name} with ${unclear.raw}`);
    if (first === undefined) return record(call, { does: "nothing", prints: "none" });
    return text(first)?.startsWith("-") === true ? startsAnyway(call, words, `${call.name} with ${first.raw}`) : starts(call, words, call.at.env);
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
  if (words.length > 0) call.walk.found.aside(() => call.walk.command(words, { ...call.at, env: [] }));
  return { outcome: same(call.at.state), prints: walked.prints };
}

const env: Handler = (call) => {
  const { assigned, words, problem } = readEnv(call.args);
  if (words.length === 0) return unknown(call, "it prints the whole environment");
  return problem === undefined ? starts(call, words, [...call.at.env, ...assigned]) : startsAnyway(call, words, problem);
};

function readEnv(args: readonly Word[]): { readonly assigned: readonly Assignment[]; readonly words: readonly Word[]; readonly problem: string | undefined } {
  const assigned: Assignment[] = [];
  let problem: string | undefined;
  let at = 0;
  for (; at < args.length; at += 1) {
    const value = text(args[at]) ?? "";
    const [, name, given] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(value) ?? [];
    if (name !== undefined) assigned.push({ text: args[at]?.raw ?? "", name, harmless: isHarmlessAssignment(name, given) });
    else if (/^(?:-u|--unset)$/.test(value)) problem ??= whyUnclear("env", args[(at += 1)]);
    else if (!value.startsWith("-")) break;
    else if (value !== "-i") problem ??= `env with ${value}`;
  }
  return { assigned, words: args.slice(at), problem };
}

function whyUnclear(name: string, value: Word | undefined): string | undefined {
  return value === undefined || isOneWord(value) ? undefined : `${name} with ${value.raw}`;
}

const PUBLIC_VARIABLES = /^(?:PATH|HOME|SHELL|USER|LANG|TERM|PWD|EDITOR|TZ|LC_\w+|NODE_ENV|CI)$/;

const printenv: Handler = (call) => {
  const harmless = call.args.length > 0 && call.args.every((word) => PUBLIC_VARIABLES.test(text(word) ?? ""));
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
  const { words, placeholder, problem } = readXargs(call.args);
  const names = namesFrom(call.at.stdin);
  const given: Word = names === undefined ? { kind: "unknown", raw: "{}", head: "" } : { kind: "names", raw: "{}", ...names };
  const filled =
    placeholder === undefined ? [...(words.length === 0 ? [textWord("echo")] : words), given] : words.map((word) => fill(word, placeholder, given));
  if (problem !== undefined) return startsAnyway(call, filled, problem);
  const walked = starts(call, filled, call.at.env);
  return { outcome: same(call.at.state), prints: namesFrom(walked.prints) === undefined ? walked.prints : "other" };
};

function readXargs(args: readonly Word[]): { readonly words: readonly Word[]; readonly placeholder: string | undefined; readonly problem: string | undefined } {
  let problem: string | undefined;
  let placeholder: string | undefined;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = text(args[at]) ?? "";
    if (!word.startsWith("-")) break;
    if (XARGS_VALUES.test(word)) problem ??= whyUnclear("xargs", args[(at += 1)]);
    else if (word === "-I") {
      placeholder = text(args[(at += 1)]);
      if (placeholder === undefined) problem ??= "xargs with a mark that is only known at run time";
    } else if (word.startsWith("-I")) placeholder = word.slice(2);
    else if (!XARGS_FLAGS.test(word)) problem ??= `xargs with ${word}`;
  }
  return { words: args.slice(at), placeholder, problem };
}

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

const trap: Handler = (call) => {
  const script = text(call.args[0]);
  const walked = unknown(call, "it runs later");
  if (script !== undefined) call.walk.found.aside(() => call.walk.script(script, { ...call.at.state, cwds: undefined }, "none"));
  return walked;
};

export const WRAPPERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.entries(TRANSPARENT).map(([name, row]) => [name, transparent(row)])),
  env,
  printenv,
  command,
  exec,
  nohup,
  xargs,
  trap,
  sudo: elsewhere("it runs as another user", /^-/),
  doas: elsewhere("it runs as another user", /^-/),
  pkexec: elsewhere("it runs as another user", /^-/),
  setsid: elsewhere("it leaves the session, so it cannot be ended", /^-/),
  watch: elsewhere("it runs again and again", /^-|^\d/),
  chroot: elsewhere("it runs in another root", /^-|\//),
  busybox: elsewhere("it may be any command", /^-/),
  coproc: elsewhere("it runs in the background", /^-/),
  parallel: elsewhere("it runs commands made from its input", /^-/),
  npx: elsewhere("it may fetch and run a package", /^-/),
};
