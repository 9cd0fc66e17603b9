import { describe, expect, it } from "vitest";
import { createFormat } from "./format.ts";
import { createI18n, noticeText, readCatalogues } from "./i18n.ts";

const SOURCES = import.meta.glob("/renderer/**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" });

type Texts = ReturnType<typeof readCatalogues>[number]["texts"];

function keysOf(texts: Texts, prefix = ""): string[] {
  return Object.entries(texts).flatMap(([name, value]) => (typeof value === "string" ? [`${prefix}${name}`] : keysOf(value, `${prefix}${name}.`)));
}
const keys = (area: string, language: string) => keysOf(readCatalogues().find((other) => other.area === area && other.language === language)?.texts ?? {});
const params = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "").toSorted((a, b) => a.localeCompare(b));

describe("catalogues", () => {
  const areas = [...new Set(readCatalogues().map(({ area }) => area))];

  it.each(areas)("%s has the same keys in both languages", (area) => {
    expect(keys(area, "zh-CN")).toEqual(keys(area, "en"));
  });

  it.each(areas)("%s uses the same parameters in both languages", async (area) => {
    const [en, zh] = [await createI18n("en"), await createI18n("zh-CN")];
    const raw = (i18n: typeof en, key: string) => String(i18n.getResource(i18n.language, area, key));
    const singular = keys(area, "en").filter((key) => !/_(one|other)$/.test(key));
    const paramsIn = (i18n: typeof en) => singular.map((key) => [key, ...params(raw(i18n, key))]);
    expect(paramsIn(zh)).toEqual(paramsIn(en));
  });

  it("have every key that the window names in full", () => {
    const known = new Set(areas.flatMap((area) => keys(area, "en").flatMap((key) => [key, key.replace(/_(one|other)$/, "")])));
    const used = Object.entries(SOURCES).flatMap(([path, source]) =>
      /\.test\.tsx?$|testkit/.test(path)
        ? []
        : [...String(source).matchAll(/\bt\(\s*"([\w.:-]+)"/g)].map((match) => `${(match[1] ?? "").replace(/^\w+:/, "")} in ${path}`),
    );
    expect(used.length).toBeGreaterThan(150);
    expect(used.filter((use) => !known.has(use.split(" in ")[0] ?? ""))).toEqual([]);
  });
});

describe("texts", () => {
  it("count in both languages", async () => {
    const [en, zh] = [await createI18n("en"), await createI18n("zh-CN")];
    expect([en.t("transcript.changed", { count: 1 }), en.t("transcript.changed", { count: 3 }), zh.t("transcript.changed", { count: 3 })]).toEqual([
      "Changed 1 file",
      "Changed 3 files",
      "修改了 3 个文件",
    ]);
  });

  it("say something about a notice that has no words yet", async () => {
    const en = await createI18n("en");
    expect(noticeText(en.t, { key: "no.such.key" })).toContain("no.such.key");
    expect(noticeText(en.t, { key: "moved.text", params: { path: "/x" } })).toContain("/x");
    en.addResource("en", "notices", "failed_auth", "The key was refused ({{status}}).");
    expect(noticeText(en.t, { key: "notices.failed_auth", params: { status: 401 } })).toBe("The key was refused (401).");
  });
});

describe("formats", () => {
  it.each([
    [400, "0.4 s", "0.4 秒"],
    [12_000, "12 s", "12 秒"],
    [185_000, "3 min 5 s", "3 分 5 秒"],
  ])("%d ms is %s", (ms, en, zh) => {
    expect([createFormat("en").duration(ms), createFormat("zh-CN").duration(ms)]).toEqual([en, zh]);
  });
});
