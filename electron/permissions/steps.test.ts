import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Effect } from "#shared/tools/effect.ts";
import { type BenchOptions, decide, makeScratchFolder, plantLink, type ScratchFolder, toolWith } from "#electron/testkit/permission-bench.ts";

let folder: ScratchFolder;
beforeAll(async () => {
  folder = await makeScratchFolder();
  await plantLink(folder);
  await symlink(join(folder.outside, "not-yet"), join(folder.workspace, "dangling"));
  await symlink("loop", join(folder.workspace, "loop"));
  await mkdir(join(folder.home, ".ssh"), { recursive: true });
  await writeFile(join(folder.home, ".ssh/id_ed25519"), "key");
});
afterAll(() => folder.remove());

/** `ws/`, `home/`, `out/`, `data/` stand for the folders of the bench. */
function place(path: string): string {
  const [start = "", ...rest] = path.split("/");
  const roots: Readonly<Record<string, string>> = { ws: folder.workspace, home: folder.home, out: folder.outside, data: folder.dataDir };
  const root = roots[start];
  return root === undefined ? path : [root, ...rest].join("/");
}

const one = async (kind: "reads" | "writes" | "deletes", path: string, options: Partial<BenchOptions> = {}, name = "probe") => {
  const effects: readonly Effect[] = [{ kind, target: place(path) }];
  const { behavior, by, personOnly } = await decide(toolWith(name, { effects, readOnly: kind === "reads" }), {}, { folder, ...options });
  return [behavior, by, personOnly === true];
};

describe("the path guard (P2 step 4, B11)", () => {
  it.each([
    ["reads", "ws/README.md", "allow", "reads"],
    ["reads", "ws", "allow", "reads"],
    ["reads", "ws/src/../README.md", "allow", "reads"],
    ["reads", "ws/inlink/ok.txt", "allow", "reads"],
    ["reads", "out/secret.txt", "ask", "path_guard"],
    ["reads", "ws/outbox/secret.txt", "ask", "path_guard"],
    ["reads", "ws/outbox/../outside/secret.txt", "ask", "path_guard"],
    ["reads", "ws/../outside/secret.txt", "ask", "path_guard"],
    ["reads", "ws/nothing/here/yet", "allow", "reads"],
    ["reads", "ws/loop", "ask", "path_guard"],
    ["reads", "home/.ssh/id_ed25519", "ask", "path_guard"],
    ["reads", "/etc/shadow", "ask", "path_guard"],
    ["reads", "/etc/hosts", "ask", "path_guard"],
    ["reads", "/proc/self/environ", "ask", "path_guard"],
    ["reads", "/dev/sda", "deny", "path_guard"],
    ["reads", "/dev/mem", "deny", "path_guard"],
    ["reads", "/dev/null", "allow", "reads"],
    ["reads", "//host/share/a", "ask", "path_guard"],
    ["reads", "\\\\host\\share\\a", "ask", "path_guard"],
    ["reads", "\\\\.\\PhysicalDrive0", "deny", "path_guard"],
    ["reads", "ws/a\0b", "deny", "path_guard"],
    ["reads", "data/results/1.txt", "allow", "reads"],
    ["reads", "data/sessions/other.jsonl", "ask", "path_guard"],
    ["reads", "data/settings.json", "ask", "path_guard"],
  ] as const)("%s %s → %s", async (kind, path, behavior, by) => {
    expect((await one(kind, path)).slice(0, 2)).toEqual([behavior, by]);
  });

  it.each([
    ["writes", "ws/src/new.ts", "allow", "accept_edits"],
    ["writes", "ws/inlink/ok.txt", "allow", "accept_edits"],
    ["writes", "ws/outbox/new.txt", "ask", "path_guard"],
    ["writes", "ws/outbox/sub/deep/new.txt", "ask", "path_guard"],
    ["writes", "ws/dangling", "ask", "path_guard"],
    ["deletes", "ws/src/old.ts", "allow", "accept_edits"],
    ["deletes", "ws/outbox/secret.txt", "ask", "path_guard"],
    ["writes", "home/notes.md", "ask", "path_guard"],
    ["writes", "home/.ssh/authorized_keys", "ask", "path_guard"],
    ["writes", "/etc/passwd", "ask", "path_guard"],
    ["writes", "/etc/sudoers", "deny", "path_guard"],
    ["writes", "/proc/sys/x", "deny", "path_guard"],
    ["writes", "/sys/x", "deny", "path_guard"],
    ["writes", "/dev/sda", "deny", "path_guard"],
    ["writes", "data/results/1.txt", "deny", "path_guard"],
    ["deletes", "data/results/1.txt", "deny", "path_guard"],
    ["writes", "data/sessions/a.jsonl", "deny", "path_guard"],
    ["writes", "data/settings.json", "ask", "path_guard"],
  ] as const)("%s %s in accept-edits mode → %s", async (kind, path, behavior, by) => {
    expect((await one(kind, path, { mode: "acceptEdits" })).slice(0, 2)).toEqual([behavior, by]);
  });

  it("asks only the person: neither rules, hooks nor bypass mode lift it", async () => {
    const tries = await Promise.all([
      one("reads", "out/secret.txt", { rules: { allow: ["probe", "read(//**)", "read(~/**)"] } }),
      one("reads", "out/secret.txt", { hookSays: "allow" }),
      one("reads", "out/secret.txt", { mode: "bypass" }),
      one("writes", "home/.ssh/config", { mode: "bypass" }),
    ]);
    expect(tries).toEqual(Array.from({ length: 4 }, () => ["ask", "path_guard", true]));
  });

  it("judges every path of a call, and a refusal outweighs a question", async () => {
    const effects: readonly Effect[] = [
      { kind: "reads", target: place("ws/README.md") },
      { kind: "reads", target: place("out/secret.txt") },
      { kind: "writes", target: "/dev/sda" },
    ];
    expect(await decide(toolWith("probe", { effects }), {}, { folder })).toMatchObject({ behavior: "deny", about: "/dev/sda" });
  });

  it("shows where the path really leads", async () => {
    const effects: readonly Effect[] = [{ kind: "reads", target: place("ws/outbox/secret.txt") }];
    expect(await decide(toolWith("probe", { effects, readOnly: true }), {}, { folder })).toMatchObject({ about: place("out/secret.txt") });
  });

  it("knows Windows' ways to name one file differently", async () => {
    const windows = { platform: "win32" };
    expect((await one("writes", "ws/GIT~1/config", windows)).slice(0, 2)).toEqual(["ask", "path_guard"]);
    expect((await one("writes", "ws/a.txt:stream", windows)).slice(0, 2)).toEqual(["ask", "path_guard"]);
    expect((await one("writes", "ws/.git./hooks/x", { ...windows, mode: "acceptEdits" })).slice(0, 2)).toEqual(["ask", "protected_path"]);
  });
});

