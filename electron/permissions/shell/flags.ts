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
  let ended = false;
  let waiting: "value" | "path" | undefined;
  // An option that must not be there ends the proof even where it may be a value or an operand: a wrong guess costs a question.
  const problems = words.map((word) => deniedIn(word, rules));
  for (const word of words) {
    const option = optionIn(word);
    if (!anyWords && !ended && mayBeOption(word)) problems.push(`${word.raw.slice(0, 60)} may turn out to be an option`);
    if (waiting !== undefined) {
      if (waiting === "path" || looksOutside(word)) files.push(word);
      waiting = undefined;
    } else if (option === undefined || ended) operands.push(word);
    else if (option === "--") ended = true;
    else waiting = readOption(option, rules, { flags, files });
  }
  return { operands, files, flags, problem: problems.find((problem) => problem !== undefined) };
}

function deniedIn(word: Word, rules: FlagRules): string | undefined {
  const option = optionIn(word);
  return option === undefined ? undefined : findDenied(option, rules);
}

function optionIn(word: Word): string | undefined {
  return word.kind === "text" && word.text.startsWith("-") && word.text !== "-" ? word.text : undefined;
}

function mayBeOption(word: Word): boolean {
  return (word.kind === "names" && word.dash) || (word.kind === "unknown" && (word.head === "" || word.head.startsWith("-") || word.splits === true));
}

function looksOutside(word: Word): boolean {
  return word.kind !== "text" || isOutsideText(word.text);
}

function isOutsideText(text: string): boolean {
  return /^(?:\/|~|\.\.)/.test(text);
}

/** Every way to spell an option: `--out=x` and `--ou` are `--output`, `-ao` holds `-o`. */
function findDenied(option: string, rules: FlagRules): string | undefined {
  const found = option.startsWith("--") ? deniedLong(option, rules) : deniedShort(option, rules);
  return found === undefined ? undefined : `the option ${found}`;
}

function deniedLong(option: string, rules: FlagRules): string | undefined {
  const name = option.replace(/=[\s\S]*$/, "");
  if (name === "--" || [rules.values, rules.paths, rules.only].some((list) => list?.includes(name) === true)) return undefined;
  if (rules.deny?.some((one) => one.startsWith("--") && one.startsWith(name)) === true) return name;
  return rules.only === undefined ? undefined : name;
}

function deniedShort(option: string, rules: FlagRules): string | undefined {
  const { deny = [], only } = rules;
  if (deny.includes(option) || deny.some((one) => /^-[^-]./.test(one) && option.startsWith(one))) return option;
  if (only?.includes(option) === true) return undefined;
  for (const letter of option.slice(1)) {
    const flag = `-${letter}`;
    if (deny.includes(flag)) return flag;
    // `-20` is a count.
    if (only?.includes(flag) === false) return /\d/.test(letter) ? undefined : flag;
    if (takesValue(flag, rules)) return undefined;
  }
  return undefined;
}

function takesValue(flag: string, rules: FlagRules): boolean {
  return rules.values?.includes(flag) === true || rules.paths?.includes(flag) === true;
}

type Into = { readonly flags: string[]; readonly files: Word[] };

function readOption(option: string, rules: FlagRules, into: Into): "value" | "path" | undefined {
  return option.startsWith("--") ? readLong(option, rules, into) : readShort(option, rules, into);
}

function readLong(option: string, rules: FlagRules, into: Into): "value" | "path" | undefined {
  const [, name = option, value] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(option) ?? [];
  into.flags.push(name);
  const isPath = rules.paths?.some((one) => one.startsWith("--") && one.startsWith(name)) === true;
  if (value === undefined) return isPath ? "path" : rules.values?.includes(name) === true ? "value" : undefined;
  keepFile(value, option, { isPath, into });
  return undefined;
}

function readShort(option: string, rules: FlagRules, into: Into): "value" | "path" | undefined {
  for (let at = 1; at < option.length; at += 1) {
    const flag = `-${option.charAt(at)}`;
    const rest = option.slice(at + 1);
    const isPath = rules.paths?.includes(flag) === true;
    into.flags.push(flag);
    if (takesValue(flag, rules)) {
      if (rest === "") return isPath ? "path" : "value";
      keepFile(rest, option, { isPath, into });
      return undefined;
    }
    keepFile(rest, option, { isPath: false, into });
  }
  return undefined;
}

function keepFile(value: string, raw: string, { isPath, into }: { readonly isPath: boolean; readonly into: Into }): void {
  if (isPath || isOutsideText(value)) into.files.push({ kind: "text", raw, text: value });
}
