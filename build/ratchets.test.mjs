// The project kept against ratchets.mjs, and each ratchet against planted text.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./process.mjs";
import {
  blockingCalls,
  COLD_PATH_CEILING,
  COLD_PATHS,
  emptyTexts,
  inlineDisables,
  languageGaps,
  strayElectron,
  strayTime,
  unfinishedWords,
  vagueName,
  workerOnly,
} from "./ratchets.mjs";
import { allFiles, codeFiles } from "./sources.mjs";

const read = (file) => readFileSync(path.join(ROOT, file), "utf8");
const sources = codeFiles(ROOT);
const isText = (file) => /\.(?:[cm]?[jt]sx?|md|css|html|yml)$/.test(file) || /^shared\/i18n\/.*\.json$/.test(file);
const texts = allFiles(ROOT, ["shared", "electron", "renderer", "e2e", "build", "docs", ".ci"]).filter(isText);
const english = allFiles(ROOT, ["shared/i18n"]).filter((file) => file.endsWith(".en.json"));

const free = new Set([
  ...COLD_PATHS.map(({ file }) => file),
  ...workerOnly(new Map(codeFiles(ROOT, ["shared", "electron"]).map((file) => [file, read(file)]))),
]);

const findings = (files, ratchet) => files.flatMap((file) => ratchet(file, read(file)).map((what) => `${file}: ${what}`));

describe("the project", () => {
  it("is seen at all", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(texts.length).toBeGreaterThan(sources.length);
  });
  it("does not block the engine's thread", () => expect(findings(sources, (file, code) => blockingCalls(file, code, free))).toEqual([]));
  it("imports Electron in three places only", () => expect(findings(sources, strayElectron)).toEqual([]));
  it("takes time from the clock only", () => expect(findings(sources, strayTime)).toEqual([]));
  it("switches no rule off in place", () => expect(findings(sources, inlineDisables)).toEqual([]));
  it("holds no marks of unfinished work", () => expect(findings(texts, unfinishedWords)).toEqual([]));
  it("names its files", () => expect(sources.flatMap((file) => vagueName(file).map((what) => `${file}: ${what}`))).toEqual([]));

  it("keeps the list of cold paths short and true", () => {
    expect(COLD_PATHS.length).toBeLessThanOrEqual(COLD_PATH_CEILING);
    const idle = COLD_PATHS.filter(
      ({ file, why }) => !existsSync(path.join(ROOT, file)) || why.length < 20 || blockingCalls(file, read(file), new Set()).length === 0,
    );
    expect(idle).toEqual([]);
  });

  it.each(english.map((file) => [file]))("has Chinese for %s", (file) => {
    const chinese = file.replace(".en.json", ".zh-CN.json");
    expect(existsSync(path.join(ROOT, chinese))).toBe(true);
    const [en, zh] = [JSON.parse(read(file)), JSON.parse(read(chinese))];
    expect([...languageGaps(en, zh), ...emptyTexts(en), ...emptyTexts(zh)]).toEqual([]);
  });

  it("has no Chinese text without English", () => {
    const lonely = allFiles(ROOT, ["shared/i18n"]).filter((file) => file.endsWith(".zh-CN.json") && !english.includes(file.replace(".zh-CN.json", ".en.json")));
    expect(lonely).toEqual([]);
  });
});