describe("protected paths (P2 step 7, B19)", () => {
  it.each([
    ["ws/.git/hooks/pre-commit", true],
    ["ws/.git/config", true],
    ["ws/.vscode/tasks.json", true],
    ["ws/.envrc", true],
    ["ws/.cairn/settings.json", true],
    ["ws/.claude/commands/x.md", true],
    ["ws/.agents/skills/x/SKILL.md", true],
    ["ws/.mcp.json", true],
    ["ws/sub/.git/hooks/x", true],
    ["ws/.GIT/Hooks/pre-commit", true],
    ["ws/package.json", false],
    ["ws/.github/workflows/x.yml", false],
  ])("%s is asked about in accept-edits mode", async (path, personOnly) => {
    expect(await one("writes", path, { mode: "acceptEdits" })).toEqual(["ask", "protected_path", personOnly]);
  });

  it.each(["ws/.git/hooks/pre-commit", "ws/.vscode/tasks.json", "ws/.cairn/hooks/a.json"])(
    "%s is asked about even in bypass mode and with rules",
    async (path) => {
      expect(await one("writes", path, { mode: "bypass", rules: { allow: ["probe", "edit(**)", "edit(.*/**)"] } })).toEqual(["ask", "protected_path", true]);
    },
  );

  it.each([
    [{ mode: "bypass" as const }, "allow", "bypass_mode"],
    [{ rules: { allow: ["edit(package.json)"] } }, "allow", "allow_rules"],
    [{ rules: { allow: ["probe"] } }, "ask", "protected_path"],
    [{ mode: "acceptEdits" as const, rules: { allow: ["edit(src/**)"] } }, "ask", "protected_path"],
  ])("package.json: a rule that names it or bypass mode will do: %j", async (options, behavior, by) => {
    expect((await one("writes", "ws/package.json", options)).slice(0, 2)).toEqual([behavior, by]);
  });

  it("reading them is no question", async () => {
    expect((await one("reads", "ws/.git/config")).slice(0, 2)).toEqual(["allow", "reads"]);
  });

  it("an ordinary file is edited unasked", async () => {
    expect((await one("writes", "ws/src/app.ts", { mode: "acceptEdits" })).slice(0, 2)).toEqual(["allow", "accept_edits"]);
  });
});

