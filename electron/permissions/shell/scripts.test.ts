// sed and awk scripts: what is called harmless is run by the real programs, with a canary in every dangerous place (B03).
import { execFile } from "node:child_process";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isHarmlessAwk } from "./awk-script.ts";
import { isHarmlessSed } from "./sed-script.ts";

const RUNS = Number(process.env["CAIRN_FUZZ"] ?? 1);

describe("isHarmlessSed", () => {
  it.each([
    "p",
    "5p",
    "1,10p",
    "$d",
    "$!d",
    "/x/d",
    "/x/I,+3p",
    "1~2d",
    "\\,x,d",
    "s/a/b/",
    "s/a/b/g",
    "s/a/b/2gp",
    "s|a|b|",
    "s/a\\/b/c/",
    "s/[/]*x/y/".replace("/]", "a]"),
    "s/[[:space:]]*$//",
    "s/[^]]x//",
    "y/abc/xyz/",
    "/a/{p;d}",
    "/a/{\np\nd\n}",
    "p;p",
    ":a;s/x/y/;ta",
    "N;P;D",
    "=",
    "a hello",
    "i\\\nhello",
    "c text",
    "q",
    "q5",
    "# comment",
    "",
    "h;G;x",
    "l",
    "n;d",
    "/a/!s/b/c/",
    "s/a/b/;s/c/d/",
  ])("%j", (script) => {
    expect(isHarmlessSed(script)).toBe(true);
  });

  it.each([
    "e touch PWNED",
    "1e touch PWNED",
    "e",
    "w out",
    "p;w out",
    "/a/w out",
    "W out",
    "r /etc/passwd",
    "R x",
    "F",
    "s/a/b/e",
    "s/a/b/w out",
    "s/a/b/gw out",
    "s/a/b/;e x",
    "s/a/b",
    "s/a",
    "y/a/b",
    "s/[/]/x/",
    "s/[]/]/p;s,a/w out,b,",
    "s/[[:alpha:]/]/x/w out",
    "s\na\nb\n",
    "s\\a\\b\\",
    "a\\\nx\nw out",
    "a x\\",
    "v 5",
    "M",
    "p w out",
    "1,w out",
    "\\",
    "/a",
    "z;w x",
    "}w x",
    "b a;e x;",
    ": a b",
  ])("%j is not", (script) => {
    expect(isHarmlessSed(script)).toBe(false);
  });
});

describe("isHarmlessAwk", () => {
  it.each([
    "{print $1}",
    "NR==1",
    "/a|b/",
    "$1 > 5",
    "{ if ($1 > 5) print }",
    'BEGIN{FS=","} {print $2}',
    "END{print NR/2}",
    "{a[$1]++} END{for (k in a) print k, a[k]}",
    "{print length($0)}",
    '{printf "%s > %d | x\\n", $1, $2}',
    '{gsub(/x|y/, "z"); print}',
    '# system("x")\n{print}',
    "{print $1 / 2}",
    "NR%2",
    "{print substr($0, 1, 3)}",
    '$0 ~ "a|b"',
    "!seen[$0]++",
    "{$1=$1};1",
    "{ x = a || b; print x }",
    "",
    "{ print (a ? b : c) }",
    "{print toupper($0)}",
  ])("%j", (program) => {
    expect(isHarmlessAwk(program)).toBe(true);
  });

  it.each([
    'BEGIN{system("x")}',
    '{print > "out"}',
    '{print >> "out"}',
    '{print | "sh"}',
    '{printf "x" > "out"}',
    '{"cmd" | getline}',
    '{getline < "f"}',
    "{getline}",
    '@load "x"',
    '@include "x"',
    '{f="system"; @f("x")}',
    '{print ENVIRON["A"]}',
    '{ARGV[1]="x"}',
    '{print "a" |& "cmd"}',
    '{ x = 1 / 2 | "cmd" / 3 }',
    '{ x++ / 2 | "cmd" / 3 }',
    '{print "unclosed}',
    "{print /unclosed}",
    "function f() {}",
    '{print(1) > "out"}',
    "{print $1, $2 > $3}",
    "{print `x`}",
    'BEGIN { printf "%s", PROCINFO["pid"] }',
    '{ print "a" > "/dev/tcp/x" }',
    '/[/]|"x"/',
  ])("%j is not", (program) => {
    expect(isHarmlessAwk(program)).toBe(false);
  });
});

describe("what is called harmless, run by the real programs", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-scripts-"));
    await writeFile(join(folder, "f"), "one a 1\ntwo b 2\nthree/c x\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (program: string, args: readonly string[]) =>
    new Promise<void>((resolve) => {
      execFile(program, [...args], { cwd: folder, timeout: 2_000, killSignal: "SIGKILL", env: { PATH: "/usr/bin:/bin" } }, () => resolve());
    });
  const leavesNothing = async (program: string, args: readonly string[]) => {
    await run(program, args);
    const canary = await access(join(folder, "PWNED")).then(
      () => true,
      () => false,
    );
    if (canary) await rm(join(folder, "PWNED"));
    expect({ args, canary }).toEqual({ args, canary: false });
  };

  const SED = [
    "s",
    "/",
    "a",
    "b",
    "[",
    "]",
    "^",
    "[:alpha:]",
    "\\",
    ";",
    "\n",
    "{",
    "}",
    "p",
    "g",
    "1",
    ",",
    "$",
    "!",
    " ",
    "e touch PWNED",
    "w PWNED",
    "/w PWNED",
    "/e",
    "|",
    "y",
    "i",
    "\\\n",
    "I",
    "+2",
    "~",
    "t",
    ":x",
    "#",
    "&",
    ".",
  ];
  it(
    "sed",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...SED), { minLength: 2, maxLength: 14 }), async (pieces) => {
          const script = pieces.join("");
          if (/PWNED/.test(script) && isHarmlessSed(script)) await leavesNothing("sed", [script, "f"]);
        }),
        { numRuns: 6_000 * RUNS },
      );
    },
    60_000 * RUNS,
  );

  const AWK = [
    "{",
    "}",
    "print ",
    "printf ",
    "$1",
    "a",
    "1",
    "/",
    "|",
    "||",
    ">",
    ">>",
    '"touch PWNED"',
    '"PWNED"',
    '"',
    "\\",
    "(",
    ")",
    "[",
    "]",
    "++",
    "--",
    ",",
    ";",
    "\n",
    " ",
    "in ",
    "if (",
    "x=",
    "+",
    "-",
    "!",
    "~",
    "?",
    ":",
    "system(",
    "#",
    "BEGIN",
  ];
  it(
    "awk",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...AWK), { minLength: 2, maxLength: 14 }), async (pieces) => {
          const program = `{${pieces.join("")}}`;
          if (/PWNED/.test(program) && /[|>]|system/.test(program) && isHarmlessAwk(program)) await leavesNothing("awk", [program, "f"]);
        }),
        { numRuns: 6_000 * RUNS },
      );
    },
    60_000 * RUNS,
  );
});
