// Which packages are asked for on which machine, and that a virtual display comes and goes.
import { describe, expect, it } from "vitest";
import { hasDisplay, startVirtualDisplay } from "./display.mjs";
import { isSupportedNode, missingPackages } from "./install.mjs";
import { planPackages, wantedPackages } from "./system-packages.mjs";

const machine = { wanted: ["libgtk-3-0", "xvfb", "git"], installed: new Set(), commands: new Set(), known: new Set(), isRoot: true, isDebian: true };

describe("system packages", () => {
  const table = [
    ["everything there", { installed: new Set(["libgtk-3-0"]), commands: new Set(["Xvfb", "git"]) }, { kind: "nothing" }],
    ["renamed packages count", { installed: new Set(["libgtk-3-0t64", "xvfb", "git"]) }, { kind: "nothing" }],
    [
      "root installs after an update",
      { installed: new Set(["xvfb"]) },
      {
        kind: "install",
        missing: ["libgtk-3-0", "git"],
        commands: [
          ["apt-get", "update"],
          ["apt-get", "install", "-y", "--no-install-recommends", "libgtk-3-0", "git"],
        ],
      },
    ],
    [
      "others are told the exact command",
      { isRoot: false, installed: new Set(["xvfb", "git"]) },
      { kind: "say", missing: ["libgtk-3-0"], command: "sudo apt-get update && sudo apt-get install -y --no-install-recommends libgtk-3-0" },
    ],
    [
      "the new name is used where only that exists",
      { isRoot: false, installed: new Set(["xvfb", "git"]), known: new Set(["libgtk-3-0t64"]) },
      { kind: "say", missing: ["libgtk-3-0t64"], command: "sudo apt-get update && sudo apt-get install -y --no-install-recommends libgtk-3-0t64" },
    ],
    ["another system gets no command", { isDebian: false, commands: new Set(["git"]) }, { kind: "say", missing: ["libgtk-3-0", "xvfb"], command: "" }],
  ];
  it.each(table)("%s", (_name, facts, plan) => expect(planPackages({ ...machine, ...facts })).toEqual(plan));

  it("asks for a virtual display and a compiler only where they are needed", () => {
    expect(wantedPackages({ virtualDisplay: false, compiler: false })).not.toContain("xvfb");
    expect(wantedPackages({ virtualDisplay: true, compiler: true })).toEqual(expect.arrayContaining(["xvfb", "xauth", "python3", "make", "g++", "libgbm1"]));
  });
});

describe("the display", () => {
  it("is there where the environment says so", () => {
    expect(hasDisplay({ DISPLAY: ":0" }, "linux")).toBe(true);
    expect(hasDisplay({ WAYLAND_DISPLAY: "wayland-0" }, "linux")).toBe(true);
    expect(hasDisplay({ DISPLAY: "" }, "linux")).toBe(false);
    expect(hasDisplay({}, "darwin")).toBe(true);
  });

  it.runIf(process.platform === "linux")("can be started twice at once on different numbers", async () => {
    const [one, two] = await Promise.all([startVirtualDisplay(), startVirtualDisplay()]);
    one.stop();
    two.stop();
    expect(one.env.DISPLAY).toMatch(/^:\d+$/);
    expect(one.env.DISPLAY).not.toBe(two.env.DISPLAY);
  });
});

describe("installing", () => {
  it("happens when a package is missing or of another version, not for one of another platform", () => {
    const lock = {
      packages: {
        "": { version: "1.0.0" },
        "node_modules/a": { version: "1.0.0" },
        "node_modules/a/node_modules/@b/c": { version: "2.0.0" },
        "node_modules/other-system": { version: "3.0.0", optional: true },
      },
    };
    const whole = { packages: { "node_modules/a": { version: "1.0.0" }, "node_modules/a/node_modules/@b/c": { version: "2.0.0" } } };
    expect(missingPackages(lock, whole)).toEqual([]);
    expect(missingPackages(lock, { packages: { ...whole.packages, "node_modules/a": { version: "0.9.0" } } })).toEqual(["a"]);
    expect(missingPackages(lock, { packages: { "node_modules/a": { version: "1.0.0" } } })).toEqual(["@b/c"]);
    expect(missingPackages(lock, undefined)).toEqual(["a", "@b/c"]);
  });

  it("wants a Node that can do it", () => {
    expect(["v20.11.0", "v22.0.0", "v20.20.2"].map((version) => isSupportedNode(version))).toEqual([true, true, true]);
    expect(["v20.10.0", "v18.20.0"].map((version) => isSupportedNode(version))).toEqual([false, false]);
  });
});
