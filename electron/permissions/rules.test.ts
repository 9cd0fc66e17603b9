// Rules about files and targets through the whole chain; rules about commands are in the corpus.
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { escapeGlob } from "#shared/permissions/rule-path.ts";
import type { Effect } from "#shared/tools/effect.ts";
import { createTestAnalyser, decide, makeScratchFolder, type ScratchFolder, shellLikeTool, toolWith } from "#electron/testkit/permission-bench.ts";
import type { ActiveRules } from "./contract.ts";

let folder: ScratchFolder;
beforeAll(async () => {
  folder = await makeScratchFolder();
  await symlink("../secrets", join(folder.workspace, "src/link"));
  await mkdir(join(folder.workspace, "odd [1] (x)"));
});
afterAll(() => folder.remove());

type Touch = readonly [kind: "reads" | "writes" | "deletes", path: string];

async function verdictOf(rules: Partial<ActiveRules>, touches: readonly Touch[], tool = "write", more: readonly Effect[] = []) {
  const effects: readonly Effect[] = [...touches.map(([kind, path]): Effect => ({ kind, target: join(folder.workspace, path) })), ...more];
  const said = await decide(toolWith(tool, { effects, readOnly: touches.every(([kind]) => kind === "reads") && more.length === 0 }), {}, { folder, rules });
  return `${said.behavior} ${said.by}`;
}

describe("rules about files", () => {
  it.each<[Partial<ActiveRules>, readonly Touch[], string]>([
    [{ allow: ["edit(src/**)"] }, [["writes", "src/a/b.ts"]], "allow allow_rules"],
    [{ allow: ["Edit(src/**)"] }, [["writes", "src/a"]], "allow allow_rules"],
    [{ allow: ["write(src/**)"] }, [["writes", "src/a"]], "allow allow_rules"],
    [{ allow: ["edit(src/**)"] }, [["deletes", "src/a"]], "allow allow_rules"],
    [{ allow: ["edit(src/**)"] }, [["writes", "lib/a"]], "ask ask"],
    [
      { allow: ["edit(src/**)"] },
      [
        ["writes", "src/a"],
        ["writes", "lib/b"],
      ],
      "ask ask",
    ],
    [
      { allow: ["edit(src/**)", "edit(lib/**)"] },
      [
        ["writes", "src/a"],
        ["writes", "lib/b"],
      ],
      "allow allow_rules",
    ],
    [
      { allow: ["edit(src/**)"] },
      [
        ["reads", "lib/b"],
        ["writes", "src/a"],
      ],
      "allow allow_rules",
    ],
    [{ allow: ["read(src/**)"] }, [["writes", "src/a"]], "ask ask"],
    [{ allow: ["edit(src/../lib/**)"] }, [["writes", "lib/a"]], "ask ask"],
    [{ allow: ["edit(notes.md)"] }, [["writes", "notes.md"]], "allow allow_rules"],
    [{ allow: ["edit(notes.md)"] }, [["writes", "sub/notes.md"]], "ask ask"],
    [{ allow: ["edit(SRC/**)"] }, [["writes", "src/a"]], "ask ask"],
    [{ allow: ["edit(src/**)"] }, [["writes", "src/link/a"]], "ask ask"],
    [{ allow: ["edit(secrets/**)"] }, [["writes", "src/link/a"]], "allow allow_rules"],
    [{ allow: ["edit"] }, [["writes", "anything"]], "allow allow_rules"],
    [{ allow: ["write"] }, [["writes", "anything"]], "allow allow_rules"],
    [{ deny: ["edit(secrets/**)"] }, [["writes", "src/link/a"]], "deny deny_rules"],
    [{ deny: ["edit(src/link/**)"] }, [["writes", "src/link/a"]], "deny deny_rules"],
    [{ deny: ["edit(SECRETS/**)"] }, [["writes", "secrets/a"]], "deny deny_rules"],
    [{ deny: ["read(private)"] }, [["reads", "private/x"]], "deny deny_rules"],
    [{ deny: ["read(.env)"] }, [["reads", "sub/deep/.env"]], "deny deny_rules"],
    [{ deny: ["edit"] }, [["writes", "a"]], "deny deny_rules"],
    [{ deny: ["edit(src/**)"], allow: ["edit(src/**)", "write"] }, [["writes", "src/a"]], "deny deny_rules"],
    [{ ask: ["read(src/**)"] }, [["reads", "src/a"]], "ask ask_rules"],
    [{ ask: ["read(src/**)"] }, [["reads", "lib/a"]], "allow reads"],
    [{ deny: ["grep(src/**)"] }, [["reads", "src/a"]], "allow reads"],
  ])("%j, %j → %s", async (rules, touches, expected) => {
    expect(await verdictOf(rules, touches)).toBe(expected);
  });

  it("a rule with a tool's own name is about that tool", async () => {
    expect(await verdictOf({ deny: ["grep(src/**)"] }, [["reads", "src/a"]], "grep")).toBe("deny deny_rules");
    expect(await verdictOf({ allow: ["notebook_edit(src/**)"] }, [["writes", "src/a"]], "notebook_edit")).toBe("allow allow_rules");
  });

  it("a rule about files never covers what the call does besides", async () => {
    expect(await verdictOf({ allow: ["edit(src/**)"] }, [["writes", "src/a"]], "deploy", [{ kind: "network", target: "example.org" }])).toBe("ask ask");
    expect(await verdictOf({ allow: ["edit(src/**)"] }, [["writes", "src/a"]], "deploy", [{ kind: "runs" }])).toBe("ask ask");
  });

  it("names with signs of patterns in them can be named", async () => {
    const rule = `edit(${escapeGlob("odd [1] (x)")}/**)`;
    expect(await verdictOf({ allow: [rule] }, [["writes", "odd [1] (x)/a"]])).toBe("allow allow_rules");
    expect(await verdictOf({ allow: [rule] }, [["writes", "odd 1 x/a"]])).toBe("ask ask");
  });

  it("a broken rule disables only itself", async () => {
    expect(await verdictOf({ allow: ["edit(", "edit(src/**)"], deny: ["fi", "((", ""] }, [["writes", "src/a"]])).toBe("allow allow_rules");
  });
});

