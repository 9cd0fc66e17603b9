// Splits the words of a command into options and operands, strictly enough for a proof: what could be an option counts as one.
import type { Word } from "./word.ts";

export type FlagRules = {
  /** options that end the proof; `-x` or `--long` */
  readonly deny?: readonly string[];
  /** when given, any other option ends the proof */
  readonly only?: readonly string[];
  /** options that take the next word */
  readonly values?: readonly string[];
  /** options whose value is a file that is read */
  readonly paths?: readonly string[];
};
export type SplitWords = {
  readonly operands: readonly Word[];
  /** values of `paths`, and every value that looks like a path out of the folder */
  readonly files: readonly Word[];
  /** long names as written, short ones one letter each */
  readonly flags: readonly string[];
  /** why it cannot be proven */
  readonly problem: string | undefined;
};

/** `anyWords`: an unknown word is harmless even if it turns out to be an option. */
export function splitWords(words: readonly Word[], rules: FlagRules, anyWords: boolean): SplitWords {
  const [operands, files, flags]: [Word[], Word[], string[]] = [[], [], []];
  let problem: string | undefined;
  let ended = false;
  let waiting: "value" | "path" | undefined;
  for (const word of words) {
    const option = word.kind === "text" && word.text.startsWith("-") && word.text !== "-" ? word.text : undefined;
    // Even where an option is only a value or an operand, one that must not be there ends the proof: a wrong guess costs a question.
    if (option !== undefined) problem ??= findDenied(option, rules);
    if (mayBeOption(word) && !ended && !anyWords) problem ??= `${word.raw.slice(0, 60)} may turn out to be an option`;
    if (waiting !== undefined) {
      if (waiting === "path" || looksOutside(word)) files.push(word);
      waiting = undefined;
    } else if (option === undefined || ended) operands.push(word);
    else if (option === "--") ended = true;
    else waiting = readOption(option, rules, { flags, files });
  }
  return { operands, files, flags, problem };
}

function mayBeOption(word: Word): boolean {
  return (word.kind === "names" && word.dash) || (word.kind === "unknown" && (word.head === "" || word.head.startsWith("-")));
}

function looksOutside(word: Word): boolean {
  return word.kind !== "text" || /^(?:\/|~|\.\.)/.test(word.text);
}

/** Every way to spell an option: `--out=x` and `--ou` are `--output`, `-ao` holds `-o`. */
function findDenied(option: string, rules: FlagRules): string | undefined {
  const { deny = [], only } = rules;
  if (option.startsWith("--")) {
    const name = option.replace(/=[\s\S]*$/, "");
    const known = [...(rules.values ?? []), ...(rules.paths ?? []), ...(only ?? [])];
    if (name === "--" || known.includes(name)) return undefined;
    if (deny.some((one) => one.startsWith("--") && one.startsWith(name))) return `the option ${name}`;
    return only === undefined ? undefined : `the option ${name}`;
  }
  if (deny.includes(option) || (option.length > 2 && deny.some((one) => !one.startsWith("--") && one.length > 2 && option.startsWith(one))))
    return `the option ${option}`;
  if (only?.includes(option) === true) return undefined;
  for (const letter of option.slice(1)) {
    const flag = `-${letter}`;
    if (deny.includes(flag)) return `the option ${flag}`;
    if (only !== undefined && !only.includes(flag) && !/\d/.test(letter)) return `the option ${flag}`;
    if (takesValue(flag, rules)) return undefined;
  }
  return undefined;
}

function takesValue(flag: string, rules: FlagRules): boolean {
  return rules.values?.includes(flag) === true || rules.paths?.includes(flag) === true;
}

function readOption(option: string, rules: FlagRules, into: { readonly flags: string[]; readonly files: Word[] }): "value" | "path" | undefined {
  const long = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(option);
  if (long !== null) {
    const [, name = "", value] = long;
    into.flags.push(name);
    const isPath = rules.paths?.some((one) => one.startsWith("--") && one.startsWith(name)) === true;
    if (value !== undefined) {
      if (isPath || /^(?:\/|~|\.\.)/.test(value)) into.files.push({ kind: "text", raw: option, text: value });
      return undefined;
    }
    return isPath ? "path" : rules.values?.includes(name) === true ? "value" : undefined;
  }
  for (let at = 1; at < option.length; at += 1) {
    const flag = `-${option.charAt(at)}`;
    const rest = option.slice(at + 1);
    into.flags.push(flag);
    if (takesValue(flag, rules)) {
      const isPath = rules.paths?.includes(flag) === true;
      if (rest === "") return isPath ? "path" : "value";
      if (isPath || /^(?:\/|~|\.\.)/.test(rest)) into.files.push({ kind: "text", raw: option, text: rest });
      return undefined;
    }
    if (/^(?:\/|~|\.\.)/.test(rest)) into.files.push({ kind: "text", raw: option, text: rest });
  }
  return undefined;
}
