import { mkdtemp, readFile, realpath, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentText } from "#shared/chat/blocks.ts";
import { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { ToolProgress } from "#shared/tools/outcome.ts";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope, type Scope } from "#electron/lib/scope.ts";
import type { ShellAnalyser, ShellJudge } from "#electron/permissions/contract.ts";
import { createBackgroundShells } from "#electron/shells/background.ts";
import type { BackgroundShells, ShellRunner } from "#electron/shells/contract.ts";
import { createShellRunner } from "#electron/shells/create-runner.ts";
import { programOf } from "#electron/shells/shell-program.ts";
import { classify } from "#electron/tools/classify.ts";
import type { Place, Tool, ToolReturn } from "#electron/tools/contract.ts";
import { declarationFaults } from "#electron/tools/testkit/declarations.ts";
import { parseInput } from "#electron/tools/parse-input.ts";
import { createBashTools } from "./bash-tools.ts";
import { bashText, endInWords } from "./bash.text.ts";
import { isLoneCd, wantedInput } from "./bash-hints.ts";

const containing = (text: string): unknown => expect.stringContaining(text);
const anyText: unknown = expect.any(String);

const clock = createSystemClock();
const session = SessionId.parse("s");
/** Knows nothing: what a shell on a system without a grammar gets. */
const analyser: ShellAnalyser = {
  analyse: (command) =>
    Promise.resolve({
      kind: "shell_facts",
      command,
      parts: [],
      reads: [],
      redirects: [],
      readOnly: command.startsWith("ls"),
      unreadable: !command.startsWith("ls"),
      background: false,
    }),
  close: () => Promise.resolve(),
};
const readOnly = (facts: unknown) => typeof facts === "object" && facts !== null && "readOnly" in facts && facts.readOnly === true;
const judge: ShellJudge = {
  readOnly,
  concurrencySafe: readOnly,
  destructive: (facts) => !readOnly(facts),
  effects: (facts) => (readOnly(facts) ? [] : [{ kind: "runs" }, { kind: "workspace_global" }]),
  opinion: () => ({ behavior: "pass" }),
  suggestRules: (_facts, tool) => [`${tool}(x:*)`],
};

let dir = "";
let runner: ShellRunner;
let background: BackgroundShells;
let tools: readonly Tool[];
let scope: Scope;
let place: Place;
let calls = 0;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(path.join(os.tmpdir(), "bash-tool-")));
  place = { cwd: path.join(dir, "ws"), home: dir };
  runner = createShellRunner({ clock, shell: programOf("/bin/bash"), environment: () => childEnvironment(process.env) });
  background = createBackgroundShells(runner);
  tools = createBashTools({
    shells: () => Promise.resolve({ runner, background }),
    analyser,
    judge,
    settings: () => ({ timeoutMs: 8_000 }),
    spoolDir: path.join(dir, "results"),
    shellKind: "bash",
  });
  scope = createScope("call");
  await runner.run({ command: "mkdir ws", cwd: dir, timeoutMs: 5_000, spoolFile: path.join(dir, "x") }, scope.signal, () => {});
});
afterEach(async () => {
  await runner.close();
  await rm(dir, { recursive: true, force: true });
});

const tool = (name: string): Tool => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};
type Ran = { readonly returned: ToolReturn; readonly text: string; readonly progress: readonly ToolProgress[]; readonly call: CallId };
async function use(name: string, raw: unknown): Promise<Ran> {
  const parsed = parseInput(tool(name), raw);
  if (!parsed.ok) throw new Error(parsed.error);
  const progress: ToolProgress[] = [];
  const call = CallId.parse(`call_${++calls}`);
  const facts = await tool(name).analyse?.(parsed.value, place);
  const returned = await tool(name).call(
    parsed.value,
    { session, turn: TurnId.parse("t"), call, place, scope, clock, facts },
    (one) => void progress.push(one),
  );
  return { returned, text: contentText(returned.forModel ?? []), progress, call };
}
const bash = (command: string, more: object = {}) => use("bash", { command, ...more });

