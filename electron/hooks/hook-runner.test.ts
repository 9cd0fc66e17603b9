import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { HookSettings } from "#shared/settings/settings.ts";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createProcessTable } from "#electron/lib/process-tree.ts";
import { createProcessRunner } from "#electron/lib/spawn.ts";
import type { HookOutcome } from "./contract.ts";
import { type ClosableHookRunner, createHookRunner, hooksWithFacts, type HookProblem } from "./create-hook-runner.ts";

const containing = (text: string): unknown => expect.stringContaining(text);
const matching = (words: RegExp): unknown => expect.stringMatching(words);

const clock = createSystemClock();
const table = createProcessTable();
let dir = "";
let settings: HookSettings = {};
let problems: HookProblem[] = [];
let hooks: ClosableHookRunner;
const never = new AbortController().signal;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(path.join(os.tmpdir(), "hooks-")));
  settings = {};
  problems = [];
  hooks = createHookRunner({
    settings: () => settings,
    processes: createProcessRunner({ clock, table }),
    clock,
    table,
    environment: () => childEnvironment({ ...process.env, ANTHROPIC_API_KEY: "sk-secret" }),
    home: dir,
    onProblem: (problem) => void problems.push(problem),
  });
});
afterEach(async () => {
  await hooks.close();
  await rm(dir, { recursive: true, force: true });
});
const on = (event: keyof HookSettings, matcher: string, ...commands: (string | { command: string; timeoutMs: number })[]) => {
  const hook = commands.map((command) => (typeof command === "string" ? { command, timeoutMs: 10_000 } : command));
  settings = { ...settings, [event]: [...(settings[event] ?? []), { matcher, hooks: hook }] };
};
const pre = async (payload: Record<string, unknown> = {}, signal = never) =>
  asked(await hooks.run("PreToolUse", "bash", { tool_name: "bash", tool_input: { command: "ls" }, cwd: dir, ...payload }, signal));
/** Without what is for the person alone. */
const asked = (outcomes: readonly HookOutcome[]) => outcomes.filter((outcome) => outcome.kind !== "problem");

