import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HookContext, type HookEnd, readAnswer } from "./answer.ts";
import type { HookEventName } from "#shared/settings/settings.ts";
import type { HookOutcome } from "./contract.ts";
import { claudeName } from "./claude-names.ts";
import { parseMatcher } from "./matcher.ts";

const matching = (words: RegExp): unknown => expect.stringMatching(words);

const end = (stdout: unknown, more: Partial<HookEnd> = {}): HookEnd => ({
  exitCode: 0,
  signal: null,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr: "",
  cut: false,
  ...more,
});
const at = (event: HookEventName, subject = "bash"): HookContext => ({ event, subject, command: "guard.sh", maxOutputBytes: 65_536 });

describe("the answer of a hook", () => {
  it.each<{ name: string; end: HookEnd; event?: HookEventName; subject?: string; outcomes: HookOutcome[]; problem?: RegExp }>([
    { name: "nothing", end: end(""), outcomes: [] },
    {
      name: "exit code 2 blocks with stderr",
      end: end("", { exitCode: 2, stderr: " rm is forbidden\n" }),
      outcomes: [{ kind: "block", reason: "rm is forbidden" }],
    },
    { name: "exit code 2 without words", end: end({ decision: "approve" }, { exitCode: 2 }), outcomes: [{ kind: "block", reason: "the hook gave no reason" }] },
    {
      name: "another exit code only reports",
      end: end({ decision: "block" }, { exitCode: 1, stderr: "oops\n" }),
      outcomes: [],
      problem: /exit code 1: oops\. Only exit code 2 blocks/,
    },
    { name: "a signal only reports", end: end("", { exitCode: null, signal: "SIGSEGV" }), outcomes: [], problem: /signal SIGSEGV/ },
    { name: "block", end: end({ decision: "block", reason: "tests fail" }), event: "Stop", subject: "", outcomes: [{ kind: "block", reason: "tests fail" }] },
    { name: "approve, the old way", end: end({ decision: "approve", reason: "safe" }), outcomes: [{ kind: "permission", says: "allow", reason: "safe" }] },
    { name: "approve where there is nothing to permit", end: end({ decision: "approve" }), event: "Stop", outcomes: [] },
    ...(["allow", "deny", "ask"] as const).map((says) => ({
      name: `permission ${says}`,
      end: end({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: says, permissionDecisionReason: "policy" } }),
      outcomes: [{ kind: "permission", says, reason: "policy" } as const],
    })),
    {
      name: "allow with changed input",
      end: end({ hookSpecificOutput: { permissionDecision: "allow", updatedInput: { command: "ls -la" } } }),
      outcomes: [
        { kind: "permission", says: "allow", reason: "the hook gave no reason" },
        { kind: "changed_input", input: { command: "ls -la" } },
      ],
    },
    {
      name: "stop comes first",
      end: end({ continue: false, stopReason: "enough", decision: "block", reason: "no" }),
      outcomes: [
        { kind: "stop", reason: "enough" },
        { kind: "block", reason: "no" },
      ],
    },
    {
      name: "context for the model",
      end: end({ hookSpecificOutput: { additionalContext: " use tabs " } }),
      event: "PostToolUse",
      outcomes: [{ kind: "context", text: "use tabs" }],
    },
    { name: "plain text is context for prompts", end: end("branch: main\n"), event: "UserPromptSubmit", outcomes: [{ kind: "context", text: "branch: main" }] },
    { name: "plain text is nothing elsewhere", end: end("done\n"), outcomes: [] },
    {
      name: "changed output of an MCP tool",
      end: end({ hookSpecificOutput: { updatedMCPToolOutput: ["x"] } }),
      event: "PostToolUse",
      subject: "mcp__a__b",
      outcomes: [{ kind: "changed_output", output: ["x"] }],
    },
    {
      name: "changed output of another tool is ignored",
      end: end({ hookSpecificOutput: { updatedToolOutput: "x" } }),
      event: "PostToolUse",
      outcomes: [],
      problem: /no MCP tool/,
    },
    {
      name: "a decision after the call is ignored",
      end: end({ hookSpecificOutput: { permissionDecision: "deny", updatedInput: {} } }),
      event: "PostToolUse",
      outcomes: [],
      problem: /after the call/,
    },
    {
      name: "a message to the person",
      end: end({ systemMessage: "formatted 3 files", suppressOutput: true }),
      outcomes: [{ kind: "message", text: "formatted 3 files" }],
    },
    { name: "null fields are no fields", end: end({ continue: null, decision: null, hookSpecificOutput: null, extra: 1 }), outcomes: [] },
    { name: "broken JSON after the call only reports", end: end("{not json"), event: "PostToolUse", outcomes: [], problem: /begins like JSON/ },
    { name: "a wrong shape says where", end: end({ decision: "no" }), event: "Stop", outcomes: [], problem: /decision: / },
  ])("$name", ({ end: given, event = "PreToolUse", subject = "bash", outcomes, problem }) => {
    const reading = readAnswer(given, at(event, subject));
    expect(reading.outcomes).toEqual(outcomes);
    expect(reading.problems.join("\n")).toMatch(problem ?? /^$/);
  });

  it.each<[string, HookEnd]>([
    ["broken JSON", end("{not json")],
    ["a wrong decision", end({ decision: "no" })],
    ["a wrong permission", end({ hookSpecificOutput: { permissionDecision: "refuse" } })],
    ["too much output", end(`{"decision": "block", "reason": "${"x".repeat(100)}`, { cut: true })],
  ])("of a guard that cannot be understood makes the person decide: %s", (_name, given) => {
    expect(readAnswer(given, at("PreToolUse")).outcomes).toEqual([
      { kind: "permission", says: "ask", reason: matching(/^a hook \(guard\.sh\) answered in a way that cannot be understood/) },
    ]);
  });

  it("is bounded and well-formed", () => {
    const [outcome] = readAnswer(end({ decision: "block", reason: `\ud800${"y".repeat(100_000)}` }), at("Stop")).outcomes;
    expect(outcome?.kind === "block" ? [outcome.reason.length, outcome.reason.startsWith("\ufffdy")] : []).toEqual([20_000, true]);
  });
});

