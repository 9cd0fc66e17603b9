// Judges a command of the read-only table.
import type { ReadCommand } from "./read-commands.ts";
import { splitWords } from "./flags.ts";
import { type Call, readPaths, readsFolder, record, unknown } from "./part.ts";
import { type Feed, namesFrom, type Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

export function judgeReadCommand(call: Call, row: ReadCommand): Walked {
  // An unknown word can be an option that names a file, unless no word is a file here.
  const anyWords = row.anyWords === true && (row.operands === "text" || call.args.every((word) => word.kind !== "unknown"));
  const { operands, files, flags, problem } = splitWords(call.args, row, anyWords);
  if (problem !== undefined) return unknown(call, `${call.name} with ${problem}`);
  const hidden = hiddenMeaning(call, row, operands);
  if (hidden !== undefined) return unknown(call, hidden);
  if (row.operands === "none" && operands.length > 0) return unknown(call, `${call.name} with arguments`);
  const paths = pathOperands(operands, row, flags);
  // `echo /root/*` lists a folder as `ls` does.
  const patterns = row.operands === "text" ? operands.filter((word) => word.kind === "names") : [];
  const why = readPaths([...paths, ...files, ...patterns], call) ?? (looksAtFolder(row, paths, call) ? readsFolder(call) : undefined);
  if (why !== undefined) return unknown(call, why);
  const prints = printsOf(call, row, { paths, flags });
  return record(call, { does: "reads", prints });
}

/** `%n`, with whatever may stand between. */
const SETS_A_VARIABLE = /%[-+ #0'*.\dhlLqjzt]*n/;

/** Words that mean more than they seem: a second file to write, a format that sets a variable, a file with more words. */
function hiddenMeaning(call: Call, row: ReadCommand, operands: readonly Word[]): string | undefined {
  // A pattern may become several names.
  const several = operands.some((word) => word.kind === "names");
  if (row.max !== undefined && (operands.length > row.max || several)) return `${call.name} may write its second file`;
  if (row.wordOptions === true && call.args.some((word) => word.kind !== "text" || /^-[A-Za-z]{2,}/.test(word.text)))
    return `${call.name} with an option of several letters`;
  const [format] = operands;
  if (row.reads === "format" && format !== undefined && (format.kind !== "text" || SETS_A_VARIABLE.test(format.text.replaceAll("%%", ""))))
    return `${call.name} with a format that can set a variable`;
  if (row.reads === "response" && operands.some((word) => !(word.kind === "text" ? !word.text.startsWith("@") : /^[\w./~-]/.test(word.raw))))
    return `${call.name} with a file that may hold more words`;
  return undefined;
}

function pathOperands(operands: readonly Word[], row: ReadCommand, flags: readonly string[]): readonly Word[] {
  if (row.operands === "text" || row.operands === "none") return [];
  const skipsPattern = row.operands === "pattern" && !(row.noPattern ?? []).some((flag) => flags.includes(flag));
  return skipsPattern ? operands.slice(1) : operands;
}

function looksAtFolder(row: ReadCommand, paths: readonly Word[], call: Call): boolean {
  return row.folder === "always" || (row.folder === "empty" && paths.length === 0 && call.at.stdin === "none");
}

/** Options with which a search prints names of files; it does not follow links while it looks. */
const NAME_FLAGS = ["-l", "-L", "--files", "--files-with-matches", "--files-without-match"];

function printsOf(call: Call, row: ReadCommand, seen: { readonly paths: readonly Word[]; readonly flags: readonly string[] }): Feed {
  if (row.prints === "names") return row.filesOnly?.some((flag) => seen.flags.includes(flag)) === true ? "names" : "entries";
  if (row.prints !== "keeps") return "other";
  if (row.operands === "pattern" && NAME_FLAGS.some((flag) => seen.flags.includes(flag))) return "names";
  return seen.paths.length === 0 && namesFrom(call.at.stdin) !== undefined ? call.at.stdin : "other";
}
