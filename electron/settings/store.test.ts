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

  it("two writes at once both land", async () => {
    const path = join(folder, "settings.json");
    const store = await openSettings(path);
    await Promise.all([store.set({ theme: "dark" }), store.set({ language: "en" })]);
    expect((await openSettings(path)).current()).toMatchObject({ theme: "dark", language: "en" });
  });

  it.each([
    ["nothing", {}, []],
    ["several bad values", { theme: 1, mode: "yolo", language: "en" }, ["theme", "mode"]],
    ["a bad list of rules", { rules: { allow: [1] } }, ["rules"]],
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
