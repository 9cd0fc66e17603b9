// find: its tests are data, its actions run, delete and write (B02). Actions are whole words, never parts of one.
import { type Call, pathsOf, readPaths, readsFolder, record, unknown } from "./part.ts";
import type { Walked } from "./walk-context.ts";
import { textWord, type Word } from "./word.ts";

/** Tests and harmless actions, with the number of words they take. */
const HARMLESS: Readonly<Record<string, number>> = {
  "(": 0,
  ")": 0,
  "!": 0,
  ",": 0,
  "-a": 0,
  "-o": 0,
  "-and": 0,
  "-or": 0,
  "-not": 0,
  "-true": 0,
  "-false": 0,
  "-empty": 0,
  "-readable": 0,
  "-writable": 0,
  "-executable": 0,
  "-nouser": 0,
  "-nogroup": 0,
  "-name": 1,
  "-iname": 1,
  "-path": 1,
  "-ipath": 1,
  "-wholename": 1,
  "-iwholename": 1,
  "-lname": 1,
  "-ilname": 1,
  "-regex": 1,
  "-iregex": 1,
  "-regextype": 1,
  "-type": 1,
  "-xtype": 1,
  "-size": 1,
  "-perm": 1,
  "-user": 1,
  "-group": 1,
  "-uid": 1,
  "-gid": 1,
  "-mtime": 1,
  "-atime": 1,
  "-ctime": 1,
  "-mmin": 1,
  "-amin": 1,
  "-cmin": 1,
  "-newer": 1,
  "-anewer": 1,
  "-cnewer": 1,
  "-newermt": 1,
  "-newerat": 1,
  "-newerct": 1,
  "-samefile": 1,
  "-inum": 1,
  "-links": 1,
  "-used": 1,
  "-fstype": 1,
  "-flags": 1,
  "-maxdepth": 1,
  "-mindepth": 1,
  "-depth": 0,
  "-d": 0,
  "-mount": 0,
  "-xdev": 0,
  "-x": 0,
  "-noleaf": 0,
  "-daystart": 0,
  "-ignore_readdir_race": 0,
  "-noignore_readdir_race": 0,
  "-nowarn": 0,
  "-warn": 0,
  "-print": 0,
  "-print0": 0,
  "-printf": 1,
  "-ls": 0,
  "-prune": 0,
  "-quit": 0,
};

export function judgeFind(call: Call): Walked {
  const start = call.args.findIndex((word) => isExpression(word));
  const roots = start === -1 ? call.args : call.args.slice(0, start);
  const expression = start === -1 ? [] : call.args.slice(start);
  const why = roots.length === 0 ? readsFolder(call) : readPaths(roots, call);
  const read = readExpression(expression);
  const nested = read.runs.map((words) => runsEach(words, call, { roots, filesOnly: listsFilesOnly(expression) }));
  if (why !== undefined) return unknown(call, why);
  if (read.problem !== undefined) return unknown(call, `find with ${read.problem}`);
  if (nested.includes(false)) return record(call, { does: "nothing", prints: "other" });
  if (read.deletes) return deletes(call, roots);
  return record(call, { does: "reads", prints: read.runs.length > 0 ? "other" : listsFilesOnly(expression) ? "names" : "entries" });
}

// With `-type f` no link is listed; an alternative would list what the other side of it finds.
function listsFilesOnly(expression: readonly Word[]): boolean {
  const texts = expression.map((word) => (word.kind === "text" ? word.text : ""));
  return (
    texts.some((text, at) => text === "-type" && texts[at + 1] === "f" && texts[at - 1] !== "!" && texts[at - 1] !== "-not") &&
    !texts.some((text) => /^(?:-o|-or|,)$/.test(text))
  );
}

function isExpression(word: Word): boolean {
  return word.kind === "text" ? /^(?:-.|[()!,]$)/.test(word.text) : word.kind === "unknown" && (word.head === "" || word.head.startsWith("-"));
}

type Expression = { readonly runs: readonly (readonly Word[])[]; readonly deletes: boolean; readonly problem: string | undefined };

function readExpression(words: readonly Word[]): Expression {
  const runs: (readonly Word[])[] = [];
  let problem: string | undefined;
  let deletes = false;
  for (let at = 0; at < words.length; ) {
    const step = readStep(words, at);
    if (step.run !== undefined) runs.push(step.run);
    problem ??= step.problem;
    deletes ||= step.deletes === true;
    at = step.next;
  }
  return { runs, deletes, problem };
}

type Step = { readonly next: number; readonly run?: readonly Word[]; readonly deletes?: boolean; readonly problem?: string };
const AT_RUN_TIME = "a test that is only known at run time";

// One test or action with its words.
function readStep(words: readonly Word[], at: number): Step {
  const word = words[at];
  if (word?.kind !== "text") return { next: at + 1, problem: AT_RUN_TIME };
  if (word.text === "-delete") return { next: at + 1, deletes: true };
  const takes = HARMLESS[word.text];
  if (takes !== undefined) {
    const unknownValue = words.slice(at + 1, at + 1 + takes).some((value) => value.kind === "unknown");
    return { next: at + 1 + takes, ...(unknownValue ? { problem: AT_RUN_TIME } : {}) };
  }
  return /^-(?:exec|ok)(?:dir)?$/.test(word.text) ? readRun(words, at, word.text) : { next: at + 1, problem: word.text };
}

function readRun(words: readonly Word[], at: number, action: string): Step {
  const found = words.findIndex((one, index) => index > at && one.kind === "text" && (one.text === ";" || one.text === "+"));
  const end = found === -1 ? words.length : found;
  return { next: end + 1, run: words.slice(at + 1, end), ...(action === "-exec" && found !== -1 ? {} : { problem: action }) };
}

// The command is judged once, with a found name in the place of `{}`. Answers whether it has its own say about what happens.
function runsEach(words: readonly Word[], call: Call, { roots, filesOnly }: { readonly roots: readonly Word[]; readonly filesOnly: boolean }): boolean {
  const [root] = roots;
  const links = filesOnly ? "none" : "below";
  const base = root?.kind === "text" ? root.text : ".";
  const filled = words.map((word): Word => {
    if (word.kind !== "text" || !word.text.includes("{}")) return word;
    return word.text === "{}"
      ? { kind: "names", raw: "{}", base: base.endsWith("/") ? base : `${base}/`, dash: base.startsWith("-"), links }
      : { kind: "unknown", raw: word.raw, head: word.text.slice(0, word.text.indexOf("{}")) };
  });
  if (filled.length === 0) return true;
  call.walk.command(filled, { state: call.at.state, stdin: "none", env: [], fetchesWords: false });
  return false;
}

function deletes(call: Call, roots: readonly Word[]): Walked {
  const paths = (roots.length === 0 ? [textWord(".")] : roots).map((word) => pathsOf(word, call));
  if (paths.includes(undefined)) return unknown(call, "find deletes in a folder that is only known at run time", { sweeping: true });
  return record(call, { does: "files", deletes: paths.flatMap((list) => list ?? []), sweeping: true });
}
