import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactCommand, commandWithAnyArguments, isExactCommand, literalStart, matchesCommand } from "./rule-command.ts";
import { absolutePatterns, escapeGlob } from "./rule-path.ts";
import { formatRule, namesTool, parseRule, parseRules, RULE_MAX_CHARS } from "./rule.ts";

describe("parseRule", () => {
  it.each([
    ["bash", { tool: "bash", content: undefined }],
    ["Bash(npm test:*)", { tool: "bash", content: "npm test:*" }],
    ["  edit ( src/** ) ", { tool: "edit", content: " src/** " }],
    ["mcp__github", { tool: "mcp__github", content: undefined }],
    ["mcp__github__*", { tool: "mcp__github__*", content: undefined }],
    ["bash(echo (a) (b))", { tool: "bash", content: "echo (a) (b)" }],
    ["bash(a\nb)", { tool: "bash", content: "a\nb" }],
  ])("%j", (source, expected) => {
    expect(parseRule(source)).toEqual({ source, ...expected });
  });

  it.each(["", "bash(", "bash)", "bash()", "bash( )", "ba sh", "bash(x) y", "(x)", "fi; done", "x".repeat(RULE_MAX_CHARS + 1), "编辑(x)"])(
    "%j is no rule",
    (source) => {
      expect(parseRule(source)).toBeUndefined();
    },
  );

  it("keeps any content byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 500 }), (content) => {
        fc.pre(content.trim() !== "");
        expect(parseRule(formatRule("bash", content))?.content).toBe(content);
      }),
    );
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseRule(text)));
  });
});

describe("parseRules", () => {
  it("leaves the good rules in force when others are broken", () => {
    expect(parseRules(["bash(git log *)", "bash(", "edit(src/**)"], false)).toEqual({
      rules: [parseRule("bash(git log *)"), parseRule("edit(src/**)")],
      problems: [{ rule: "bash(", kind: "not_a_rule" }],
    });
  });

  it.each(["*", "mcp__*", "ba*", "mcp__*__x"])("%s is too wide to allow, but may deny", (rule) => {
    expect(parseRules([rule], true).problems).toEqual([{ rule, kind: "too_wide" }]);
    expect(parseRules([rule], false).problems).toEqual([]);
  });

  it.each(["mcp__github__*", "mcp__github__get_*", "mcp__my-server__*"])("%s names one server", (rule) => {
    expect(parseRules([rule], true).problems).toEqual([]);
  });
});

describe("namesTool", () => {
  it.each([
    ["bash", "bash", true],
    ["BASH", "Bash", true],
    ["bash", "bash_output", false],
    ["mcp__github", "mcp__github__create_issue", true],
    ["mcp__github", "mcp__github2__x", false],
    ["mcp__github__*", "mcp__github__create_issue", true],
    ["mcp__github__get_*", "mcp__github__create_issue", false],
    ["mcp__*", "mcp__github__x", true],
    ["mcp__a.b", "mcp__aXb__c", false],
    ["*", "anything", true],
  ])("%s and %s: %s", (rule, tool, expected) => {
    const parsed = parseRule(rule);
    expect(parsed !== undefined && namesTool(parsed, tool)).toBe(expected);
  });
});

describe("matchesCommand", () => {
  it.each([
    ["git log *", "git log", true],
    ["git log *", "git log -p", true],
    ["git log *", "git logout", false],
    ["git log:*", "git log -p", true],
    ["git log:*", "git log", true],
    ["git log:*", "git logout", false],
    ["git log*", "git logout", true],
    ["git status", "git status", true],
    ["git status", "git status -s", false],
    ["git * main", "git push origin main", true],
    ["git * main", "git push origin dev", false],
    ["npm run test:*", "npm run test", true],
    ["npm run test:*", "npm run test:unit", false],
    ["*", "anything at all", true],
    ["* --help", "npm --help", true],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "acb", false],
    ["rm \\*.log", "rm *.log", true],
    ["rm \\*.log", "rm a.log", false],
    ["echo \\\\", "echo \\", true],
    ["echo \\n", "echo \\n", true],
    ["aa*aa", "aaa", false],
    ["git log *", "git log\t-p", true],
    ["", "", true],
  ])("%j and %j: %s", (content, command, expected) => {
    expect(matchesCommand(content, command)).toBe(expected);
  });

  it("an exact command matches itself and nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "binary", maxLength: 20 }), (command, other) => {
        const content = exactCommand(command);
        expect({ self: matchesCommand(content, command), exact: isExactCommand(content), start: literalStart(content) }).toEqual({
          self: true,
          exact: true,
          start: command,
        });
        expect(matchesCommand(content, command + other)).toBe(other === "");
      }),
    );
  });

  it("a command with any arguments never covers a longer word", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/), fc.stringMatching(/^[a-z]{1,8}$/), (command, more) => {
        const content = commandWithAnyArguments(command);
        expect([matchesCommand(content, command), matchesCommand(content, `${command} ${more}`), matchesCommand(content, command + more)]).toEqual([
          true,
          true,
          false,
        ]);
      }),
    );
  });

  it("takes a long command byte for byte", () => {
    const command = `echo ${"x* \\".repeat(1_000)}`;
    const rule = parseRule(formatRule("bash", exactCommand(command)));
    expect(rule?.content !== undefined && matchesCommand(rule.content, command)).toBe(true);
  });

  it("stays linear in rules made to hang a matcher", () => {
    const started = performance.now();
    matchesCommand("*a".repeat(2_000), "a".repeat(1_999));
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe("absolutePatterns", () => {
  const roots = { workspace: "/w", home: "/home/u" };
  it.each([
    ["src/**", false, ["/w/src/**"]],
    ["./src/a.ts", false, ["/w/src/a.ts"]],
    ["src/", false, ["/w/src", "/w/src/**"]],
    ["~/notes/**", false, ["/home/u/notes/**"]],
    ["~", false, ["/home/u"]],
    ["//etc/**", false, ["/etc/**"]],
    ["/src/a", false, ["/w/src/a", "/src/a"]],
    ["notes.md", false, ["/w/notes.md"]],
    ["notes.md", true, ["/w/notes.md", "/w/notes.md/**", "/w/**/notes.md", "/w/**/notes.md/**"]],
    ["src\\a", false, ["/w/src/a"]],
  ])("%s (any depth: %s)", (content, anyDepth, expected) => {
    expect(absolutePatterns(content, roots, anyDepth)).toEqual(expected);
  });

  it("takes the folders themselves literally", () => {
    expect(absolutePatterns("a", { workspace: "/w (1)[x]", home: "/h" }, false)).toEqual(["/w \\(1\\)\\[x\\]/a"]);
    expect(escapeGlob("a*b{c}")).toBe("a\\*b\\{c\\}");
  });
});
