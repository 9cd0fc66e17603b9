import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StepName } from "#shared/permissions/question.ts";
import type { Effect } from "#shared/tools/effect.ts";
import {
  type BenchOptions,
  createTestAnalyser,
  decide,
  engineOf,
  makeScratchFolder,
  queryOf,
  type ScratchFolder,
  shellLikeTool,
  toolWith,
} from "#electron/testkit/permission-bench.ts";
import { runChain } from "./chain.ts";
import type { PermissionStep } from "./contract.ts";

let folder: ScratchFolder;
beforeAll(async () => {
  folder = await makeScratchFolder();
});
afterAll(() => folder.remove());

const inside = (name: string) => join(folder.workspace, name);
const writes = (target: string): Effect => ({ kind: "writes", target });
const reads = (target: string): Effect => ({ kind: "reads", target });

/** What makes each step answer; put together, the first of them must win. */
type Trigger = { readonly effects?: readonly Effect[]; readonly options?: Partial<BenchOptions>; readonly opinion?: true };
const TRIGGERS: Readonly<Record<string, () => Trigger>> = {
  deny_rules: () => ({ options: { rules: { deny: ["probe"] } } }),
  dangerous_command: () => ({ effects: [{ kind: "runs" }] }),
  disabled_tool: () => ({ options: { disabledTools: ["Probe"] } }),
  path_guard: () => ({ effects: [writes(join(folder.outside, "x"))] }),
  ask_rules: () => ({ options: { rules: { ask: ["probe"] } } }),
  tool_opinion: () => ({ opinion: true }),
  protected_path: () => ({ effects: [writes(inside(".git/hooks/pre-commit"))] }),
  plan_mode: () => ({ options: { mode: "plan" } }),
  bypass_mode: () => ({ options: { mode: "bypass" } }),
  allow_rules: () => ({ options: { rules: { allow: ["probe"] } } }),
  accept_edits: () => ({ options: { mode: "acceptEdits" } }),
};
const GUARDS = ["deny_rules", "dangerous_command", "disabled_tool", "path_guard", "ask_rules", "tool_opinion", "protected_path"];
const LADDERS: readonly (readonly string[])[] = [
  [...GUARDS, "plan_mode", "allow_rules"],
  [...GUARDS, "bypass_mode", "allow_rules"],
  [...GUARDS, "allow_rules", "accept_edits"],
  [...GUARDS, "allow_rules"],
];

async function decideWith(names: readonly string[]) {
  const triggers = names.map((name) => TRIGGERS[name]?.() ?? {});
  const effects = [writes(inside("src/app.ts")), ...triggers.flatMap((one) => one.effects ?? [])];
  const tool = toolWith("probe", {
    effects,
    permissionTarget: () => "rm -rf /",
    checkPermission: async () => (triggers.some((one) => one.opinion) ? { behavior: "ask", reason: "the tool wants to be asked" } : { behavior: "pass" }),
  });
  const list = (kind: "allow" | "ask" | "deny") => triggers.flatMap((one) => one.options?.rules?.[kind] ?? []);
  const options = triggers.reduce<BenchOptions>((all, one) => ({ ...all, ...one.options }), { folder });
  return decide(tool, {}, { ...options, rules: { allow: list("allow"), ask: list("ask"), deny: list("deny") } });
}

describe("the order of the chain", () => {
  it("is the order of the requirement, all fourteen steps", () => {
    expect(StepName.options).toEqual([...GUARDS, "plan_mode", "sandboxed", "bypass_mode", "allow_rules", "reads", "accept_edits", "ask"]);
    expect(StepName.options.length).toBe(14);
  });

  it.each(LADDERS.flatMap((ladder) => ladder.map((_step, at) => ladder.slice(at))))("%s answers before everything after it (%s …)", async (...ladder) => {
    expect((await decideWith(ladder)).by).toBe(ladder[0]);
  });

  it("asks when nobody decided", async () => {
    expect(await decideWith([])).toEqual({ behavior: "ask", by: "ask", reason: "Nothing allows it yet" });
  });

  it("lets harmless calls pass before accept-edits mode and the question", async () => {
    const tool = toolWith("look", { effects: [reads(folder.workspace)], readOnly: true });
    expect(await Promise.all((["default", "acceptEdits"] as const).map((mode) => decide(tool, {}, { folder, mode }).then((said) => said.by)))).toEqual([
      "reads",
      "reads",
    ]);
  });
});