describe("rules about other targets", () => {
  const fetch = (target: string, rules: Partial<ActiveRules>) =>
    decide(
      toolWith("web_fetch", { effects: [{ kind: "network", target: "example.org" }], readOnly: true, permissionTarget: () => target }),
      {},
      { folder, rules },
    );

  it.each([
    [{ allow: ["web_fetch(domain:example.org)"] }, "domain:example.org", "allow"],
    [{ allow: ["web_fetch(domain:*.example.org)"] }, "domain:docs.example.org", "allow"],
    [{ allow: ["web_fetch(domain:example.org)"] }, "domain:example.org.evil", "ask"],
    [{ deny: ["web_fetch(domain:evil)"], allow: ["web_fetch"] }, "domain:evil", "deny"],
    [{ ask: ["web_fetch(domain:*)"], allow: ["web_fetch"] }, "domain:x", "ask"],
    [{ allow: ["web_fetch"] }, "domain:x", "allow"],
  ])("%j, %s → %s", async (rules, target, behavior) => {
    expect((await fetch(target, rules)).behavior).toBe(behavior);
  });

  it("a server's rule is about its tools only", async () => {
    const call = (name: string, rules: Partial<ActiveRules>) => decide(toolWith(name, { effects: [{ kind: "workspace_global" }] }), {}, { folder, rules });
    expect((await call("mcp__github__create_issue", { allow: ["mcp__github"] })).behavior).toBe("allow");
    expect((await call("mcp__github__create_issue", { allow: ["mcp__github__*"] })).behavior).toBe("allow");
    expect((await call("mcp__github__create_issue", { allow: ["mcp__git"] })).behavior).toBe("ask");
    expect((await call("mcp__github__create_issue", { allow: ["*"] })).behavior).toBe("ask");
    expect((await call("mcp__github__create_issue", { deny: ["mcp__github"], allow: ["mcp__github__create_issue"] })).behavior).toBe("deny");
  });
});

describe("commands that nothing is known about (another shell, a failed analysis)", () => {
  const shell = (command: string, rules: Partial<ActiveRules>) =>
    decide(toolWith("powershell", { effects: [{ kind: "runs" }], permissionTarget: () => command }), {}, { folder, rules });

  it.each([
    [{ deny: ["powershell(Remove-Item *)"] }, "Get-Item x; Remove-Item y", "deny"],
    [{ deny: ["powershell(Remove-Item *)"] }, "Get-Item x", "ask"],
    [{ allow: ["powershell(git log *)"] }, "git log; Remove-Item y", "ask"],
    [{ allow: ["powershell(git log *)"] }, "git log -p", "ask"],
    [{ allow: ["powershell(git log -p)"] }, "git log -p", "allow"],
    [{ allow: ["powershell"] }, "git log -p", "allow"],
    [{ allow: ["powershell"], deny: ["powershell(Remove-Item *)"] }, "git log -p", "ask"],
    [{ allow: ["powershell"] }, "Remove-Item -Recurse C:\\", "deny"],
  ])("%j, %s → %s", async (rules, command, behavior) => {
    expect((await shell(command, rules)).behavior).toBe(behavior);
  });
});

describe("verdicts name the rules that spoke", () => {
  it("all of them", async () => {
    const bash = shellLikeTool(await createTestAnalyser());
    const said = await decide(bash, { command: "npm test && make build" }, { folder, rules: { allow: ["bash(npm test)", "bash(make *)", "bash(go *)"] } });
    expect(said).toEqual({
      behavior: "allow",
      by: "allow_rules",
      reason: "The user's rule bash(npm test), bash(make *) allows it",
      rules: ["bash(npm test)", "bash(make *)"],
    });
  });

  it("and the part they met", async () => {
    const bash = shellLikeTool(await createTestAnalyser());
    expect(await decide(bash, { command: "ls && rm x" }, { folder, rules: { deny: ["bash(rm *)"] } })).toMatchObject({
      behavior: "deny",
      rules: ["bash(rm *)"],
      about: "rm x",
    });
  });
});
