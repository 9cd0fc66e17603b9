// Commands of the shell itself that change its state: the folder, variables, options.
import { changesWhatRuns } from "./env-names.ts";
import { type Call, type Handler, record, unknown } from "./part.ts";
import { changeFolder, same, withVar } from "./state.ts";
import { namesFrom } from "./walk-context.ts";
import type { Word } from "./word.ts";

const SAFE_SET = /^[-+][euxfvn]*o?$/;
const SAFE_SET_NAMES = new Set(["pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber"]);
const SAFE_SHOPT = new Set(["-s", "-u", "-q", "nullglob", "globstar", "failglob", "dotglob", "nocaseglob", "nocasematch"]);

function textOf(word: Word | undefined): string | undefined {
  return word?.kind === "text" ? word.text : undefined;
}

const changeDirectory: Handler = (call) => {
  const args = call.args.filter((word) => !(word.kind === "text" && /^(?:-[LPe]+|--)$/.test(word.text)));
  const [first, second] = args;
  const target = first === undefined ? call.walk.found.home : textOf(first);
  const isPush = call.name === "pushd";
  if (second !== undefined || target === undefined || target.startsWith("-") || /^\+\d/.test(target) || (isPush && first === undefined)) {
    return unknown(call, "the folder it goes to is only known at run time", { outcome: changeFolder(call.at.state, undefined) });
  }
  return record(call, { does: "nothing", outcome: changeFolder(call.at.state, target), prints: "none" });
};

const read: Handler = (call) => {
  const variables: string[] = [];
  let takesValue = false;
  for (const word of call.args) {
    const text = textOf(word);
    if (text === undefined) return unknown(call, "it reads into a variable whose name is only known at run time");
    if (takesValue) takesValue = false;
    else if (/^-[rsea]*[pdntNu]$/.test(text)) takesValue = true;
    else if (!/^-[rsea]+$/.test(text)) variables.push(text);
  }
  if (!variables.every((name) => /^[A-Za-z_]\w*$/.test(name) && !changesWhatRuns(name))) return unknown(call, "it sets a variable that changes what is run");
  const names = namesFrom(call.at.stdin);
  const value = (name: string): Word => (names === undefined ? { kind: "unknown", raw: `$${name}`, head: "" } : { kind: "names", raw: `$${name}`, ...names });
  const state = [...variables, "REPLY"].reduce((from, name) => withVar(from, name, value(name)), call.at.state);
  // IFS before `read` only splits this line.
  const at = { ...call.at, env: call.at.env.filter((one) => one.name !== "IFS") };
  return record({ ...call, at }, { does: "reads", outcome: same(state), prints: "none" });
};

function safeWords(test: (text: string) => boolean): Handler {
  return (call) => {
    const safe = call.args.length > 0 && call.args.every((word) => word.kind === "text" && test(word.text));
    return safe ? record(call, { does: "nothing", prints: "none" }) : unknown(call, `${call.name} can change how commands are read`);
  };
}

const shift: Handler = (call: Call) => record(call, { does: "nothing", prints: "none" });

export const BUILTINS: Readonly<Record<string, Handler>> = {
  cd: changeDirectory,
  chdir: changeDirectory,
  pushd: changeDirectory,
  popd: (call) => unknown(call, "the folder it goes back to is not known", { outcome: changeFolder(call.at.state, undefined) }),
  read,
  set: safeWords((text) => SAFE_SET.test(text) || SAFE_SET_NAMES.has(text)),
  shopt: safeWords((text) => SAFE_SHOPT.has(text)),
  shift,
};