/** CAIRN_FUZZ multiplies the number of runs. */
const RUNS = Number(process.env["CAIRN_FUZZ"] ?? 1);

describe("the hook protocol under fire", () => {
  const EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SessionStart"] as const;
  const json = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          continue: fc.oneof(fc.boolean(), fc.jsonValue()),
          decision: fc.oneof(fc.constantFrom("block", "approve", "deny"), fc.jsonValue()),
          reason: fc.oneof(fc.string(), fc.jsonValue()),
          hookSpecificOutput: fc.oneof(
            fc.record(
              {
                permissionDecision: fc.oneof(fc.constantFrom("allow", "ask", "deny"), fc.jsonValue()),
                updatedInput: fc.jsonValue(),
                additionalContext: fc.jsonValue(),
                updatedToolOutput: fc.jsonValue(),
              },
              { requiredKeys: [] },
            ),
            fc.jsonValue(),
          ),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary" }),
  );

  const given = fc.record({
    stdout: json,
    event: fc.constantFrom(...EVENTS),
    subject: fc.constantFrom("bash", "mcp__a__b", ""),
    exitCode: fc.constantFrom(0, 1, 2, 127, null),
    cut: fc.boolean(),
  });

  it("never throws, never allows what was not said, and gives only what the event may get", () => {
    fc.assert(
      fc.property(given, ({ stdout, event, subject, exitCode, cut }) => {
        const { outcomes, problems } = readAnswer({ exitCode, signal: null, stdout, stderr: "", cut }, at(event, subject));
        const kinds = outcomes.map((outcome) => outcome.kind);
        if (event !== "PreToolUse") expect(kinds.filter((kind) => kind === "permission" || kind === "changed_input")).toEqual([]);
        if (event !== "PostToolUse" || subject !== "mcp__a__b") expect(kinds).not.toContain("changed_output");
        if (exitCode === 2) expect(kinds).toEqual(["block"]);
        if (exitCode !== 0 && exitCode !== 2) expect(kinds).toEqual([]);
        const allows = outcomes.some((outcome) => outcome.kind === "permission" && outcome.says === "allow");
        if (allows) expect(stdout).toMatch(/allow|approve/);
        for (const problem of problems) expect(typeof problem).toBe("string");
      }),
      { numRuns: 500 * RUNS },
    );
  });
});

describe("matchers", () => {
  it.each<[string, string, boolean]>([
    ["", "bash", true],
    ["*", "anything", true],
    ["Edit|Write", "edit", true],
    ["Edit|MultiEdit|Write", "write", true],
    ["Edit", "notebook_edit", false],
    ["NotebookEdit", "notebook_edit", true],
    ["WebFetch", "web_fetch", true],
    ["web_fetch", "web_fetch", true],
    ["Bash", "bash_output", false],
    ["Bash.*", "bash_output", true],
    ["mcp__github__.*", "mcp__github__issue", true],
    ["mcp__github", "mcp__github__issue", false],
    ["startup|resume", "resume", true],
    ["Read", "", false],
    ["[", "[", true],
    ["[", "bash", false],
  ])("%j for %j: %s", (source, subject, matches) => {
    expect(parseMatcher(source).matches(subject)).toBe(matches);
  });

  it("say when they are broken", () => {
    expect(["(", "a|b", "*"].map((source) => parseMatcher(source).broken)).toEqual([true, false, false]);
  });

  it("know the names that scripts know", () => {
    expect(["bash", "read", "web_fetch", "mcp__a__b", "hypothesis"].map(claudeName)).toEqual(["Bash", "Read", "WebFetch", "mcp__a__b", "hypothesis"]);
  });
});
