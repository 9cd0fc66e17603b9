import { describe, expect, it } from "vitest";
import { commandFor, type Press } from "./keymap.ts";

const press = (key: string, ...held: readonly ("ctrl" | "meta" | "shift" | "alt")[]): Press => ({
  key,
  code: /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
  ctrlKey: held.includes("ctrl"),
  metaKey: held.includes("meta"),
  shiftKey: held.includes("shift"),
  altKey: held.includes("alt"),
});

describe("commandFor", () => {
  it.each([
    [press("n", "ctrl"), "new"],
    [press("N", "ctrl"), "new"],
    [press("1", "ctrl"), "tab_0"],
    [press("9", "ctrl"), "tab_8"],
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
    expect(commandFor(given, false)).toBe(command);
  });

  it("takes ⌘ on a Mac, and leaves Ctrl to the text fields there", () => {
    expect([commandFor(press("n", "meta"), true), commandFor(press("n", "ctrl"), true), commandFor(press("Tab", "ctrl"), true)]).toEqual([
      "new",
      undefined,
      "next_tab",
    ]);
  });
});
