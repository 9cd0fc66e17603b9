import { describe, expect, it } from "vitest";
import { loadShellParser } from "#electron/testkit/shell-parser.ts";
import { analyseCommand } from "./analyse.ts";
import { changesWhatRuns, isHarmlessAssignment, isSecretName } from "./env-names.ts";
import { splitWords } from "./flags.ts";
import { textWord, type Word } from "./word.ts";

const parse = await loadShellParser();
/** The words that a command is known to have, seen through a program nobody knows. */
const wordsOf = (words: string, before = "") => {
  const { parts } = analyseCommand(`${before}prog ${words}`, { cwd: "/w", home: "/home/u" }, parse).facts;
  const part = parts.find((one) => one.known[0] === "prog");
  return part === undefined ? undefined : { known: part.known.slice(1), complete: part.complete };
};
const whole = (...known: readonly string[]) => ({ known, complete: true });
const until = (...known: readonly string[]) => ({ known, complete: false });

describe("words after the shell's expansions", () => {
  it.each([
    ["a b", whole("a", "b")],
    ["'a b' \"c d\" e\\ f", whole("a b", "c d", "e f")],
    ["a'b'\"c\"d", whole("abcd")],
    ["'it'\\''s'", whole("it's")],
    ['"a\\"b\\\\c\\d"', whole('a"b\\c\\d')],
    ["$'a\\nb\\tc'", whole("a\nb\tc")],
    ["$'\\x41'", until()],
    ["'' x", whole("", "x")],
    ['"" x', whole("", "x")],
    ["{a,b}.c", whole("a.c", "b.c")],
    ["x{a,b{c,d}}y", whole("xay", "xbcy", "xbdy")],
    ["{a}", whole("{a}")],
    ["'{a,b}'", whole("{a,b}")],
    ["{1..3}", until()],
    ["a* b", until()],
    ["'a*' b", whole("a*", "b")],
    ["a\\* b", whole("a*", "b")],
    ["~ ~/x", whole("/home/u", "/home/u/x")],
    ["'~' a~ x=~/y", whole("~", "a~", "x=~/y")],
    ["~root", until()],
    ['$HOME/x "$HOME"', whole("/home/u/x", "/home/u")],
    ["$PWD", whole("/w")],
    ["$(pwd)/x", whole("/w/x")],
    ["$X a", until()],
    ['a "$X"', until("a")],
    ["a$X", until()],
    ["$(cat f)", until()],
    ["$?", whole("0")],
    ['"a  b"', whole("a  b")],
    ['" a $HOME  b "', whole(" a /home/u  b ")],
    ["a \\\n  b", whole("a", "b")],
    ["a=b --c=d", whole("a=b", "--c=d")],
    ["a#b", whole("a#b")],
  ])("%j → %j", (words, expected) => {
    expect(wordsOf(words)).toEqual(expected);
  });

  it.each([
    ["x=a; ", '"$x" $x', whole("a", "a")],
    ["x='a b'; ", "$x", until()],
    ["x=a; x=b; ", "$x", whole("b")],
    ["x=a; if y; then x=b; fi; ", "$x", until()],
    ["x=a; (x=b); ", "$x", whole("a")],
    ["x=a; x+=b; ", "$x", until()],
    ["read x; ", "$x", until()],
    ["x=a; unset x; ", "$x", until()],
    ["export x=a; ", "$x", whole("a")],
    ["x=$(cat f); ", "$x", until()],
    ["x=$HOME; ", "$x/y", whole("/home/u/y")],
  ])("%s%j → %j", (before, words, expected) => {
    expect(wordsOf(words, before)).toEqual(expected);
  });
});

