import { describe, expect, it } from "vitest";
import type { Press } from "#shared/commands/chord.ts";
import { commandFor } from "./keymap.ts";

const press = (key: string, ...held: readonly ("ctrl" | "meta" | "shift" | "alt")[]): Press => ({
  key,
  code: /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
  ctrlKey: held.includes("ctrl"),
  metaKey: held.includes("meta"),
  shiftKey: held.includes("shift"),
  altKey: held.includes("alt"),
});
const name = (given: Press, mac: boolean, own = {}) => {
  const command = commandFor(given, own, mac);
  return command?.kind === "tab" ? `tab ${command.index}` : command?.id;
};

describe("commandFor", () => {
  it.each([
    [press("n", "ctrl"), "new"],
    [press("N", "ctrl"), "new"],
    [press("1", "ctrl"), "tab 0"],
    [press("9", "ctrl"), "tab 8"],
    [press("Tab", "ctrl"), "next_tab"],
    [press("Tab", "ctrl", "shift"), "previous_tab"],
    [press("A", "ctrl", "shift"), "focus_card"],
    [press("R", "ctrl", "shift"), "changes"],
    [press("Escape"), "stop"],
    [press("n"), undefined],
    [press("n", "meta"), undefined],
    [press("n", "ctrl", "alt"), undefined],
    [press("n", "ctrl", "meta"), undefined],
    [press("Escape", "shift"), undefined],
    [press("z", "ctrl"), undefined],
  ])("on other systems %j is %j", (given, command) => {
    expect(name(given, false)).toBe(command);
  });

  it("takes ⌘ on a Mac, and leaves Ctrl to the text fields there", () => {
    expect([name(press("n", "meta"), true), name(press("n", "ctrl"), true), name(press("Tab", "ctrl"), true)]).toEqual(["new", undefined, "next_tab"]);
  });

  it("heeds the person's own keys: given anew, and taken away", () => {
    const own = { new: "Mod+Shift+N", settings: "" };
    expect([name(press("n", "ctrl"), false, own), name(press("N", "ctrl", "shift"), false, own), name(press(",", "ctrl"), false, own)]).toEqual([
      undefined,
      "new",
      undefined,
    ]);
  });
});
