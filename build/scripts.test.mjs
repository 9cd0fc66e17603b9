// The decisions inside the scripts of this folder, without running them.
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quantile, verdict } from "./bench.mjs";
import { fingerprint, isBuilt } from "./build.mjs";
import { picturesSince } from "./demo.mjs";
import { isWelcome, packagesInMap, render } from "./licences.mjs";
import { oxlintConfig } from "./lint.mjs";
import { chosenTargets } from "./package.mjs";
import { endTree, pool, run } from "./process.mjs";
import { count } from "./test.mjs";

let folder;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "cairn-scripts-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = async (file, text) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
};

describe("the build", () => {
  it("is done again when a source changed, not when a test did", async () => {
    await put("electron/main.ts", "one");
    const before = fingerprint(folder);
    await put("electron/main.test.ts", "test");
    await put("electron/testkit/clock.ts", "test");
    expect(fingerprint(folder)).toBe(before);
    await put("electron/main.ts", "three");
    const changed = fingerprint(folder);
    expect(changed).not.toBe(before);
    await rm(path.join(folder, "electron/main.ts"));
    expect(new Set([before, changed, fingerprint(folder)]).size).toBe(3);
  });

  it("notices a change of the same size by its time", async () => {
    await put("shared/a.ts", "one");
    const before = fingerprint(folder);
    await utimes(path.join(folder, "shared/a.ts"), new Date(5_000), new Date(5_000));
    expect(fingerprint(folder)).not.toBe(before);
  });

  it("counts as done only with the stamp of these very sources", async () => {
    await put("shared/a.ts", "one");
    const out = path.join(folder, "out");
    expect(isBuilt(out, folder)).toBe(false);
    await put("out/build-stamp", fingerprint(folder));
    expect(isBuilt(out, folder)).toBe(true);
    await put("shared/b.ts", "two");
    expect(isBuilt(out, folder)).toBe(false);
  });
});

describe("the sum of a test run", () => {
  it("never calls a part good that ended badly", () => {
    expect(count({ passed: 5, failed: 0, code: 0 })).toEqual({ passed: 5, failed: 0 });
    expect(count({ passed: 5, failed: 2, code: 1 })).toEqual({ passed: 5, failed: 2 });
    expect(count({ passed: 5, failed: 0, code: 124 })).toEqual({ passed: 5, failed: 1 });
  });
});

describe("benchmarks", () => {
  it("are ratios with a limit", () => {
    const row = { what: "start", unit: "ms", value: 300, reference: { what: "empty", value: 200 }, limit: 1.5 };
    expect(verdict(row)).toEqual({ ok: true, line: "start: 300 ms, empty 200 ms, ratio 1.50, limit 1.5: kept" });
    expect(verdict({ ...row, value: 302 })).toEqual({ ok: false, line: "start: 302 ms, empty 200 ms, ratio 1.51, limit 1.5: BROKEN" });
    expect(verdict({ ...row, limit: undefined, value: 900 }).ok).toBe(true);
  });

  it("take quantiles by number, not by text", () => {
    expect(quantile([9, 100, 10], 0.5)).toBe(10);
    expect(quantile([9, 100, 10], 1)).toBe(100);
  });
});

describe("packages to hand out", () => {
  it("know their targets", () => {
    expect(chosenTargets([])).toEqual(["tar.gz", "deb"]);
    expect(chosenTargets(["dir", "--allow-fallback-for-trial"])).toEqual(["dir"]);
    expect(() => chosenTargets(["exe"])).toThrow(/no target exe; choose from dir/);
  });
});

describe("notices", () => {
  it("find packages in source maps, nested and scoped ones too", () => {
    const sources = ["../../node_modules/zod/v4/a.js", "../../node_modules/@a/b/node_modules/c/x.js?v=1", "../../electron/main.ts", "\0rolldown/runtime.js"];
    expect(packagesInMap(sources, "/app/out/main")).toEqual(new Set(["/app/node_modules/zod", "/app/node_modules/@a/b/node_modules/c"]));
  });

  it("accept what one may hand on", () => {
    expect(["MIT", "(MIT OR GPL-3.0)", "MIT AND Apache-2.0"].map(isWelcome)).toEqual([true, true, true]);
    expect(["GPL-3.0", "MIT AND GPL-3.0", "unknown"].map(isWelcome)).toEqual([false, false, false]);
  });

  it("print a shared text once, under all who share it", () => {
    const text = render([
      { name: "a", licence: "MIT", origin: "o", text: "Same" },
      { name: "b", licence: "ISC", origin: "", text: "" },
      { name: "c", licence: "MIT", origin: "", text: "Same" },
    ]);
    expect(text.split("Same")).toHaveLength(2);
    expect(text).toContain("a · MIT · o\nc · MIT\n\nSame");
    expect(text).toContain("b · ISC\n\n(The package holds no licence file; it declares ISC.)");
  });
});

describe("pictures", () => {
  it("are listed when they are new, oldest first", async () => {
    for (const [file, at] of [
      ["old.png", 1_000],
      ["late.png", 9_000],
      ["sub/early.png", 8_000],
      ["note.txt", 9_000],
    ]) {
      await put(file, "x");
      await utimes(path.join(folder, file), new Date(at), new Date(at));
    }
    expect(picturesSince(5_000, folder)).toEqual([path.join(folder, "sub/early.png"), path.join(folder, "late.png")]);
    expect(picturesSince(0, path.join(folder, "none"))).toEqual([]);
  });
});

describe("programs", () => {
  it("come back with code and output, and with 124 when they take too long", async () => {
    expect(await run(process.execPath, ["-e", "console.log('out'); console.error('err'); process.exit(3)"])).toMatchObject({
      code: 3,
      stdout: "out\n",
      stderr: "err\n",
      timedOut: false,
    });
    expect(await run(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 200 })).toMatchObject({ code: 124, timedOut: true });
    expect(await run("cairn-no-such-program", [])).toMatchObject({ code: 127 });
  });

  const parentOf = (detached) => `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)"], { detached: ${detached} });
    child.stdout.once("data", () => console.log(child.pid));
    process.on("SIGTERM", () => process.exit(0));
    setInterval(() => {}, 1000);`;

  it.runIf(process.platform === "linux").each([false, true])(
    "take their children along when they are ended, even stubborn ones (in a group of their own: %s)",
    async (detached) => {
      const { stdout, code } = await run(process.execPath, ["-e", parentOf(detached)], { timeoutMs: 800 });
      const pid = Number(stdout.trim());
      expect(code).toBe(124);
      expect(pid).toBeGreaterThan(0);
      await expect.poll(() => isRunning(pid)).toBe(false);
      expect(endTree({ pid: undefined })).toEqual([]);
    },
  );

  it("run at most so many at once and answer in order", async () => {
    let running = 0;
    let most = 0;
    const task = (value) => async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return value;
    };
    expect(await pool([1, 2, 3, 4, 5].map(task), 2)).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });
});

/** A zombie that nobody has collected yet is not running. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== "linux" || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

describe("the lint configuration", () => {
  it("fences each feature of the window by itself", () => {
    const { overrides } = oxlintConfig({ features: ["composer"] });
    const row = overrides.find(({ files }) => files.includes("renderer/features/composer/**"));
    const [, { patterns }] = row.rules["no-restricted-imports"];
    expect(patterns[0].group).toEqual(expect.arrayContaining(["**", "!./*", "!#renderer/features/composer/**"]));
    expect(patterns).toHaveLength(1);
  });
});