describe("assignments (B08)", () => {
  it.each([
    ["CI", "1"],
    ["NODE_ENV", "test"],
    ["FOO", "bar"],
    ["DEBUG", "app:*"],
    ["LC_ALL", "C.UTF-8"],
    ["GOFLAGS", "-mod=vendor"],
    ["GOFLAGS", "-count=1 -race"],
    ["AWS_PROFILE", "prod"],
    ["X", ""],
    ["RUST_LOG", "debug"],
  ])("%s=%s is harmless", (name, value) => {
    expect(isHarmlessAssignment(name, value)).toBe(true);
  });

  it.each([
    ["PATH", "./bin"],
    ["LD_PRELOAD", "x"],
    ["DYLD_INSERT_LIBRARIES", "x"],
    ["NODE_OPTIONS", "x"],
    ["BASH_ENV", "x"],
    ["PYTHONPATH", "."],
    ["GIT_SSH_COMMAND", "x"],
    ["GIT_DIR", "x"],
    ["PAGER", "x"],
    ["EDITOR", "x"],
    ["IFS", "x"],
    ["GOFLAGS", "-toolexec=./x"],
    ["CC", "x"],
    ["RUSTC_WRAPPER", "x"],
    ["npm_config_x", "y"],
    ["HOME", "/x"],
    ["MAKEFLAGS", "--eval=x"],
    ["JAVA_TOOL_OPTIONS", "-javaagent:x"],
    ["PERL5OPT", "x"],
    ["FOO_PLUGIN", "x"],
    ["FOO", "./x"],
    ["FOO", "a b"],
    ["FOO", undefined],
    ["CI", "$(x)"],
    ["SHELLOPTS", "xtrace"],
    ["PS4", "x"],
    ["http_proxy", "x"],
  ])("%s=%s is not", (name, value) => {
    expect(isHarmlessAssignment(name, value)).toBe(false);
  });

  it("knows names that change what runs whatever their value, and names of secrets", () => {
    expect(["PATH", "LD_X", "GIT_Y", "IFS"].every(changesWhatRuns)).toBe(true);
    expect(["CI", "FOO", "NODE_ENV"].some(changesWhatRuns)).toBe(false);
    expect(["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "DB_PASSWORD", "MY_PAT", "SSH_AUTH_SOCK", "KEY"].every(isSecretName)).toBe(true);
    expect(["PATH", "HOME", "KEYBOARD", "MONKEY", "PASSAGE", "PATIENT"].some(isSecretName)).toBe(false);
  });
});

describe("options", () => {
  const rules = { deny: ["-o", "--output", "--compress-program"], values: ["-k", "--key"], paths: ["-f", "--file"] };
  const split = (words: readonly (string | Word)[], anyWords = false) => {
    const { operands, files, problem } = splitWords(
      words.map((word) => (typeof word === "string" ? textWord(word) : word)),
      rules,
      anyWords,
    );
    const shown = (word: Word) => (word.kind === "text" ? word.text : word.raw);
    return { operands: operands.map(shown), files: files.map(shown), problem };
  };
  const unknown: Word = { kind: "unknown", raw: "$X", head: "" };
  const names: Word = { kind: "names", raw: "*", base: "", dash: true, links: "here" };

  it.each([
    [["-n", "a"], { operands: ["a"], files: [], problem: undefined }],
    [["-k", "2", "a"], { operands: ["a"], files: [], problem: undefined }],
    [["-k2", "a"], { operands: ["a"], files: [], problem: undefined }],
    [["-f", "p", "a"], { operands: ["a"], files: ["p"], problem: undefined }],
    [["-nfp", "a"], { operands: ["a"], files: ["p"], problem: undefined }],
    [["--file=p"], { operands: [], files: ["p"], problem: undefined }],
    [["--fil=p"], { operands: [], files: ["p"], problem: undefined }],
    [["--any=/etc/x"], { operands: [], files: ["/etc/x"], problem: undefined }],
    [["--", "-n"], { operands: ["-n"], files: [], problem: undefined }],
    [["-"], { operands: ["-"], files: [], problem: undefined }],
  ])("%j", (words, expected) => {
    expect(split(words)).toEqual(expected);
  });

  it.each([
    [["-o", "x"]],
    [["-ox"]],
    [["-no", "x"]],
    [["--output=x"]],
    [["--outp=x"]],
    [["--o=x"]],
    [["--compress=x"]],
    [["-k", "--", "-o", "x"]],
    [["-k", "-o"]],
    [["--", "-o"]],
  ])("%j holds what must not be there", (words) => {
    expect(split(words).problem).toMatch(/^the option/);
  });

  it("an unknown word may be an option, unless that is harmless or after --", () => {
    expect([split([unknown]).problem, split([names]).problem, split([unknown], true).problem, split(["--", unknown]).problem]).toEqual([
      "$X may turn out to be an option",
      "* may turn out to be an option",
      undefined,
      undefined,
    ]);
  });
});
