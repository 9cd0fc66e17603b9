// Every branch of the way to an Electron, from facts alone; then the walk along it with acts that only pretend.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FALLBACK, fallbackDist, installFallback, isComplete } from "./electron-fallback.mjs";
import { downloadHost, executableIn, nextStep, probe, realActs, resolveElectron, sandboxArgs } from "./electron-path.mjs";

const nothing = {
  override: undefined,
  pinned: { dist: "/p/dist", version: "45.0.0", distVersion: undefined, hasBinary: false },
  download: "untried",
  downloadReason: "",
  allowFallback: true,
  platform: FALLBACK.platform,
  fallback: "untried",
  fallbackReason: "",
  fallbackDist: undefined,
};
const present = { dist: "/p/dist", version: "45.0.0", distVersion: "45.0.0", hasBinary: true };
const failed = { download: "failed", downloadReason: "failed: no network" };

describe("the next step", () => {
  const table = [
    ["the override wins over everything", { override: { dist: "/o", hasBinary: true }, pinned: present }, { kind: "use", dist: "/o", source: "override" }],
    ["the pinned binary comes next", { pinned: present }, { kind: "use", dist: "/p/dist", source: "pinned" }],
    ["a pinned binary of another version is downloaded anew", { pinned: { ...present, distVersion: "44.0.0" } }, { kind: "download" }],
    ["a version without a binary is downloaded", { pinned: { ...present, hasBinary: false } }, { kind: "download" }],
    ["the download is tried before a fallback in the cache", { fallbackDist: "/f" }, { kind: "download" }],
    ["after a failed download the cached fallback is used", { ...failed, fallbackDist: "/f" }, { kind: "use", dist: "/f", source: "fallback" }],
    ["a download that failed lately is not tried again", { download: "failed_lately", fallbackDist: "/f" }, { kind: "use", dist: "/f", source: "fallback" }],
    ["a download that is switched off is not tried", { download: "switched_off" }, { kind: "fallback" }],
    ["without a cached fallback it is fetched", failed, { kind: "fallback" }],
  ];
  it.each(table)("%s", (_name, facts, step) => expect(nextStep({ ...nothing, ...facts })).toEqual(step));

  const failures = [
    [
      "an override without a binary is an error, not a reason to look on",
      { override: { dist: "/o", hasBinary: false }, pinned: present },
      /ELECTRON_OVERRIDE_DIST_PATH is \/o.*unset/,
    ],
    ["without leave there is no fallback", { ...failed, allowFallback: false, fallbackDist: "/f" }, /no network.*not good enough.*install\.js/],
    ["there is no fallback for other platforms", { ...failed, platform: "darwin-arm64" }, /only for linux-x64, this is darwin-arm64/],
    ["a failed fallback says both reasons", { ...failed, fallback: "failed", fallbackReason: "another hash" }, /no network.*another hash/],
  ];
  it.each(failures)("%s", (_name, facts, why) => expect(nextStep({ ...nothing, ...facts })).toEqual({ kind: "fail", why: expect.stringMatching(why) }));
});

describe("the walk", () => {
  const acts = (facts, more) => {
    const said = [];
    const calls = [];
    return {
      said,
      calls,
      facts: async (allowFallback) => ({ ...nothing, ...facts, allowFallback }),
      download: async () => (calls.push("download"), { why: "no network", pinned: nothing.pinned }),
      fallback: async () => (calls.push("fallback"), "/f"),
      say: (text) => said.push(text),
      ...more,
    };
  };

  it("goes from the failed download to the fallback and says that it is old", async () => {
    const all = acts({});
    const found = await resolveElectron({ acts: all });
    expect(found).toEqual({ executable: executableIn("/f"), dist: "/f", version: undefined, source: "fallback" });
    expect(all.calls).toEqual(["download", "fallback"]);
    expect(all.said.at(-1)).toMatch(/END OF LIFE.*vulnerabilities/s);
  });

  it("uses what the download brought, without any notice of age", async () => {
    const all = acts({}, { download: async () => ({ why: undefined, pinned: present }) });
    expect((await resolveElectron({ acts: all })).source).toBe("pinned");
    expect(all.said.join("\n")).not.toMatch(/END OF LIFE/);
  });

  it("does not loop when a download claims success and brings nothing", async () => {
    const all = acts({}, { download: async () => ({ why: undefined, pinned: nothing.pinned }) });
    await expect(resolveElectron({ allowFallback: false, acts: all })).rejects.toThrow(/left no working binary/);
  });

  it("ends with both reasons when the fallback fails", async () => {
    const all = acts({}, { fallback: () => Promise.reject(new Error("registry down")) });
    await expect(resolveElectron({ acts: all })).rejects.toThrow(/no network.*registry down/);
  });
});