describe.runIf(process.platform !== "win32")("a hook", () => {
  it("gets the event as JSON, in the words scripts for Claude Code know, in the project's folder", async () => {
    on("PreToolUse", "Bash", `cat > ${dir}/got.json; env > ${dir}/env; pwd > ${dir}/pwd`);
    const session = hooksWithFacts(hooks, () => ({ session_id: "s1", cwd: dir, transcript_path: "/t.jsonl" }));
    expect(await session.run("PreToolUse", "bash", { tool_name: "bash", tool_input: { command: "echo ü" } }, never)).toEqual([]);
    expect(JSON.parse(await readFile(path.join(dir, "got.json"), "utf8"))).toEqual({
      session_id: "s1",
      cwd: dir,
      transcript_path: "/t.jsonl",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "echo ü" },
    });
    const env = await readFile(path.join(dir, "env"), "utf8");
    expect([env.includes(`CLAUDE_PROJECT_DIR=${dir}\n`), env.includes("sk-secret"), (await readFile(path.join(dir, "pwd"), "utf8")).trim()]).toEqual([
      true,
      false,
      dir,
    ]);
  });

  it("is a script people have: it blocks with exit code 2", async () => {
    const script = path.join(dir, "guard.py");
    await writeFile(
      script,
      'import json, sys\ndata = json.load(sys.stdin)\nif data["tool_name"] == "Bash" and "rm -rf" in data["tool_input"]["command"]:\n    print("no rm -rf", file=sys.stderr)\n    sys.exit(2)\n',
    );
    on("PreToolUse", "Bash", `python3 ${script}`);
    expect(await pre({ tool_input: { command: "rm -rf /" } })).toEqual([{ kind: "block", reason: "no rm -rf" }]);
    expect(await pre()).toEqual([]);
  });

  it("runs only for what it matches, once, in order, and sees what an earlier one changed", async () => {
    on("PreToolUse", "Edit|Write", `touch ${dir}/wrong`);
    on("PreToolUse", "Bash", `echo '{"hookSpecificOutput":{"updatedInput":{"command":"ls -a"}}}'`);
    on("PreToolUse", "*", `cat > ${dir}/second.json`, `cat > ${dir}/second.json`);
    expect(await pre()).toEqual([{ kind: "changed_input", input: { command: "ls -a" } }]);
    expect(JSON.parse(await readFile(path.join(dir, "second.json"), "utf8"))).toMatchObject({ tool_input: { command: "ls -a" } });
    await expect(readFile(path.join(dir, "wrong"))).rejects.toThrow("ENOENT");
  });

  it("that says no is the last one asked", async () => {
    on("PreToolUse", "", "echo no >&2; exit 2", `touch ${dir}/after`);
    expect(await pre()).toEqual([{ kind: "block", reason: "no" }]);
    await expect(readFile(path.join(dir, "after"))).rejects.toThrow("ENOENT");
  });

  it("that takes too long is ended with all it started, and only reported", async () => {
    on("PreToolUse", "", { command: "setsid sleep 66 & sleep 67", timeoutMs: 300 });
    expect(await pre()).toEqual([]);
    expect(problems).toEqual([{ event: "PreToolUse", command: "setsid sleep 66 & sleep 67", message: "it did not end within 300 ms and was ended" }]);
    const names = (await table.list()).map((one) => one.name);
    expect(names.filter((name) => /sleep 6[67]/.test(name))).toEqual([]);
  });

  it("that floods is bounded; that cannot be found, or is broken, is reported", async () => {
    on("PostToolUse", "", "yes | head -c 5000000", "/no/such/hook", "echo '{broken'");
    expect(asked(await hooks.run("PostToolUse", "bash", { cwd: dir }, never))).toEqual([]);
    expect(problems.map((problem) => problem.message)).toEqual([
      containing("more than 65536 bytes"),
      matching(/exit code 127: .*not found/),
      containing("begins like JSON"),
    ]);
  });

  it("that leaves a child running is not waited for, and the child ends with the app", async () => {
    on("Stop", "", "sleep 68 & echo");
    const before = performance.now();
    await hooks.run("Stop", "", { cwd: dir }, never);
    expect(performance.now() - before).toBeLessThan(1_500);
    const running = async () => (await table.list()).filter((one) => one.name === "sleep 68").length;
    const alive = await running();
    await hooks.close();
    expect([alive, await running()]).toEqual([1, 0]);
  });

  it("gets results and modes in the shapes that scripts look into", async () => {
    on("PostToolUse", "", `cat > ${dir}/got.json`);
    const got = async (tool: string, input: object) => {
      const payload = { tool_name: tool, tool_input: input, tool_response: "text", permission_mode: "bypass", cwd: dir };
      await hooks.run("PostToolUse", tool, payload, never);
      const { tool_response, permission_mode } = z
        .object({ tool_response: z.unknown(), permission_mode: z.string() })
        .parse(JSON.parse(await readFile(path.join(dir, "got.json"), "utf8")));
      return [tool_response, permission_mode];
    };
    expect(await got("edit", { file_path: "/w/a" })).toEqual([{ filePath: "/w/a", success: true, text: "text" }, "bypassPermissions"]);
    expect((await got("bash", { command: "ls" }))[0]).toEqual({ stdout: "text", stderr: "", interrupted: false });
    expect((await got("read", { file_path: "/w/a" }))[0]).toEqual({ type: "text", file: { filePath: "/w/a", content: "text" } });
    expect((await got("grep", { pattern: "x" }))[0]).toBe("text");
  });

  it("tells the person in its own words, and what is wrong with it", async () => {
    on("PreToolUse", "", `echo '{"systemMessage":"3 files formatted"}'`, "exit 1");
    expect(await hooks.run("PreToolUse", "bash", { cwd: dir }, never)).toEqual([
      { kind: "message", text: "3 files formatted" },
      { kind: "problem", command: "exit 1", message: containing("exit code 1") },
    ]);
  });

  it("runs nothing when its settings cannot be had, and nothing after the app closed", async () => {
    const broken = createHookRunner({
      settings: async () => Promise.reject(new Error("no")),
      processes: createProcessRunner({ clock, table }),
      clock,
      table,
      environment: () => ({}),
      home: dir,
    });
    expect(await broken.run("Stop", "", { cwd: dir }, never)).toEqual([]);
    on("Stop", "", `touch ${dir}/late`);
    await hooks.close();
    expect(await hooks.run("Stop", "", { cwd: dir }, never)).toEqual([]);
    await expect(readFile(path.join(dir, "late"))).rejects.toThrow("ENOENT");
  });

  it("is told in words when its matcher is broken", async () => {
    on("PreToolUse", "(", "true");
    await pre();
    expect(problems.map((problem) => problem.message)).toEqual([containing("not a regular expression")]);
  });

  it("runs at home when the folder is gone, and survives odd payloads", async () => {
    on("SessionEnd", "", `pwd > ${dir}/pwd`);
    expect(asked(await hooks.run("SessionEnd", "", { cwd: path.join(dir, "gone"), odd: 1n }, never))).toEqual([]);
    expect(problems.length).toBe(1);
    await hooks.run("SessionEnd", "", { cwd: path.join(dir, "gone") }, never);
    expect((await readFile(path.join(dir, "pwd"), "utf8")).trim()).toBe(dir);
  });
});

describe.runIf(process.platform !== "win32")("a stop", () => {
  it("ends guards at once", async () => {
    on("PreToolUse", "", "sleep 69", `touch ${dir}/after`);
    const controller = new AbortController();
    const running = pre({}, controller.signal);
    await clock.sleep(150);
    const before = performance.now();
    controller.abort();
    expect(await running).toEqual([]);
    expect(performance.now() - before).toBeLessThan(1_500);
    await expect(readFile(path.join(dir, "after"))).rejects.toThrow("ENOENT");
  });

  it("does not keep hooks from hearing that a call was stopped (H1)", async () => {
    on("PostToolUseFailure", "", `touch ${dir}/heard`);
    const stopped = new AbortController();
    stopped.abort();
    await hooks.run("PostToolUseFailure", "bash", { cwd: dir }, stopped.signal);
    expect(await readFile(path.join(dir, "heard"), "utf8")).toBe("");
  });
});
