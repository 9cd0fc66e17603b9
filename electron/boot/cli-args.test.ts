import { describe, expect, it } from "vitest";
import { parseCliArgs, ruleList } from "./cli-args.ts";

const run = (...argv: string[]) => {
  const parsed = parseCliArgs(argv);
  return parsed.ok ? parsed.value : parsed.error;
};

describe("headless flags", () => {
  it("takes a prompt with -p before or after it, and none means standard input", () => {
    expect(run("-p", "say hi")).toMatchObject({ command: "run", prompt: "say hi", format: "text" });
    expect(run("say hi", "--print")).toMatchObject({ prompt: "say hi" });
    expect(run("-p")).toMatchObject({ prompt: undefined });
    expect(run("-p", "-")).toMatchObject({ prompt: undefined });
  });

  it("reads every flag of a run", () => {
    expect(
      run(
        "-p",
        "x",
        "--output-format",
        "stream-json",
        "--include-partial-messages",
        "--provider",
        "openai-chat",
        "--base-url",
        "http://127.0.0.1:1/v1",
        "--model",
        "m",
        "--permission-mode",
        "bypass",
        "--allowedTools",
        "bash(npm test:*),edit(src/**)",
        "--disallowed-tools",
        "bash(rm *)",
        "--max-turns",
        "7",
        "--max-spend",
        "0.5",
      ),
    ).toMatchObject({
      format: "stream-json",
      partial: true,
      provider: "openai-chat",
      baseUrl: "http://127.0.0.1:1/v1",
      model: "m",
      mode: "bypass",
      allow: ["bash(npm test:*)", "edit(src/**)"],
      deny: ["bash(rm *)"],
      maxSteps: 7,
      maxSpend: { usd: 0.5 },
    });
  });

  it.each([
    ["an unknown flag", ["-p", "x", "--wat"], /wat/],
    ["an unknown provider", ["-p", "x", "--provider", "acme"], /anthropic, openai/],
    ["a number that is none", ["-p", "x", "--max-turns", "many"], /whole number/],
    ["zero steps", ["-p", "x", "--max-turns", "0"], /above 0/],
    ["two prompts", ["-p", "fix", "it"], /quotes/],
    ["a base URL without a scheme", ["-p", "x", "--base-url", "localhost:1"], /http/],
    ["a part that does not exist", ["-p", "x", "--mcp-config", "f.json"], /not available/],
    ["continue and resume together", ["-p", "x", "-c", "--resume", "s"], /exclude/],
    ["restore without an id", ["checkpoints", "restore"], /needs the id/],
    ["an id that undo does not take", ["checkpoints", "undo", "c1"], /takes no id/],
    ["a flag that a verb does not heed", ["checkpoints", "show", "c1", "--exact"], /--exact does not belong/],
    ["a flag of a run with a checkpoint verb", ["checkpoints", "list", "--model", "m"], /--model does not belong/],
    ["an empty file name", ["checkpoints", "restore", "c1", "--files", "a.txt,"], /empty name/],
    ["an unknown checkpoint verb", ["checkpoints", "explode"], /list, show/],
    ["a rule list with an open bracket", ["-p", "x", "--allowedTools", "bash(npm"], /bracket/],
  ])("refuses %s with the way out", (_name, argv, words) => {
    expect(run(...argv)).toMatch(words);
  });

  it("reads the checkpoint and session commands", () => {
    expect(run("checkpoints", "diff", "c1", "--files", "a\\,b.txt,c.txt")).toMatchObject({ files: ["a,b.txt", "c.txt"] });
    expect(run("checkpoints")).toMatchObject({ command: "checkpoints", verb: "list" });
    expect(run("checkpoints", "restore", "c1", "--exact", "--files", "a.txt,b.txt", "--dry-run")).toMatchObject({
      verb: "restore",
      id: "c1",
      exact: true,
      dryRun: true,
      files: ["a.txt", "b.txt"],
    });
    expect(run("sessions", "export", "s1", "--output-format", "json")).toMatchObject({ command: "sessions", verb: "export", id: "s1", format: "json" });
    expect(run("--help")).toEqual({ command: "help" });
  });

  it("splits rule lists outside of brackets only", () => {
    expect(ruleList(["Bash(git log *) Edit", "a(b, c),d"])).toEqual(["Bash(git log *)", "Edit", "a(b, c)", "d"]);
  });
});
