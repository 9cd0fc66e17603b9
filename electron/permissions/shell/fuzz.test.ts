// The analysis against random command lines: it never throws, never proves a line with a planted writer, and what it
// proves to read only changes nothing when bash runs it. CAIRN_FUZZ=50 makes fifty times as many runs.
import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCorpus } from "#electron/testkit/permission-corpus.ts";
import { loadShellParser } from "#electron/testkit/shell-parser.ts";
import { analyseCommand } from "./analyse.ts";

const parse = await loadShellParser();
const RUNS = Number(process.env["CAIRN_FUZZ"] ?? 1);
const LIMIT_MS = 3_000;
const factsOf = (command: string, cwd = "/w") => analyseCommand(command, { cwd, home: "/home/u" }, parse).facts;

const PIECES = [
  "ls",
  "cat a",
  "echo x",
  "grep x a",
  "git log",
  "find . -name x",
  "sed -n 1p a",
  "awk '{print}' a",
  "cd d",
  "pwd",
  "true",
  "x=1",
  "for f in a b; do",
  "done",
  "if true; then",
  "else",
  "fi",
  "while read l; do",
  "case a in a)",
  "esac",
  "{",
  "}",
  "(",
  ")",
  "$(",
  "`",
  '"',
  "'",
  "\\",
  "|",
  "||",
  "&&",
  "&",
  ";",
  "\n",
  " ",
  "\t",
  ">",
  ">>",
  "<",
  "2>&1",
  "<<EOF\n",
  "\nEOF\n",
  "<<<",
  "<(",
  ">(",
  "$x",
  "${x}",
  "${x:-",
  "$((",
  "))",
  "[[",
  "]]",
  "*",
  "?",
  "{a,b}",
  "~",
  "#",
  "!",
  "$'",
  "\\\n",
  "touch PWNED",
  "xargs",
  "bash -c",
  "eval",
  "env A=1",
  "timeout 5",
  "PATH=x",
];

describe("any text", () => {
  it("is analysed without a throw, and read only means that nothing is written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 24 }), (pieces) => {
        const facts = factsOf(pieces.join(pieces.length % 2 === 0 ? " " : ""));
        if (!facts.readOnly) return;
        expect({
          writes: facts.parts.flatMap((part) => [...part.writes, ...part.deletes]),
          redirects: facts.redirects,
          unproven: facts.unproven,
          unreadable: facts.unreadable,
          network: facts.parts.some((part) => part.network),
        }).toEqual({ writes: [], redirects: [], unproven: undefined, unreadable: false, network: false });
      }),
      { numRuns: 1_500 * RUNS },
    );
  });
});

/** For single quotes around it: text with such quotes in it would not stay inside. */
function unquoted(text: string): string {
  return text.includes("'") ? "touch PWNED" : text;
}

/** Ways to run a writer as part of a line that otherwise reads. */
const PLANTS: readonly ((line: string, writer: string) => string)[] = [
  (line, writer) => `${line}; ${writer}`,
  (line, writer) => `${line} && ${writer}`,
  (line, writer) => `${line} || ${writer}`,
  (line, writer) => `${line} | ${writer}`,
  (line, writer) => `${line} & ${writer}`,
  (line, writer) => `${line}\n${writer}`,
  (line, writer) => `${writer}; ${line}`,
  (line, writer) => `! ${writer} && ${line}`,
  (line, writer) => `(${line}; ${writer})`,
  (line, writer) => `{ ${line}; ${writer}; }`,
  (line, writer) => `echo "$(${writer})"; ${line}`,
  (line, writer) => `echo \`${writer}\`; ${line}`,
  (line, writer) => `cat <(${writer}); ${line}`,
  (line, writer) => `if ${writer}; then ${line}; fi`,
  (line, writer) => `for i in 1; do ${line}; ${writer}; done`,
  (line, writer) => `while ${writer}; do break; done; ${line}`,
  (line, writer) => `case a in a) ${writer};; esac; ${line}`,
  (line, writer) => `x=$(${writer}); ${line}`,
  (line, writer) => `echo \${x:-$(${writer})}; ${line}`,
  (line, writer) => `cat <<E\n$(${writer})\nE\n${line}`,
  (line, writer) => `bash -c '${unquoted(writer)}'; ${line}`,
  (line, writer) => `eval '${unquoted(writer)}'; ${line}`,
  (line, writer) => `timeout 5 ${writer}; ${line}`,
  (line, writer) => `env A=1 ${writer}; ${line}`,
  (line, writer) => `find . -exec ${writer} \\;; ${line}`,
  (line, writer) => `${line} # x\n${writer}`,
  (line, writer) => `[[ $(${writer}) ]]; ${line}`,
  (line, writer) => `f() { ${writer}; }; f; ${line}`,
];
const WRITERS = [
  "touch PWNED",
  "mkdir PWNED",
  "rm a",
  "npm test",
  "./x",
  "cp a PWNED",
  "tee PWNED",
  "python3 x.py",
  "git commit -m x",
  "\\touch PWNED",
  "$X",
  "sort -o PWNED a",
];