describe("modes", () => {
  it("plan mode lets only the plan be written", async () => {
    const options = { mode: "plan" as const, planFile: join(folder.workspace, ".plans/plan.md") };
    expect((await one("writes", "ws/.plans/plan.md", options)).slice(0, 2)).toEqual(["allow", "plan_mode"]);
    expect((await one("writes", "ws/.plans/other.md", options)).slice(0, 2)).toEqual(["deny", "plan_mode"]);
    expect((await one("deletes", "ws/.plans/plan.md", options)).slice(0, 2)).toEqual(["deny", "plan_mode"]);
    expect((await one("reads", "ws/README.md", options)).slice(0, 2)).toEqual(["allow", "reads"]);
  });

  it("the plan may lie in the app's own data: read in every mode, written in plan mode only, never deleted", async () => {
    const plan = { planFile: join(folder.dataDir, "sessions/s1/plan.md") };
    await mkdir(join(folder.dataDir, "sessions/s1"), { recursive: true });
    await writeFile(plan.planFile, "# plan\n");
    const of = async (kind: "reads" | "writes" | "deletes", path: string, mode: BenchOptions["mode"] = "plan") =>
      (await one(kind, path, { ...plan, mode })).slice(0, 2).join(" ");
    expect(await of("writes", "data/sessions/s1/plan.md")).toBe("allow plan_mode");
    expect(await of("deletes", "data/sessions/s1/plan.md")).toBe("deny path_guard");
    for (const mode of ["default", "acceptEdits", "bypass"] as const) {
      expect(await of("writes", "data/sessions/s1/plan.md", mode)).toBe("deny path_guard");
      expect(await of("reads", "data/sessions/s1/plan.md", mode)).toMatch(/^allow/);
    }
    expect(await of("writes", "data/sessions/s1/log.jsonl")).toBe("deny path_guard");
    expect(await of("writes", "data/sessions/s2/plan.md")).toBe("deny path_guard");
    expect(await of("reads", "data/sessions/s2/plan.md")).toBe("ask path_guard");
  });

  it("a link in the plan's place leads to no other file", async () => {
    const planFile = join(folder.dataDir, "sessions/s3/plan.md");
    await mkdir(join(folder.dataDir, "sessions/s3"), { recursive: true });
    await symlink(join(folder.outside, "secret.txt"), planFile);
    expect((await one("writes", "data/sessions/s3/plan.md", { planFile, mode: "plan" })).slice(0, 2)).toEqual(["ask", "path_guard"]);
    expect((await one("reads", "data/sessions/s3/plan.md", { planFile, mode: "plan" })).slice(0, 2)).toEqual(["ask", "path_guard"]);
  });

  it("plan mode says what to do instead", async () => {
    const said = await decide(toolWith("probe", { effects: [{ kind: "runs" }] }), {}, { folder, mode: "plan", rules: { allow: ["probe"] } });
    expect([said.behavior, said.by]).toEqual(["deny", "plan_mode"]);
    expect(said.reason).toMatch(/leave plan mode/);
  });

  it("the network is not a read, in no mode but bypass", async () => {
    const fetch = toolWith("probe", { effects: [{ kind: "network", target: "example.org" }], readOnly: true });
    const said = await Promise.all((["default", "acceptEdits", "plan", "bypass"] as const).map((mode) => decide(fetch, {}, { folder, mode })));
    expect(said.map(({ behavior, by }) => `${behavior} ${by}`)).toEqual(["ask ask", "ask ask", "ask ask", "allow bypass_mode"]);
  });

  it("accept-edits mode allows nothing that destroys, runs or touches the repository's index", async () => {
    const inside: Effect = { kind: "writes", target: join(folder.workspace, "a") };
    const tools = [
      toolWith("probe", { effects: [inside], destructive: true }),
      toolWith("probe", { effects: [inside, { kind: "runs" }] }),
      toolWith("probe", { effects: [inside, { kind: "git_index" }] }),
      toolWith("probe", { effects: [inside, { kind: "network", target: "x" }] }),
      toolWith("probe", { effects: [{ kind: "workspace_global" }] }),
      toolWith("probe", { effects: [] }),
    ];
    const said = await Promise.all(tools.map((tool) => decide(tool, {}, { folder, mode: "acceptEdits" })));
    expect(said.map(({ by }) => by)).toEqual(Array.from(tools, () => "ask"));
  });

  it("a tool that says it only reads but may write is no read", async () => {
    expect((await decide(toolWith("probe", { effects: [{ kind: "workspace_global" }], readOnly: true }), {}, { folder })).by).toBe("ask");
  });
});

describe("switched-off tools", () => {
  it.each(["probe", "PROBE", " probe ", "old_probe"])("%s switches the tool off, by name or alias", async (name) => {
    const tool = toolWith("probe", { effects: [], readOnly: true, aliases: ["Old_Probe"] });
    expect((await decide(tool, {}, { folder, disabledTools: [name], mode: "bypass" })).by).toBe("disabled_tool");
  });
});
