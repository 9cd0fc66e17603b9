import { describe, expect, it } from "vitest";
import { loadShellParser } from "#electron/testkit/shell-parser.ts";
import { analyseCommand, SHELL_MAX_CHARS } from "#electron/permissions/shell/analyse.ts";
import { isShellFacts, unreadableFacts } from "./shell-facts.ts";
import { shellJudge } from "./shell-judge.ts";

const parse = await loadShellParser();
const place = { cwd: "/w", home: "/home/u" };
const factsOf = (command: string) => analyseCommand(command, place, parse).facts;

describe("facts about a command", () => {
  it("name every part, what it reads and writes, and whether all of it was proven", () => {
    expect(factsOf("CI=1 timeout 5 npm test 2>&1 | tee -a out/log.txt > last.txt")).toEqual({
      kind: "shell_facts",
      command: "CI=1 timeout 5 npm test 2>&1 | tee -a out/log.txt > last.txt",
      parts: [
        {
          text: "timeout 5",
          known: ["timeout", "5"],
          complete: true,
          does: "nothing",
          env: [{ text: "CI=1", harmless: true }],
          writes: [],
          deletes: [],
          network: false,
          sweeping: false,
        },
        {
          text: "npm test",
          known: ["npm", "test"],
          complete: true,
          does: "unknown",
          why: "npm runs scripts or fetches packages",
          env: [{ text: "CI=1", harmless: true }],
          writes: [],
          deletes: [],
          network: false,
          sweeping: false,
        },
        {
          text: "tee -a out/log.txt",
          known: ["tee", "-a", "out/log.txt"],
          complete: true,
          does: "files",
          env: [],
          writes: ["/w/out/log.txt"],
          deletes: [],
          network: false,
          sweeping: false,
        },
      ],
      reads: ["/w"],
      redirects: ["/w/last.txt"],
      readOnly: false,
      unproven: "npm runs scripts or fetches packages",
      unreadable: false,
      background: false,
    });
  });

  it.each([
    ["rm -rf src lib", { deletes: ["/w/src", "/w/lib"], sweeping: true }],
    ["rm src/a", { deletes: ["/w/src/a"], sweeping: false }],
    ["rm *.md", { deletes: ["/w"], sweeping: true }],
    ["mv a b", { deletes: ["/w/a"], sweeping: false }],
    ["find src -delete", { deletes: ["/w/src"], sweeping: true }],
  ])("%s deletes %j", (command, expected) => {
    const [part] = factsOf(command).parts;
    expect({ deletes: part?.deletes, sweeping: part?.sweeping }).toEqual(expected);
  });

  it.each([
    ["cd src && cat a", ["/w/src/a"]],
    ["cat a ../b ~/c /d", ["/w/a", "/w/../b", "/home/u/c", "/d"]],
    ["cd x; cat a", ["/w/x/a", "/w/a"]],
    ["cat < a", ["/w/a"]],
    ['f=a; cat "$f"', ["/w/a"]],
    ["for f in a b; do cat $f; done", ["/w/a", "/w/b"]],
    ["cat src/*.ts", ["/w/src/"]],
    ["grep -f p x a", ["/w/x", "/w/a", "/w/p"]],
    ["ls", ["/w"]],
    ["echo hi", []],
  ])("%s reads %j", (command, reads) => {
    expect(factsOf(command).reads).toEqual(reads);
  });

  it.each([
    ["git push", "git push"],
    ["cd x && git commit -m y", "git commit"],
    ["timeout 5 git -C x reset --hard", "git reset"],
    ["git log", undefined],
  ])("%s is guarded as %s (P12)", (command, git) => {
    expect(factsOf(command).parts.find((part) => part.git !== undefined)?.git).toBe(git);
  });

  it("a command of any length or with odd characters is not read", () => {
    expect([
      factsOf(`echo ${"x".repeat(SHELL_MAX_CHARS)}`).unreadable,
      factsOf("ls\u00a0-la").unreadable,
      factsOf("ls\r\nrm x").unreadable,
      factsOf("ec\\\nho").unreadable,
    ]).toEqual([true, true, true, true]);
  });

  it("deep nesting ends in a question, not in a crash", () => {
    const deep = `${"( ".repeat(200)}ls${" )".repeat(200)}`;
    const substitutions = `${"$(echo ".repeat(100)}x${")".repeat(100)}`;
    expect([factsOf(deep).readOnly, factsOf(`echo ${substitutions}`).readOnly]).toEqual([false, false]);
  });

  it("very many parts end in a question", () => {
    expect(factsOf(Array.from({ length: 300 }, (_unused, n) => `echo ${n}`).join("; ")).unproven).toBe("more commands than can be judged");
  });
});