describe("each ratchet", () => {
  const engine = "electron/tools/planted.ts";
  const plants = [
    [blockingCalls, 'import { readFileSync } from "node:fs";\nreadFileSync("x");', ["readFileSync blocks"]],
    [blockingCalls, 'import fs from "node:fs";\nfs.statSync("x");', ["fs.statSync blocks"]],
    [blockingCalls, 'import { execFileSync } from "node:child_process";\nexecFileSync("x");', ["execFileSync blocks"]],
    [strayElectron, 'import { app } from "electron";\napp.quit();', ["imports electron"]],
    [strayElectron, 'import type { App } from "electron/main";\nexport type A = App;', ["imports electron/main"]],
    [strayElectron, 'export const load = () => import("electron");', ["imports electron"]],
    [strayElectron, 'export { app } from "electron";', ["imports electron"]],
    [strayTime, "export const at = Date.now();", ["calls Date.now"]],
    [strayTime, "export const at = new Date();", ["makes new Date()"]],
    [strayTime, "setTimeout(() => {}, 1);\nglobalThis.setInterval(() => {}, 1);", ["calls setTimeout", "calls globalThis.setInterval"]],
    [strayTime, 'import { setTimeout as wait } from "node:timers/promises";\nwait(1);', ["imports setTimeout of node:timers/promises"]],
    [inlineDisables, `// ${"oxlint-dis"}able-next-line no-console\nx();`, ["line 1: switches a rule off in place"]],
    [inlineDisables, `x();\n// ${"@ts-expect-er"}ror`, ["line 2: switches a rule off in place"]],
    [unfinishedWords, `// ${"TO"}DO later`, ["line 1: a word that marks unfinished work"]],
    [unfinishedWords, `good();\n/* ${"for"} ${"now"} */`, ["line 2: a word that marks unfinished work"]],
  ];
  it.each(plants)("%o sees %j", (ratchet, code, expected) => expect(ratchet(engine, code)).toEqual(expected));

  const harmless = [
    [blockingCalls, engine, '// readFileSync("x")\nexport const text = "readFileSync(1)";'],
    [blockingCalls, "electron/tools/planted.test.ts", 'readFileSync("x");'],
    [strayElectron, "electron/app/window.ts", 'import { app } from "electron";\napp.quit();'],
    [strayElectron, engine, 'import x from "electron-log";\nx();'],
    [strayTime, "electron/lib/clock.ts", "export const at = Date.now();"],
    [strayTime, "electron/testkit/server.ts", "export const at = Date.now();"],
    [strayTime, engine, 'export const at = new Date(5);\nexport const text = "Date.now()";'],
    [strayTime, engine, 'import { setImmediate as yieldTurn } from "node:timers/promises";\nyieldTurn();'],
    [unfinishedWords, engine, "// before nowhere, a todo list"],
    [unfinishedWords, engine, `export const command = "grep ${"TO"}DO";`],
  ];
  it.each(harmless)("%o leaves %s alone: %j", (ratchet, file, code) => expect(ratchet(file, code)).toEqual([]));

  it("lets only files block that no entry of the main thread loads", () => {
    const files = new Map([
      ["electron/main.ts", 'import type { Disk } from "#electron/checkpoints/disk.ts";\nimport { both } from "#electron/lib/both.ts";\nboth();'],
      ["electron/workers/hash.ts", 'import { disk } from "#electron/checkpoints/disk.ts";\nimport { both } from "#electron/lib/both.ts";\nboth(disk);'],
      ["electron/checkpoints/disk.ts", 'export { deep as disk } from "./deep.ts";'],
      ["electron/checkpoints/deep.ts", "export const deep = 1;"],
      ["electron/lib/both.ts", "export const both = () => {};"],
    ]);
    expect(workerOnly(files)).toEqual(new Set(["electron/checkpoints/deep.ts", "electron/checkpoints/disk.ts", "electron/workers/hash.ts"]));
    files.set("electron/main.ts", 'const lazy = () => import("#electron/checkpoints/disk.ts");\nlazy();');
    expect(workerOnly(files)).toEqual(new Set(["electron/lib/both.ts", "electron/workers/hash.ts"]));
  });

  it("names vague files and folders", () => {
    expect(vagueName("electron/utils/text.ts")).toEqual(["the name utils says nothing"]);
    expect(vagueName("electron/lib/helpers.test.ts")).toEqual(["the name helpers says nothing"]);
    expect(vagueName("electron/lib/clock.ts")).toEqual([]);
  });

  it("compares languages by key and parameter", () => {
    const en = { a: { x: "Hi {{name}}" }, n_one: "{{count}} file", n_other: "{{count}} files", only: "x" };
    const zh = { a: { x: "你好" }, n_other: "{{count}} 个文件", extra: "x" };
    expect(languageGaps(en, zh)).toEqual(["no Chinese text for only", "no English text for extra", "other parameters in a.x"]);
    expect(emptyTexts({ a: { b: "" } })).toEqual(["a.b is empty"]);
  });
});
