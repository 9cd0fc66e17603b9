// sed, awk and jq: read-only as long as their script is (B03).
import { isHarmlessAwk } from "./awk-script.ts";
import { splitWords } from "./flags.ts";
import { type Call, type Handler, pathsOf, readPaths, record, unknown } from "./part.ts";
import { isHarmlessSed } from "./sed-script.ts";
import { isOneWord, type Word } from "./word.ts";

const SED_FLAGS = [
  "-n",
  "-e",
  "-E",
  "-r",
  "-s",
  "-u",
  "-z",
  "-l",
  "--quiet",
  "--silent",
  "--expression",
  "--regexp-extended",
  "--separate",
  "--null-data",
  "--posix",
  "--line-length",
];

const sed: Handler = (call) => {
  const inPlace = call.args.filter((word) => word.kind === "text" && /^(?:-i|--in-place)/.test(word.text));
  const scripts: string[] = [];
  const { args, problem } = takeScripts(
    call.args.filter((word) => !inPlace.includes(word)),
    scripts,
  );
  const split = splitWords(args, { only: SED_FLAGS, values: ["-l", "--line-length"] }, false);
  if ((problem ?? split.problem) !== undefined) return unknown(call, `sed with ${problem ?? split.problem ?? ""}`);
  const [first, ...rest] = split.operands;
  const files = scripts.length > 0 ? split.operands : rest;
  if (scripts.length === 0) {
    if (first?.kind !== "text") return unknown(call, "a sed script that is only known at run time");
    scripts.push(first.text);
  }
  if (!scripts.every(isHarmlessSed)) return unknown(call, "a sed script that may run or write something");
  const why = readPaths(files, call);
  if (why !== undefined) return unknown(call, why);
  return inPlace.length > 0 ? editInPlace(call, inPlace, files) : record(call, { does: "reads" });
};

// `-e` and `--expression` carry scripts, joined or apart.
function takeScripts(words: readonly Word[], scripts: string[]): { readonly args: readonly Word[]; readonly problem: string | undefined } {
  const args: Word[] = [];
  let problem: string | undefined;
  let waiting = false;
  for (const word of words) {
    const text = word.kind === "text" ? word.text : undefined;
    const joined = text === undefined ? undefined : (/^--expression=([\s\S]*)$/.exec(text) ?? /^-[nErsuz]*e([\s\S]+)$/.exec(text))?.[1];
    if (waiting) {
      if (text === undefined) problem ??= "a script that is only known at run time";
      else scripts.push(text);
      waiting = false;
    } else if (joined !== undefined) scripts.push(joined);
    else if (text !== undefined && /^(?:--expression|-[nErsuz]*e)$/.test(text)) waiting = true;
    else args.push(word);
  }
  return { args, problem };
}

function editInPlace(call: Call, flags: readonly Word[], files: readonly Word[]) {
  const [flag, ...more] = flags;
  const suffix = flag?.kind === "text" ? flag.text.replace(/^(?:-i|--in-place=?)/, "") : "";
  const named = files.filter((word) => !(word.kind === "text" && word.text === ""));
  if (more.length > 0 || /[*/]/.test(suffix) || named.some((word) => word.kind !== "text")) return unknown(call, "sed edits files that cannot be told");
  const paths = named.flatMap((word) => pathsOf(word, call) ?? []);
  return record(call, { does: "files", writes: suffix === "" ? paths : paths.flatMap((path) => [path, path + suffix]) });
}

const awk: Handler = (call) => {
  const split = splitWords(call.args, { only: ["-F", "-v", "--field-separator", "--assign"], values: ["-F", "-v", "--field-separator", "--assign"] }, false);
  const [program, ...files] = split.operands;
  if (split.problem !== undefined) return unknown(call, `awk with ${split.problem}`);
  if (program?.kind !== "text" || !isHarmlessAwk(program.text)) return unknown(call, "an awk program that may run, read or write something");
  const why = readPaths(files, call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

const JQ_VALUES = ["--indent", "--tab"];
const JQ_FLAGS = [
  "-r",
  "-c",
  "-n",
  "-s",
  "-S",
  "-e",
  "-a",
  "-j",
  "-M",
  "-C",
  "-R",
  "--raw-output",
  "--compact-output",
  "--null-input",
  "--slurp",
  "--sort-keys",
  "--exit-status",
  "--ascii-output",
  "--join-output",
  "--monochrome-output",
  "--color-output",
  "--raw-input",
];

const jq: Handler = (call) => {
  const split = splitWords(withoutPairs(call.args), { only: JQ_FLAGS, values: JQ_VALUES }, false);
  if (split.problem !== undefined) return unknown(call, `jq with ${split.problem}`);
  const [program, ...files] = split.operands;
  if (program?.kind !== "text") return unknown(call, "a jq program that is only known at run time");
  if (/\benv\b|\$ENV|\$__prog|\bimport\b|\binclude\b|\bmodulemeta\b/.test(program.text))
    return unknown(call, "a jq program that looks at the environment or at other files");
  const why = readPaths(files, call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

// `--arg name value`: two words that are data, whatever they hold.
function withoutPairs(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => word.kind === "text" && /^--arg(?:json)?$/.test(word.text));
  if (at === -1 || !words.slice(at + 1, at + 3).every(isOneWord)) return words;
  return [...words.slice(0, at), ...withoutPairs(words.slice(at + 3))];
}

export const TEXT_TOOLS: Readonly<Record<string, Handler>> = { sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk, jq };