describe("the declarations of the shell tools", () => {
  it("have no fault", () => {
    const input = { id: "shell_1" };
    expect(
      declarationFaults(tools, {
        bash: { input: { command: "make" }, place },
        bash_output: { input, place },
        bash_input: { input: { ...input, text: "y\n" }, place },
        bash_kill: { input, place },
      }),
    ).toEqual([]);
  });

  it("call nothing read only that was not proven (P3)", async () => {
    const traits = async (command: string, more: object = {}) => {
      const { name: _n, ...input } = { name: "", command, ...more };
      return classify(tool("bash"), input, place, await analyser.analyse(command, place));
    };
    expect(classify(tool("bash"), { command: "ls" }, place, undefined)).toMatchObject({
      readOnly: false,
      concurrencySafe: false,
      destructive: true,
      conflictKeys: ["workspace"],
    });
    expect(await traits("make")).toMatchObject({ readOnly: false, mayWrite: true, conflictKeys: ["workspace"] });
    expect(await traits("ls")).toMatchObject({ readOnly: true, concurrencySafe: true, conflictKeys: [] });
    expect(await traits("ls", { run_in_background: true })).toMatchObject({ concurrencySafe: false });
    expect(tools.map((one) => [one.name, one.siblingGroup])).toEqual([
      ["bash", "shell"],
      ["bash_output", undefined],
      ["bash_input", undefined],
      ["bash_kill", undefined],
    ]);
  });

  it("show the person the command, the folder and the reason", async () => {
    expect(await tool("bash").askCard?.({ command: "npm  test\nx", description: "Run the tests" }, place)).toEqual({
      verb: "run_command",
      subject: "npm test x",
      reason: "Run the tests",
      detail: { kind: "command", command: "npm  test\nx", cwd: place.cwd },
    });
  });

  it.each([
    ["", "command"],
    ["a\0b", "NUL"],
    ["x".repeat(100_001), "at most"],
  ])("refuse a senseless command", (command, words) => {
    const parsed = parseInput(tool("bash"), { command });
    expect(parsed.ok ? "" : parsed.error).toContain(words);
  });

  it("name the shell there is", () => {
    expect([bashText("bash").summary, bashText("powershell").summary]).toEqual([containing("with bash and"), containing("PowerShell (no bash here)")]);
  });
});

