// Commands that change files which they name, and nothing else: what is written and deleted is known, so edits can be judged as edits.
import { type FlagRules, splitWords } from "./flags.ts";
import { type Call, type Handler, type Judged, pathsOf, readPaths, record, unknown } from "./part.ts";
import { absolute } from "./state.ts";
import type { Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

type Effects = {
  readonly reads?: readonly Word[];
  readonly writes?: readonly string[];
  readonly deletes?: readonly string[];
  readonly sweeping?: boolean;
  readonly problem?: string;
};
type FileCommand = FlagRules & { readonly effects: (operands: readonly Word[], flags: readonly string[], call: Call) => Effects };

const hasAny = (flags: readonly string[], names: readonly string[]) => names.some((name) => flags.includes(name));
const RECURSIVE = ["-r", "-R", "--recursive"];

function pathList(words: readonly Word[], call: Call): readonly string[] {
  return words.flatMap((word) => pathsOf(word, call) ?? []);
}

// Into a folder or over a file: both are named, because which it is shows only when it runs.
function targets(sources: readonly Word[], target: Word, call: Call): readonly string[] {
  const bases = pathList([target], call);
  const names = sources.map((word) => (word.kind === "text" ? word.text : word.raw).replace(/\/+$/, "").replace(/^.*\//, ""));
  return bases.flatMap((base) => [base, ...names.filter((name) => name !== "" && name !== ".").map((name) => `${base.replace(/\/$/, "")}/${name}`)]);
}

function transfer(operands: readonly Word[], call: Call, moves: boolean): Effects {
  const target = operands[operands.length - 1];
  const sources = operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return { problem: "too few files" };
  const writes = targets(sources, target, call);
  return moves ? { writes, deletes: pathList(sources, call), reads: sources } : { writes, reads: sources };
}

const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
  mkdir: {
    only: ["-p", "-v", "-m", "--parents", "--verbose", "--mode"],
    values: ["-m", "--mode"],
    effects: (operands, _flags, call) => ({ writes: pathList(operands, call) }),
  },
  rmdir: { only: ["-p", "-v", "--ignore-fail-on-non-empty", "--parents"], effects: (operands, _flags, call) => ({ deletes: pathList(operands, call) }) },
  touch: {
    only: ["-a", "-m", "-c", "-d", "-t", "-h", "--no-create", "--date"],
    values: ["-d", "-t", "--date"],
    effects: (operands, _flags, call) => ({ writes: pathList(operands, call) }),
  },
  unlink: { only: [], effects: (operands, _flags, call) => ({ deletes: pathList(operands, call) }) },
  rm: {
    only: [
      "-f",
      "-r",
      "-R",
      "-v",
      "-i",
      "-I",
      "-d",
      "--force",
      "--recursive",
      "--verbose",
      "--dir",
      "--one-file-system",
      "--preserve-root",
      "--no-preserve-root",
    ],
    effects: (operands, flags, call) => ({
      deletes: pathList(operands, call),
      sweeping: hasAny(flags, RECURSIVE) || operands.some((word) => word.kind === "names"),
    }),
  },
  cp: {
    only: ["-f", "-n", "-p", "-v", "-u", "-i", "-r", "-R", "-a", "--recursive", "--archive", "--force", "--no-clobber", "--verbose", "--update", "--preserve"],
    effects: (operands, flags, call) =>
      hasAny(flags, [...RECURSIVE, "-a", "--archive"])
        ? { ...transfer(operands, call, false), problem: "it copies a whole folder" }
        : transfer(operands, call, false),
  },
  mv: {
    only: ["-f", "-n", "-v", "-u", "-i", "--force", "--no-clobber", "--verbose", "--update"],
    effects: (operands, _flags, call) => transfer(operands, call, true),
  },
  // A hard link is the file itself under another name, and through a new symbolic link the rest of the line reads and writes
  // what it leads to: so what is linked counts as written.
  ln: {
    only: ["-s", "-f", "-v", "-n", "-r", "--symbolic", "--force", "--verbose", "--no-dereference", "--relative"],
    effects(operands, flags, call) {
      const [source, target, more] = operands;
      if (source?.kind !== "text" || target?.kind !== "text" || more !== undefined) return { problem: "links that are not one to one" };
      const links = targets([source], target, call);
      // A symbolic link's text is read from where the link lies, the other kinds from the folder of the shell.
      const fromLink = hasAny(flags, ["-s", "--symbolic"]) && !hasAny(flags, ["-r", "--relative"]);
      const linked = fromLink ? links.map((link) => absolute(source.text, link.slice(0, Math.max(link.lastIndexOf("/"), 1)))) : pathList([source], call);
      return { writes: [...new Set([...links, ...linked])] };
    },
  },
  tee: { only: ["-a", "-i", "--append", "--ignore-interrupts"], effects: (operands, _flags, call) => ({ writes: pathList(operands, call) }) },
  chmod: {
    only: ["-v", "-c", "-f", "-R", "--recursive", "--verbose"],
    effects: (operands, flags, call) => ({
      writes: pathList(operands.slice(1), call),
      ...(hasAny(flags, RECURSIVE) ? { problem: "it changes a whole folder" } : {}),
    }),
  },
};

function judge(call: Call, row: FileCommand): Walked {
  const split = splitWords(call.args, row, false);
  const { reads = [], writes = [], deletes = [], sweeping = false, problem } = row.effects(split.operands, split.flags, call);
  const known: Partial<Judged> = { writes, deletes, sweeping };
  // A pattern may match a protected file, so only what is deleted may be a pattern: deleting puts nothing there that could run.
  const unseen = split.operands.find((word) => pathsOf(word, call) === undefined || (word.kind === "names" && writes.length > 0));
  const why =
    split.problem ??
    problem ??
    (unseen === undefined ? readPaths([...reads, ...split.files], call) : `${unseen.raw.slice(0, 60)} is a path that is only known at run time`);
  if (why !== undefined) return unknown(call, `${call.name}: ${why}`, known);
  if (call.name === "tee" && writes.length === 0) return record(call, { does: "reads", prints: "other" });
  return record(call, { ...known, does: "files" });
}

export const FILE_HANDLERS: Readonly<Record<string, Handler>> = Object.fromEntries(
  Object.entries(FILE_COMMANDS).map(([name, row]) => [name, (call: Call) => judge(call, row)]),
);
