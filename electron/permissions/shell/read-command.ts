// Judges a command of the read-only table.
import type { ReadCommand } from "./read-commands.ts";
import { splitWords } from "./flags.ts";
import { type Call, readPaths, readsFolder, record, unknown } from "./part.ts";
import type { Feed, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

export function judgeReadCommand(call: Call, row: ReadCommand): Walked {
  const { operands, files, flags, problem } = splitWords(call.args, row, row.anyWords === true);
  if (problem !== undefined) return unknown(call, `${call.name} with ${problem}`);
  if (row.max !== undefined && operands.length > row.max) return unknown(call, `${call.name} writes its second file`);
  if (row.operands === "none" && operands.length > 0) return unknown(call, `${call.name} with arguments`);
  const paths = pathOperands(operands, row, flags);
  const why = readPaths([...paths, ...files], call) ?? (looksAtFolder(row, paths, call) ? readsFolder(call) : undefined);
  if (why !== undefined) return unknown(call, why);
  const prints: Feed = row.prints === "names" || (row.prints === "keeps" && printsNames(call, paths, flags)) ? "names" : "other";
  return record(call, { does: "reads", prints });
}

function pathOperands(operands: readonly Word[], row: ReadCommand, flags: readonly string[]): readonly Word[] {
  if (row.operands === "text" || row.operands === "none") return [];
  const skipsPattern = row.operands === "pattern" && !(row.noPattern ?? []).some((flag) => flags.includes(flag));
  return skipsPattern ? operands.slice(1) : operands;
}

function looksAtFolder(row: ReadCommand, paths: readonly Word[], call: Call): boolean {
  return row.folder === "always" || (row.folder === "empty" && paths.length === 0 && call.at.stdin === "none");
}

// A filter passes names on; a search prints names when it is told to.
function printsNames(call: Call, paths: readonly Word[], flags: readonly string[]): boolean {
  if (paths.length === 0 && call.at.stdin === "names") return true;
  return (
    ["-l", "-L", "--files", "--files-with-matches", "--files-without-match"].some((flag) => flags.includes(flag)) &&
    (call.name === "grep" || call.name === "rg")
  );
}