describe.runIf(process.platform === "linux")("bash", () => {
  it("answers with what was printed, and shows it as it comes", async () => {
    const { returned, text, progress } = await bash("echo hi; sleep 0.1; printf '\\033[31mred\\033[0m'");
    expect([returned.ok, text]).toEqual([true, "hi\nred"]);
    expect(progress.map((one) => (one.kind === "output" ? one.text : "")).join("")).toBe("hi\r\n\u001b[31mred\u001b[0m");
    expect(returned.view).toEqual({
      kind: "shell",
      command: anyText,
      output: "hi\r\n\u001b[31mred\u001b[0m",
      exitCode: 0,
      signal: null,
      timedOut: false,
      background: false,
      stillRunning: [],
    });
  });

  it.each<[string, string, unknown]>([
    ["true", "ok", "(succeeded, no output)"],
    ["echo out; exit 3", "tool_error", "out\n\n[The command failed with exit code 3.]"],
    ["false", "tool_error", "(no output)\n\n[The command failed with exit code 1.]"],
    ["no-such-command-x 2>/dev/null", "tool_error", "(no output)\n\n[The command failed with exit code 127 (command not found).]"],
    ["kill -SEGV $$", "tool_error", "(no output)\n\n[The command failed with signal SIGSEGV.]"],
    ["exit 137", "tool_error", "(no output)\n\n[The command failed with exit code 137 (ended by SIGKILL).]"],
    ["cat", "ok", "(succeeded, no output)\n\n[Commands get no input here: give answers by flags or files, or use run_in_background with bash_input.]"],
    ["cd ..", "ok", containing("cd does not carry over")],
  ])("%s: %s", async (command, kind, text) => {
    const ran = await bash(command);
    expect([ran.returned.ok ? "ok" : ran.returned.failure.kind, ran.text]).toEqual([kind, text]);
  });

  it("tells a time-out with the output so far and what to do", async () => {
    const { returned, text } = await bash("echo begun; sleep 60", { timeout: 300 });
    expect(returned).toMatchObject({ ok: false, failure: { kind: "timeout", retryable: true } });
    expect(text).toMatch(/^begun\n\n\[The command was ended after 300 ms \(time-out\)\. If it needs longer, set timeout/);
  });

  it("returns what was printed when it is stopped (L17)", async () => {
    const running = bash("echo begun; sleep 60");
    await clock.sleep(300);
    await scope.close({ by: "person" });
    const { returned, text } = await running;
    expect(returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
    expect(text).toMatch(/^begun\n\n\[The command was stopped \(by the user\)/);
  });

  it("names children that are still running", async () => {
    const { returned, text } = await bash("sleep 77 & echo done");
    expect(returned.ok).toBe(true);
    expect(text).toMatch(/^done\n\n\[Still running in the background: \d+ \(sleep 77\)\. Cairn ends them with the session/);
  });

  it("keeps long output within the limit and the whole on disk (T9)", async () => {
    const { returned, text } = await bash("seq 1 30000; exit 4");
    expect(text.length).toBeLessThanOrEqual(30_000);
    const file = /stored at (\S+)\./.exec(text)?.[1] ?? "";
    expect([path.dirname(file), (await readFile(file, "utf8")).endsWith("30000\r\n")]).toEqual([path.join(dir, "results"), true]);
    expect(text.endsWith("30000\n\n[The command failed with exit code 4.]")).toBe(true);
    expect(returned.ok).toBe(false);
  });

  it("says in words that the folder is gone, and runs nothing (F13)", async () => {
    await rename(place.cwd, `${place.cwd}-moved`);
    const { returned } = await bash("touch here");
    expect(returned).toMatchObject({ ok: false, failure: { kind: "tool_error", message: containing(`The folder ${place.cwd} does not exist`) } });
  });

  it("goes on in the background when the person sends it there", async () => {
    const running = bash("echo begun; sleep 0.5; echo over");
    await clock.sleep(200);
    expect(background.moveToBackground(CallId.parse(`call_${calls}`))).toBe(true);
    const { text, returned } = await running;
    expect([returned.ok, text]).toEqual([
      true,
      "begun\n\n[The user sent this command to the background, where it goes on as shell_1. Read on with bash_output, end it with bash_kill.]",
    ]);
    expect((await use("bash_output", { id: "shell_1", wait_ms: 5_000 })).text).toMatch(/^over\n/);
  });
});

describe.runIf(process.platform === "linux")("commands in the background", () => {
  it("are started, looked at, answered and ended", async () => {
    const started = await bash('stty -echo; echo name?; while read -r n; do echo "hi $n"; done', { run_in_background: true });
    expect(started.text).toMatch(/^name\?\n\n\[Started in the background as shell_1 \(pid \d+\)\./);
    expect(started.returned.view).toMatchObject({ background: true, exitCode: null });
    expect((await use("bash_output", { id: "shell_1" })).text).toMatch(/^\(no new output\)\n\n\[shell_1 is running \(/);
    expect((await use("bash_input", { id: "shell_1", text: "Ann\n" })).text).toMatch(/^hi Ann\n/);
    const killed = await use("bash_kill", { id: "shell_1" });
    expect(killed.text).toMatch(/^\(no new output\)\n\n\[shell_1 was stopped after/);
    expect((await use("bash_input", { id: "shell_1", text: "x\n" })).returned).toMatchObject({
      ok: false,
      failure: { kind: "tool_error", message: containing("takes no more input") },
    });
  });

  it("are told of at once when they fail at once", async () => {
    const { returned, text } = await bash("echo bad; exit 2", { run_in_background: true });
    expect([returned.ok, text]).toEqual([false, "bad\n\n[The command failed with exit code 2.]"]);
  });

  it("can be waited for: new output, the end, the time", async () => {
    await bash("sleep 0.8; echo one; sleep 0.5; exit 5", { run_in_background: true });
    expect((await use("bash_output", { id: "shell_1", wait_ms: 10 })).text).toMatch(/^\(no new output\)/);
    expect((await use("bash_output", { id: "shell_1", wait_ms: 5_000 })).text).toMatch(/^one\n\n\[shell_1 is running/);
    expect((await use("bash_output", { id: "shell_1", wait_ms: 5_000 })).text).toMatch(/^\(no new output\)\n\n\[shell_1 ended with exit code 5 after/);
  });

  it("are named when an id is wrong", async () => {
    const none = await use("bash_output", { id: "nope" });
    await bash("sleep 30", { run_in_background: true });
    const one = await use("bash_kill", { id: "nope" });
    expect([none.returned, one.returned].map((returned) => (returned.ok ? "" : returned.failure.message))).toEqual([
      'There is no background command "nope". None was started in this session; start one with bash and run_in_background.',
      'There is no background command "nope". There are: shell_1.',
    ]);
  });

  it("are let go of when the waiting call is stopped", async () => {
    await bash("sleep 30", { run_in_background: true });
    const waiting = use("bash_output", { id: "shell_1", wait_ms: 60_000 });
    await clock.sleep(50);
    scope.abort({ by: "person" });
    expect((await waiting).text).toMatch(/is running/);
  });
});

describe("hints", () => {
  it.each<[string, string, boolean, boolean]>([
    ["read x; echo $x", "", false, true],
    ["cat", "", false, true],
    ["make && cat -", "", false, true],
    ["cat file | read x", "", false, false],
    ["cat <<E\nx\nE", "", false, false],
    ["echo read", "", false, false],
    ["python3 x.py", "EOFError: EOF when reading a line", true, true],
    ["python3 x.py", "EOFError: EOF when reading a line", false, false],
    ["git push", "fatal: could not read Username for 'https://x': terminal prompts disabled", true, true],
    ["sudo x", "sudo: a terminal is required to read the password", true, true],
    ["sh x", "sh: 1: cannot open /dev/tty: No such device or address", true, true],
    ["make", "error: 3 tests failed", true, false],
  ])("of wanted input: %s", (command, output, failed, wanted) => {
    expect(wantedInput(command, output, failed)).toBe(wanted);
  });

  it.each([
    ["cd x", true],
    ["cd 'a b';", true],
    ["cd", true],
    ["cd x && ls", false],
    ["cdx", false],
    ["cd x; ls", false],
  ])("of a lone cd: %s", (command, lone) => {
    expect(isLoneCd(command)).toBe(lone);
  });

  it("tell exit codes in words", () => {
    expect([0, 126, 127, 130, 139, 200].map((exitCode) => endInWords({ exitCode, signal: null }))).toEqual([
      "exit code 0",
      "exit code 126 (found, but not executable)",
      "exit code 127 (command not found)",
      "exit code 130 (ended by SIGINT)",
      "exit code 139 (ended by SIGSEGV)",
      "exit code 200",
    ]);
  });
});
