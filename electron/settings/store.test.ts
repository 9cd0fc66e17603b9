import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Settings } from "#shared/settings/settings.ts";
import { dropBadValues, openSettings, readSettingsFile } from "./store.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-settings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("settings file", () => {
  it("starts with the defaults, keeps what is set, and tells its followers", async () => {
    const path = join(folder, "settings.json");
    const store = await openSettings(path);
    expect(store.current()).toEqual(Settings.parse({}));
    const heard: string[] = [];
    using _follow = store.follow((settings) => heard.push(settings.theme));
    await store.set({ theme: "dark" });
    expect(heard).toEqual(["dark"]);
    expect((await openSettings(path)).current().theme).toBe("dark");
  });

  it("sets a damaged file aside with its bytes and says so", async () => {
    const path = join(folder, "settings.json");
    await writeFile(path, '{"theme": "dark", ');
    const store = await openSettings(path);
    expect(store.problems).toEqual([{ key: "settings_damaged", path: `${path}.damaged` }]);
    expect(await readFile(`${path}.damaged`, "utf8")).toBe('{"theme": "dark", ');
    await store.set({ theme: "light" });
    expect(await readFile(`${path}.damaged`, "utf8")).toBe('{"theme": "dark", ');
  });

  it("ignores one bad value and keeps the others; members it does not know survive a write", async () => {
    const path = join(folder, "settings.json");
    await writeFile(path, JSON.stringify({ theme: "pink", language: "zh-CN", fromTheFuture: { a: 1 } }));
    const store = await openSettings(path);
    expect(store.current().language).toBe("zh-CN");
    expect(store.current().theme).toBe("system");
    expect(store.problems.map((problem) => problem.key)).toEqual(["settings_value_ignored"]);
    await store.set({ onboarded: true });
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ fromTheFuture: { a: 1 }, onboarded: true, language: "zh-CN" });
  });

  it("one bad rule takes no other along, stays in the file, and is copied aside before the rules are set anew (B16, R4)", async () => {
    const path = join(folder, "settings.json");
    const given = { rules: { deny: ["bash(rm *)", 7, "", "edit(src/**)"], allow: ["bash(ls)"] } };
    await writeFile(path, JSON.stringify(given));
    const store = await openSettings(path);
    expect(store.current().rules).toEqual({ allow: ["bash(ls)"], ask: [], deny: ["bash(rm *)", "edit(src/**)"] });
    expect(store.problems.map((problem) => problem.path)).toEqual([`${path} (rules.deny.2)`, `${path} (rules.deny.1)`]);
    await store.set({ theme: "dark" });
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ ...given, theme: "dark" });
    await store.set({ rules: { ...store.current().rules, allow: [] } });
    expect(JSON.parse(await readFile(`${path}.before-change`, "utf8"))).toMatchObject(given);
    expect((await openSettings(path)).current().rules).toEqual({ allow: [], ask: [], deny: ["bash(rm *)", "edit(src/**)"] });
  });

  it("two writes at once both land", async () => {
    const path = join(folder, "settings.json");
    const store = await openSettings(path);
    await Promise.all([store.set({ theme: "dark" }), store.set({ language: "en" })]);
    expect((await openSettings(path)).current()).toMatchObject({ theme: "dark", language: "en" });
  });

  it.each([
    ["nothing", {}, []],
    ["several bad values", { theme: 1, mode: "yolo", language: "en" }, ["theme", "mode"]],
    ["a bad rule", { rules: { allow: [1] } }, ["rules.allow.0"]],
    ["several bad rules", { rules: { allow: ["", "bash(ls)", 2], deny: "all" } }, ["rules.allow.0", "rules.allow.2", "rules.deny"]],
    ["a member without what it needs", { hooks: { Stop: [{ hooks: [{}] }, { hooks: [{ command: "x" }] }] } }, ["hooks.Stop.0.hooks.0"]],
    [
      "two faults in one of a list",
      { hooks: { Stop: [{ hooks: [{ command: 7, timeoutMs: "x" }, { command: "y" }] }] } },
      ["hooks.Stop.0.hooks.0.command", "hooks.Stop.0.hooks.0.timeoutMs", "hooks.Stop.0.hooks.0"],
    ],
    ["no object", { rules: 7, theme: "dark" }, ["rules"]],
  ])("%s", (_name, raw, ignored) => {
    expect([...dropBadValues(raw).ignored].sort()).toEqual([...ignored].sort());
  });

  it("a settings file of the command line is refused with the reason", async () => {
    const path = join(folder, "mine.json");
    await writeFile(path, "[1]");
    expect(await readSettingsFile(path)).toEqual({ ok: false, message: "it is not a JSON object" });
    expect((await readSettingsFile(join(folder, "none.json"))).ok).toBe(false);
  });
});