describe("on disk", () => {
  let folder;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "cairn-electron-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const install = async (version, dist) => {
    const place = path.join(folder, "node_modules/electron/dist");
    await mkdir(place, { recursive: true });
    await writeFile(path.join(folder, "node_modules/electron/package.json"), JSON.stringify({ version }));
    if (dist === undefined) return place;
    await mkdir(path.dirname(executableIn(place)), { recursive: true });
    await writeFile(executableIn(place), "");
    await writeFile(path.join(place, "version"), `v${dist}\n`);
    return place;
  };

  it("finds the pinned binary", async () => {
    const dist = await install("45.0.0", "45.0.0");
    const found = await resolveElectron({ acts: realActs({ XDG_CACHE_HOME: folder }, folder) });
    expect(found).toEqual({ executable: executableIn(dist), dist, version: "45.0.0", source: "pinned" });
  });

  it("takes the override even when the pinned binary is there", async () => {
    await install("45.0.0", "45.0.0");
    const own = path.join(folder, "own");
    await mkdir(path.dirname(executableIn(own)), { recursive: true });
    await writeFile(executableIn(own), "");
    const found = await resolveElectron({ acts: realActs({ ELECTRON_OVERRIDE_DIST_PATH: own, XDG_CACHE_HOME: folder }, folder) });
    expect(found.source).toBe("override");
  });

  it("fails at once where the download is switched off and no fallback is wanted", async () => {
    await install("45.0.0");
    const acts = realActs({ ELECTRON_SKIP_BINARY_DOWNLOAD: "1", XDG_CACHE_HOME: folder }, folder);
    await expect(resolveElectron({ allowFallback: false, acts })).rejects.toThrow(/switched off by ELECTRON_SKIP_BINARY_DOWNLOAD/);
  });

  it("refuses a fallback with another hash and leaves nothing behind", async () => {
    const env = { XDG_CACHE_HOME: folder };
    const fetch = async (scratch) => {
      await writeFile(path.join(scratch, "x.tgz"), "not the runtime");
      return path.join(scratch, "x.tgz");
    };
    await expect(installFallback(env, fetch)).rejects.toThrow(/another hash/);
    expect(await readdir(path.join(folder, "cairn/electron"))).toEqual([]);
    expect(isComplete(fallbackDist(env))).toBe(false);
  });

  it("takes a complete fallback from the cache without fetching", async () => {
    const env = { XDG_CACHE_HOME: folder };
    await mkdir(fallbackDist(env), { recursive: true });
    for (const file of ["electron", ".complete"]) await writeFile(path.join(fallbackDist(env), file), "");
    const fetch = () => Promise.reject(new Error("fetched"));
    expect(await installFallback(env, fetch)).toBe(fallbackDist(env));
  });
});

describe("the probe", () => {
  it("asks the mirror where one is set", () => {
    expect(downloadHost({})).toEqual({ host: "github.com", port: 443 });
    expect(downloadHost({ ELECTRON_MIRROR: "http://mirror.local:8080/x/" })).toEqual({ host: "mirror.local", port: 8080 });
    expect(downloadHost({ npm_config_electron_mirror: "https://mirror.local/" })).toEqual({ host: "mirror.local", port: 443 });
  });

  it("answers fast whether a port listens", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address();
    expect(await probe({ host: "127.0.0.1", port })).toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    expect(await probe({ host: "127.0.0.1", port })).toMatch(/cannot reach 127\.0\.0\.1 \(ECONNREFUSED\)/);
  });
});

it("drops Chromium's sandbox for root only", () => {
  expect(sandboxArgs(0)).toEqual(["--no-sandbox"]);
  expect(sandboxArgs(1000)).toEqual([]);
});