const corpus = await loadCorpus();
const everyday = corpus.find(({ file }) => file === "everyday-reads.json")?.groups.flatMap((group) => group.rows.map(([command]) => command)) ?? [];
const oneLine = everyday.filter((command) => !command.includes("\n") && !command.includes("#"));

describe("a planted writer", () => {
  it("is never proven to read only, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...oneLine),
        fc.constantFrom(...WRITERS),
        fc.array(fc.constantFrom(...PLANTS), { minLength: 1, maxLength: 3 }),
        (line, writer, plants) => {
          const command = plants.reduce((inner, plant) => plant(line, inner), writer);
          expect({ command, readOnly: factsOf(command).readOnly }).toEqual({ command, readOnly: false });
        },
      ),
      { numRuns: 1_500 * RUNS },
    );
  });
});

describe("what is proven to read only, run by bash", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-fuzz-"));
    await mkdir(join(folder, "src"));
    for (const name of ["a", "b", "README.md", "src/app.ts"]) await writeFile(join(folder, name), "one\ntwo\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (command: string) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn("/bin/bash", ["-c", command], {
        cwd: folder,
        env: { PATH: "/usr/bin:/bin", HOME: folder },
        stdio: "ignore",
        timeout: LIMIT_MS,
        killSignal: "SIGKILL",
      });
      child.on("error", reject);
      child.on("close", () => resolve());
    });
  const FRAGMENTS = [
    "touch PWNED",
    ";touch PWNED;",
    "$(touch PWNED)",
    "`touch PWNED`",
    "|touch PWNED",
    "&touch PWNED",
    "\ntouch PWNED\n",
    ">PWNED",
    " > PWNED ",
    "&&touch PWNED",
    "<(touch PWNED)",
    "${x:-$(touch PWNED)}",
    "$((a[$(touch PWNED)]))",
    "'",
    '"',
    "\\",
    "\n",
    "\\\n",
    "#",
    "<<E\n",
    "\nE\n",
    "$'",
    "`",
    "(",
    ")",
    "{",
    "}",
    "<<<",
    "[[",
    "*",
    "!",
    "%",
    "=",
    "$",
    "~",
    "\t",
  ];
  const mutation = fc.tuple(
    fc.nat({ max: 200 }),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) }, { weight: 1, arbitrary: fc.constantFrom(...everyday) }),
  );

  it(
    "leaves no canary",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...everyday), fc.array(mutation, { minLength: 1, maxLength: 4 }), async (line, mutations) => {
          const command = mutations.reduce(
            (text, [at, fragment]) => text.slice(0, at % (text.length + 1)) + fragment + text.slice(at % (text.length + 1)),
            line,
          );
          if (!command.includes("PWNED") || !factsOf(command, folder).readOnly) return;
          await run(command);
          const canary = await access(join(folder, "PWNED")).then(
            () => true,
            () => false,
          );
          if (canary) await rm(join(folder, "PWNED"));
          expect({ command, canary }).toEqual({ command, canary: false });
        }),
        { numRuns: 2_000 * RUNS },
      );
    },
    60_000 * RUNS,
  );
});
