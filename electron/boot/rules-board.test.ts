import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import { createRememberedRules } from "#electron/permissions/remember.ts";
import { createRuleFile } from "#electron/permissions/rule-file.ts";
import { openSettings } from "#electron/settings/store.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createRulesBoard } from "./rules-board.ts";

const session = SessionId.parse("s1");
let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-board-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function setUp(settingsText = JSON.stringify({ rules: { allow: ["bash(ls)"], deny: ["bash(rm *)", "bash("] } })) {
  await writeFile(join(root, "settings.json"), settingsText);
  await mkdir(join(root, "work/.cairn"), { recursive: true });
  await writeFile(join(root, "work/.cairn/settings.json"), JSON.stringify({ rules: { ask: ["web_fetch"], allow: ["bash"] } }));
  const clock = createManualClock();
  const settings = await openSettings(join(root, "settings.json"));
  const remembered = await createRememberedRules({ store: createRuleFile(join(root, "approvals.json"), clock), clock });
  const own = remembered.forSession(session, join(root, "work"));
  const board = createRulesBoard({ settings, remembered, folders: async () => [join(root, "work"), join(root, "work")] });
  return { settings, remembered, own, board };
}

describe("the board of rules (P5)", () => {
  it("lists every rule with its source, scope and time, and what has no effect", async () => {
    const { own, board } = await setUp();
    await own.remember("bash(npm test)", "session");
    await own.remember("edit(src/**)", "folder");
    expect((await board.list()).map(({ id: _id, file: _file, ...rest }) => rest)).toMatchObject([
      { rule: "edit(src/**)", kind: "allow", from: "remembered", scope: "folder", folder: join(root, "work"), session },
      { rule: "bash(npm test)", kind: "allow", from: "remembered", scope: "session", session },
      { rule: "bash(ls)", kind: "allow", from: "settings", scope: "everywhere" },
      { rule: "bash(rm *)", kind: "deny", from: "settings" },
      { rule: "bash(", kind: "deny", from: "settings", fault: "not_a_rule" },
      { rule: "bash", kind: "allow", from: "folder", scope: "folder", fault: "folder_cannot_allow" },
      { rule: "web_fetch", kind: "ask", from: "folder", scope: "folder", folder: join(root, "work") },
    ]);
    expect((await board.list())[0]?.grantedAt).toEqual(expect.any(Number));
  });

  it("takes back what is the person's, at once and on the disk; never what is the folder's", async () => {
    const { own, board, settings } = await setUp();
    await own.remember("bash(npm test)", "everywhere");
    const list = await board.list();
    for (const entry of list.filter(({ from }) => from !== "folder")) expect(await board.revoke(entry.id)).toEqual({ ok: true, value: null });
    expect(own.allow()).toEqual([]);
    expect(settings.current().rules).toEqual({ allow: [], ask: [], deny: [] });
    expect(JSON.parse(await readFile(join(root, "approvals.json"), "utf8"))).toMatchObject({ rules: [] });
    for (const entry of list.filter(({ from }) => from === "folder"))
      expect(await board.revoke(entry.id)).toMatchObject({ ok: false, error: { kind: "not_yours" } });
    expect(await readFile(join(root, "work/.cairn/settings.json"), "utf8")).toContain("web_fetch");
    expect(await board.revoke(list[0]?.id ?? "")).toMatchObject({ ok: false, error: { kind: "unknown_rule" } });
  });

  it("adds a rule, and refuses what is none, what is too wide and what is there", async () => {
    const { board, settings } = await setUp();
    expect(await board.add({ rule: "bash(git push *)", kind: "ask" })).toEqual({ ok: true, value: null });
    expect(settings.current().rules.ask).toEqual(["bash(git push *)"]);
    const refused = async (rule: string, kind: "allow" | "deny") => {
      const added = await board.add({ rule, kind });
      return added.ok ? "added" : added.error.kind;
    };
    expect([await refused("rm -rf", "deny"), await refused("mcp__*", "allow"), await refused("bash(ls)", "allow")]).toEqual([
      "not_a_rule",
      "too_wide",
      "already_there",
    ]);
  });

  it("tells of changes in settings and answers", async () => {
    const { own, board } = await setUp();
    let heard = 0;
    const following = board.follow(() => (heard += 1));
    await own.remember("bash(a)", "session");
    await board.add({ rule: "bash(b)", kind: "deny" });
    following[Symbol.dispose]();
    await own.remember("bash(c)", "session");
    expect(heard).toBe(2);
  });
});