describe("what the shell tool declares", () => {
  it.each([
    ["ls | head", { readOnly: true, concurrencySafe: true, destructive: false }],
    ["ls &", { readOnly: true, concurrencySafe: false, destructive: false }],
    ["npm test", { readOnly: false, concurrencySafe: false, destructive: false }],
    ["touch a", { readOnly: false, concurrencySafe: false, destructive: false }],
    ["rm -r a", { readOnly: false, concurrencySafe: false, destructive: true }],
    ["git reset --hard", { readOnly: false, concurrencySafe: false, destructive: true }],
    ["if then", { readOnly: false, concurrencySafe: false, destructive: true }],
  ])("%s: %j", (command, expected) => {
    const facts = factsOf(command);
    expect({ readOnly: shellJudge.readOnly(facts), concurrencySafe: shellJudge.concurrencySafe(facts), destructive: shellJudge.destructive(facts) }).toEqual(
      expected,
    );
  });

  it.each([
    ["ls src", [{ kind: "reads", target: "/w/src" }]],
    ["touch a", [{ kind: "writes", target: "/w/a" }]],
    ["echo x > a", [{ kind: "writes", target: "/w/a" }]],
    ["rm a", [{ kind: "deletes", target: "/w/a" }]],
    ["npm test", [{ kind: "reads", target: "/w" }, { kind: "runs" }]],
    ["git add .", [{ kind: "reads", target: "/w" }, { kind: "git_index" }, { kind: "runs" }]],
    ["curl -s https://user@example.org:8080/x", [{ kind: "reads", target: "/w" }, { kind: "network", target: "example.org" }, { kind: "runs" }]],
    ["git push", [{ kind: "reads", target: "/w" }, { kind: "network", target: "git" }, { kind: "git_index" }, { kind: "runs" }]],
    ["if then", [{ kind: "runs" }, { kind: "workspace_global" }]],
  ])("%s has the effects %j", (command, effects) => {
    expect(shellJudge.effects(factsOf(command), place)).toEqual(effects);
  });

  it("has no opinion of its own: rules, modes and the person decide", () => {
    expect(shellJudge.opinion(factsOf("git push"))).toEqual({ behavior: "pass" });
  });

  it.each([undefined, null, 7, {}, { kind: "other" }, unreadableFacts("ls", "x")])("without facts everything is unsafe: %j", (facts) => {
    expect({
      readOnly: shellJudge.readOnly(facts),
      concurrencySafe: shellJudge.concurrencySafe(facts),
      destructive: shellJudge.destructive(facts),
      effects: shellJudge.effects(facts, place),
      rules: shellJudge.suggestRules(facts, "bash"),
    }).toEqual({ readOnly: false, concurrencySafe: false, destructive: true, effects: [{ kind: "runs" }, { kind: "workspace_global" }], rules: [] });
  });

  it("facts are known by their tag", () => {
    expect([isShellFacts(factsOf("ls")), isShellFacts({ kind: "shell" }), isShellFacts(null)]).toEqual([true, false, false]);
  });
});

describe("rules offered for “Always…” (B16)", () => {
  it.each([
    ["mkdir foo", ["bash(mkdir foo)", "bash(mkdir *)"]],
    ["npm test", ["bash(npm test)", "bash(npm test *)"]],
    ["npm run build -- --watch", ["bash(npm run build -- --watch)", "bash(npm run build *)"]],
    ["CI=1 npm test", ["bash(npm test)", "bash(npm test *)"]],
    ["PATH=x npm test", ["bash(PATH=x npm test)"]],
    ["npm install && npm test", ["bash(npm install && npm test)", "bash(npm install)", "bash(npm install *)", "bash(npm test)", "bash(npm test *)"]],
    ["ls && make build", ["bash(ls && make build)", "bash(make build)", "bash(make build *)"]],
    ["timeout 60 npm test", ["bash(timeout 60 npm test)", "bash(npm test)", "bash(npm test *)"]],
    ["python3 -c \"import os; os.remove('x')\"", ["bash(python3 -c \"import os; os.remove('x')\")"]],
    ["tclsh run.tcl", ["bash(tclsh run.tcl)"]],
    ["Rscript fit.R", ["bash(Rscript fit.R)"]],
    ["rm -rf build", ["bash(rm -rf build)"]],
    ["git push origin main", ["bash(git push origin main)"]],
    ["sudo apt update", ["bash(sudo apt update)"]],
    ["./gradlew test --info", ["bash(./gradlew test --info)", "bash(./gradlew test *)"]],
    ["echo a* | xargs touch", ["bash(touch *)"]],
    ["cat > /tmp/r.md <<'EOF'\n# x:* y\nEOF", []],
    ["npm test > out.txt", []],
    ['for f in a b; do\n  cat "$f"\ndone', []],
    ['for f in *; do\n  tsc "$f"\ndone', ["bash(tsc *)"]],
    ["curl x | sh", []],
    ["$X y", []],
    ["if then", []],
    ["f() { ls; }; f", []],
    ["npm", ["bash(npm)"]],
    ["tsc -p a*b", ["bash(tsc *)"]],
  ])("%j → %j", (command, expected) => {
    expect(shellJudge.suggestRules(factsOf(command), "bash")).toEqual(expected);
  });

  it("a command of 4000 characters is offered byte for byte", () => {
    const command = `mytool ${"*a\\b ".repeat(790)}`.trim();
    const [rule = ""] = shellJudge.suggestRules(factsOf(command.replaceAll("*a\\b", "'*a\\b'")), "bash");
    expect(rule.length).toBeGreaterThan(4_000);
  });
});
