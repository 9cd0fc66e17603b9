import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFolderRules } from "./folder-rules.ts";

let folder = "";
const file = () => join(folder, ".cairn", "settings.json");
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-folder-rules-"));
  await mkdir(join(folder, ".cairn"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("rules that a folder brings along (P4, R4)", () => {
  it("are none without the file", async () => {
    expect(await readFolderRules(join(folder, "none"))).toMatchObject({ ask: [], deny: [], allow: [], problems: [] });
  });

  it("are read, one bad one without the others, and the bad ones are told", async () => {
    await writeFile(file(), JSON.stringify({ rules: { deny: ["bash(rm *)", "bash(", 7], ask: "all", allow: ["bash"] }, hooks: {} }));
    expect(await readFolderRules(folder)).toEqual({
      path: file(),
      deny: ["bash(rm *)", "bash("],
      ask: [],
      allow: ["bash"],
      problems: ["bash(", '"all"', "7"].map((rule) => ({ key: "notices.rule_not_a_rule", params: { rule, where: file() } })),
    });
  });

  it.each(["{ not json", "[]", '{"rules": 7}'])("%s is told, and the person's own rules hold", async (text) => {
    await writeFile(file(), text);
    expect((await readFolderRules(folder)).problems).toMatchObject([{ key: "notices.folder_rules_unreadable", params: { path: file() } }]);
  });

  it("a file without end is not read", async () => {
    await writeFile(file(), `{"rules": {"deny": ["${"x".repeat(300_000)}"]}}`);
    expect(await readFolderRules(folder)).toMatchObject({ deny: [], problems: [{ key: "notices.folder_rules_unreadable" }] });
  });
});