describe("a step that throws", () => {
  const broken: PermissionStep = {
    name: "path_guard",
    check: async () => {
      throw new Error("disk on fire");
    },
  };
  const yes: PermissionStep = { name: "reads", check: async () => ({ behavior: "allow", by: "reads", reason: "yes" }) };

  it("asks, and no later step can allow", async () => {
    const query = await queryOf(toolWith("probe", { effects: [] }), {}, { folder });
    expect(await runChain([broken, yes], false).decide(query)).toEqual({
      behavior: "ask",
      by: "path_guard",
      reason: "A check of this call failed, so it is not let through unseen",
      about: "disk on fire",
      why: "check_failed",
      personOnly: true,
    });
  });

  it("refuses when nobody is there", async () => {
    const query = await queryOf(toolWith("probe", { effects: [] }), {}, { folder });
    expect((await runChain([broken, yes], true).decide(query)).behavior).toBe("deny");
  });

  it("is what a throwing declaration of a tool amounts to", async () => {
    const tool = toolWith("probe", {
      effects: [{ kind: "runs" }],
      permissionTarget: () => {
        throw new Error("no target");
      },
    });
    expect((await decide(tool, {}, { folder, mode: "bypass" })).behavior).toBe("ask");
  });
});

describe("without a person", () => {
  it("refuses instead of asking, with a reason that says so", async () => {
    const said = await decide(toolWith("probe", { effects: [writes(inside("a"))] }), {}, { folder, headless: true });
    expect(said).toEqual({ behavior: "deny", by: "ask", reason: "Nothing allows it yet; nobody is there to be asked, so it is refused" });
  });

  it.each([
    ["reading in the workspace", { effects: [reads("src")], readOnly: true }],
    ["thinking aloud", { effects: [], readOnly: true }],
    ["asking the person", { effects: [{ kind: "asks_person" as const }], readOnly: true }],
  ])("does not refuse %s", async (_name, declared) => {
    const effects = declared.effects.map((effect) => ("target" in effect ? { ...effect, target: inside(effect.target) } : effect));
    expect((await decide(toolWith("probe", { ...declared, effects }), {}, { folder, headless: true })).behavior).toBe("allow");
  });
});

describe("hooks", () => {
  const tool = () => toolWith("probe", { effects: [writes(inside("src/app.ts"))] });

  it.each([
    ["deny", "deny", "deny_rules"],
    ["ask", "ask", "ask_rules"],
    ["allow", "allow", "allow_rules"],
  ] as const)("a hook's %s counts as such a rule", async (hookSays, behavior, by) => {
    const said = await decide(tool(), {}, { folder, hookSays });
    expect([said.behavior, said.by]).toEqual([behavior, by]);
  });

  it.each([
    [{ rules: { deny: ["probe"] } }, "deny_rules"],
    [{ rules: { ask: ["probe"] } }, "ask_rules"],
    [{ mode: "plan" as const }, "plan_mode"],
    [{ disabledTools: ["probe"] }, "disabled_tool"],
  ])("a hook's allow lifts neither rules of the person nor plan mode: %j", async (options, by) => {
    expect((await decide(tool(), {}, { folder, hookSays: "allow", ...options })).by).toBe(by);
  });

  it("a hook's allow lifts no guard and no git call that publishes", async () => {
    const bash = shellLikeTool(await createTestAnalyser());
    const said = await Promise.all(
      ["rm -rf /", "cat /etc/passwd", "echo x > .git/hooks/a", "git push", "npm test"].map((command) =>
        decide(bash, { command }, { folder, hookSays: "allow" }),
      ),
    );
    expect(said.map(({ behavior, by }) => [behavior, by])).toEqual([
      ["deny", "dangerous_command"],
      ["ask", "path_guard"],
      ["ask", "protected_path"],
      ["ask", "ask"],
      ["allow", "allow_rules"],
    ]);
  });
});

describe("input that does not parse", () => {
  const decideUnparsed = async (options: Partial<BenchOptions>) => {
    const query = await queryOf(toolWith("probe", { effects: [writes("/etc/passwd")], permissionTarget: () => "x" }), 7, { folder, ...options });
    return engineOf({ folder, ...options }).decide({ ...query, parsed: false });
  };

  it("is never a question, and goes on to the gate that reports it", async () => {
    expect(await decideUnparsed({ rules: { ask: ["probe"] } })).toMatchObject({ behavior: "allow", by: "ask" });
  });

  it.each([
    [{ rules: { deny: ["probe"] } }, "deny_rules"],
    [{ hookSays: "deny" as const }, "deny_rules"],
    [{ disabledTools: ["probe"] }, "disabled_tool"],
  ])("still meets prohibitions: %j", async (options, by) => {
    expect(await decideUnparsed(options)).toMatchObject({ behavior: "deny", by });
  });
});
