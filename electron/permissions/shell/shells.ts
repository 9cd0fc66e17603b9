// Shells and interpreters: a script given as text is read like the line itself, anything else is a program that was not read.
import { INTERPRETERS } from "#electron/permissions/interpreters.ts";
import { type Call, type Handler, readPaths, record, unknown } from "./part.ts";
import { isPortable } from "./posix.ts";
import { same } from "./state.ts";
import type { Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

const text = (word: Word | undefined) => (word?.kind === "text" ? word.text : undefined);
const SETTINGS = /^[-+][euxv]+$/;
/** `-c`, alone or behind other letters; with letters beyond these the shell reads start-up files first. */
const SCRIPT = /^-[a-z]*c$/;
const PLAIN_SCRIPT = /^-[euxv]*c$/;

type Reads = "as_bash" | "if_portable" | "otherwise";

function shell(reads: Reads): Handler {
  return (call) => {
    const first = call.args.findIndex((word) => !SETTINGS.test(text(word) ?? ""));
    const flag = first === -1 ? undefined : text(call.args[first]);
    const rest = call.args.slice(first + 1);
    if (flag === "-n" && rest.length === 1) return checksOnly(call, rest);
    if (flag === undefined || !SCRIPT.test(flag)) return unknown(call, "it runs a script that was not read", { runsDownload: isFed(call) });
    const readable = reads === "as_bash" || (reads === "if_portable" && isPortable(text(rest[0]) ?? ""));
    return runsText(call, rest, readable && PLAIN_SCRIPT.test(flag) && rest.length === 1);
  };
}

function checksOnly(call: Call, files: readonly Word[]): Walked {
  const why = readPaths(files, call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
}

function isFed(call: Call): boolean {
  return call.at.stdin === "network" || call.at.fetchesWords;
}

// With words after the script, or in another shell's language, what it does is not what we read.
function runsText(call: Call, rest: readonly Word[], provable: boolean): Walked {
  const script = text(rest[0]);
  if (script === undefined) return unknown(call, "it runs a script that is only known at run time", { runsDownload: isFed(call) });
  const read = () => call.walk.script(script, { ...call.at.state, vars: new Map() }, call.at.stdin);
  const walked = provable ? read() : call.walk.found.aside(read);
  if (walked === undefined || !provable) return unknown(call, "it runs a script that could not be read");
  record(call, { does: "nothing" });
  return { outcome: same(call.at.state), prints: walked.prints };
}

const evaluate: Handler = (call) => {
  const words = call.args.map(text);
  const script = words.every((word) => word !== undefined) ? words.join(" ") : undefined;
  const walked = script === undefined ? undefined : call.walk.script(script, call.at.state, call.at.stdin);
  if (walked === undefined) return unknown(call, "it runs text that is only known at run time", { runsDownload: isFed(call) });
  record(call, { does: "nothing" });
  return walked;
};

const interpreter: Handler = (call) => {
  const words = call.args.map(text);
  const hasProgram = words.some((word) => word !== undefined && (/^-[ce]$/.test(word) || (/\.\w+$/.test(word) && !word.startsWith("-"))));
  return unknown(call, `${call.name} runs a program`, { runsDownload: call.at.fetchesWords || (call.at.stdin === "network" && !hasProgram) });
};

// `source` and `.` run a file of the shell as an interpreter runs one of its own.
const RUN_A_FILE = ["source", ".", ...INTERPRETERS];

export const SHELLS: Readonly<Record<string, Handler>> = {
  bash: shell("as_bash"),
  sh: shell("if_portable"),
  dash: shell("if_portable"),
  zsh: shell("otherwise"),
  ksh: shell("otherwise"),
  fish: shell("otherwise"),
  eval: evaluate,
  ...Object.fromEntries(RUN_A_FILE.map((name) => [name, interpreter])),
};
