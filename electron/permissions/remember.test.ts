import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import type { RememberedRule } from "#shared/permissions/rule-remembered.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createRememberedRules, type RuleStore } from "./remember.ts";
import { createRuleFile } from "./rule-file.ts";

const containing = (text: string): unknown => expect.stringContaining(text);
const [a, b] = [SessionId.parse("session_a"), SessionId.parse("session_b")];
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "cairn-approvals-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const file = () => join(dir, "approvals.json");
const open = (store?: RuleStore) => {
  const clock = createManualClock();
  return createRememberedRules({ store: store ?? createRuleFile(file(), clock), clock });
};

describe("remembered approvals", () => {
  it("hold where they were given: this session, this folder, everywhere", async () => {
    const rules = await open();
    const own = rules.forSession(a, "/w");
    await own.remember("bash(a)", "session");
    await own.remember("bash(b)", "folder");
    await own.remember("bash(c)", "everywhere");
    expect({
      here: own.allow(),
      otherSession: rules.forSession(b, "/w").allow(),
      otherFolder: rules.forSession(b, "/other").allow(),
      sameSessionMoved: rules.forSession(a, "/other").allow(),
    }).toEqual({
      here: ["bash(a)", "bash(b)", "bash(c)"],
      otherSession: ["bash(b)", "bash(c)"],
      otherFolder: ["bash(c)"],
      sameSessionMoved: ["bash(a)", "bash(c)"],
    });
  });

  it("survive a restart, readably", async () => {
    await (await open()).forSession(a, "/w").remember("bash(npm test:*)", "folder");
    expect((await open()).forSession(b, "/w").allow()).toEqual(["bash(npm test:*)"]);
    expect(await readFile(file(), "utf8")).toContain('"rule": "bash(npm test:*)"');
  });

  it("are listed with when and by which session, and are given once", async () => {
    const rules = await open();
    await rules.forSession(a, "/w").remember("bash(a)", "everywhere");
    await rules.forSession(b, "/w").remember("bash(a)", "everywhere");
    const [only, ...more] = rules.list();
    expect({ rule: only?.rule, scope: only?.scope, session: only?.session, more }).toEqual({ rule: "bash(a)", scope: "everywhere", session: b, more: [] });
    expect(only?.grantedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it("can be taken back", async () => {
    const rules = await open();
    const own = rules.forSession(a, "/w");
    await own.remember("bash(a)", "everywhere");
    const [given] = rules.list();
    if (given !== undefined) await rules.revoke(given);
    expect([own.allow(), (await open()).list()]).toEqual([[], []]);
  });

  it("say when they were used last, only where they hold", async () => {
    const rules = await open();
    await rules.forSession(a, "/w").remember("bash(a)", "folder");
    rules.forSession(b, "/other").used(["bash(a)"]);
    expect(rules.list()[0]?.lastUsed).toBeUndefined();
    rules.forSession(b, "/w").used(["bash(a)"]);
    expect(rules.list()[0]?.lastUsed).toBeDefined();
  });

  it("keep when they were used last, on request, and only if something was used", async () => {
    const rules = await open();
    await rules.forSession(a, "/w").remember("bash(a)", "everywhere");
    const before = await readFile(file(), "utf8");
    rules.forSession(a, "/w").used(["bash(other)"]);
    await rules.flush();
    expect(await readFile(file(), "utf8")).toBe(before);
    rules.forSession(a, "/w").used(["bash(a)"]);
    await rules.flush();
    expect((await open()).list()[0]?.lastUsed).toBeDefined();
  });

  it("tell their followers when one is given or taken back", async () => {
    const rules = await open();
    let heard = 0;
    const following = rules.follow(() => (heard += 1));
    await rules.forSession(a, "/w").remember("bash(a)", "session");
    for (const given of rules.list()) await rules.revoke(given);
    following[Symbol.dispose]();
    await rules.forSession(a, "/w").remember("bash(b)", "session");
    expect(heard).toBe(2);
  });

  it("of a deleted session go with it", async () => {
    const rules = await open();
    await rules.forSession(a, "/w").remember("bash(a)", "session");
    await rules.forSession(a, "/w").remember("bash(b)", "folder");
    await rules.forgetSession(a);
    expect(rules.list().map((one) => one.rule)).toEqual(["bash(b)"]);
  });

  it("are not in force when they could not be saved", async () => {
    const store: RuleStore = {
      path: "/data/approvals.json",
      load: async () => ({ rules: [], problems: [] }),
      save: async () => {
        throw new Error("disk full");
      },
    };
    const own = (await open(store)).forSession(a, "/w");
    await expect(own.remember("bash(a)", "session")).rejects.toThrow("disk full");
    expect(own.allow()).toEqual([]);
  });

  it("refuse what is no rule", async () => {
    const own = (await open()).forSession(a, "/w");
    await expect(own.remember("fi; done", "session")).rejects.toThrow(/Not a rule/);
  });

  it("are none when the store cannot be read, and the app starts", async () => {
    const store: RuleStore = {
      path: "/data/approvals.json",
      load: async () => {
        throw new Error("no permission");
      },
      save: async () => {},
    };
    const rules = await open(store);
    expect([rules.list(), rules.problems()]).toEqual([
      [],
      [{ key: "notices.approvals_unreadable", params: { path: "/data/approvals.json", reason: "no permission" } }],
    ]);
  });

  it("keep every answer given at the same time", async () => {
    const rules = await open();
    const own = rules.forSession(a, "/w");
    await Promise.all(Array.from({ length: 20 }, (_unused, n) => own.remember(`bash(c${n})`, "everywhere")));
    expect((await open()).list().length).toBe(20);
  });
});

describe("the file of approvals", () => {
  const good: RememberedRule = { rule: "bash(a)", scope: "everywhere", session: a, grantedAt: "2026-01-01T00:00:00.000Z" };

  it("a broken entry disables itself only, stays in the file, and is reported", async () => {
    await writeFile(file(), JSON.stringify({ version: 1, rules: [good, { rule: 7 }, "junk"] }));
    const rules = await open();
    expect([rules.list(), rules.problems()]).toEqual([
      [good],
      ['{"rule":7}', '"junk"'].map((entry) => ({ key: "notices.approvals_entry_ignored", params: { path: file(), entry } })),
    ]);
    await rules.forSession(a, "/w").remember("bash(b)", "everywhere");
    expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ rules: [good, { rule: "bash(b)" }, { rule: 7 }, "junk"] });
  });

  it("an entry whose rule does not parse is kept, has no effect, and is reported", async () => {
    await writeFile(file(), JSON.stringify({ version: 1, rules: [{ ...good, rule: "bash(" }] }));
    expect((await open()).problems()).toEqual([{ key: "notices.rule_not_a_rule", params: { rule: "bash(", where: file() } }]);
  });

  it.each(["{ not json", "[]", '{"version":2,"rules":[]}', ""])("%j is set aside, not overwritten", async (text) => {
    await writeFile(file(), text);
    const rules = await open();
    expect(rules.list()).toEqual([]);
    await rules.forSession(a, "/w").remember("bash(a)", "everywhere");
    const [aside] = (await readdir(dir)).filter((name) => name.includes(".broken-"));
    expect(await readFile(join(dir, aside ?? ""), "utf8")).toBe(text);
    expect(rules.problems()).toEqual([{ key: "notices.approvals_damaged", params: { path: join(dir, aside ?? "") } }]);
  });

  it("what can neither be read nor set aside is never written over (R4)", async () => {
    await mkdir(file());
    await writeFile(join(file(), "x"), "");
    const rules = await open();
    expect(rules.problems()).toEqual([{ key: "notices.approvals_unreadable", params: { path: file(), reason: containing("EISDIR") } }]);
    await expect(rules.forSession(a, "/w").remember("bash(b)", "everywhere")).rejects.toThrow(/could not be read/);
    expect(rules.list()).toEqual([]);
  });
});
