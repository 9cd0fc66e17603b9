import { describe, expect, it } from "vitest";
import { dataFolder } from "./data-folder.ts";

const facts = { platform: "linux", home: "/home/p", environment: {}, override: undefined, cwd: "/here" };

describe("data folder", () => {
  it.each([
    ["Linux", facts, "/home/p/.config/cairn"],
    ["Linux with a place for settings", { ...facts, environment: { XDG_CONFIG_HOME: "/cfg" } }, "/cfg/cairn"],
    ["Linux with a relative place, which the standard says to ignore", { ...facts, environment: { XDG_CONFIG_HOME: "cfg" } }, "/home/p/.config/cairn"],
    ["macOS", { ...facts, platform: "darwin" }, "/home/p/Library/Application Support/Cairn"],
    ["an absolute override", { ...facts, override: "/data" }, "/data"],
    ["a relative override", { ...facts, override: "data" }, "/here/data"],
    ["an empty override", { ...facts, override: "" }, "/home/p/.config/cairn"],
  ])("%s", (_name, given, expected) => {
    expect(dataFolder(given)).toBe(expected);
  });
});
