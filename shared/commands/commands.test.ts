import { describe, expect, it } from "vitest";
import { acceleratorOf, canBeBound, chordOfPress, chordText, type Press } from "./chord.ts";
import { CommandId, COMMANDS } from "./commands.ts";

type Held = "ctrl" | "meta" | "shift" | "alt";
const press = (key: string, code: string, ...held: readonly Held[]): Press => ({
  key,
  code,
  ctrlKey: held.includes("ctrl"),
  metaKey: held.includes("meta"),
  shiftKey: held.includes("shift"),
  altKey: held.includes("alt"),
});

describe("a key press", () => {
  it.each<[Press, boolean, string | undefined]>([
    [press("n", "KeyN", "ctrl"), false, "Mod+N"],
    [press("n", "KeyN", "meta"), true, "Mod+N"],
    [press("n", "KeyN", "ctrl"), true, "Ctrl+N"],
    [press("n", "KeyN", "meta"), false, "Meta+N"],
    [press("A", "KeyA", "ctrl", "shift"), false, "Mod+Shift+A"],
    [press("т", "KeyN", "ctrl"), false, "Mod+N"],
    [press("˜", "KeyN", "meta", "alt"), true, "Mod+Alt+N"],
    [press("!", "Digit1", "ctrl", "shift"), false, "Mod+Shift+1"],
    [press("Tab", "Tab", "ctrl", "shift"), false, "Mod+Shift+Tab"],
    [press("ArrowUp", "ArrowUp", "ctrl", "alt"), false, "Mod+Alt+ArrowUp"],
    [press("/", "Slash", "ctrl"), false, "Mod+/"],
    [press("Escape", "Escape"), false, "Escape"],
    [press("Control", "ControlLeft", "ctrl"), false, undefined],
    [press("Process", "KeyN", "ctrl"), false, undefined],
  ])("%j is the chord (mac: %s) %s", (given, mac, chord) => {
    expect(chordOfPress(given, mac)).toBe(chord);
  });

  it("can be bound only if it writes nothing", () => {
    const bound = ["Mod+N", "Ctrl+Tab", "F5", "Shift+F5", "Escape", "Mod++", "Alt+N", "N", "Shift+N", "", "Enter"].filter(canBeBound);
    expect(bound).toEqual(["Mod+N", "Ctrl+Tab", "F5", "Shift+F5", "Escape", "Mod++"]);
  });

  it("is written as each system writes it, and as menus take it", () => {
    expect(["Mod+Shift+A", "Ctrl+Tab", "Mod++", ""].map((chord) => [chordText(chord, true), chordText(chord, false), acceleratorOf(chord)])).toEqual([
      ["⌘⇧A", "Ctrl+Shift+A", "CommandOrControl+Shift+A"],
      ["⌃⇥", "Ctrl+Tab", "Control+Tab"],
      ["⌘+", "Ctrl++", "CommandOrControl++"],
      ["", "", ""],
    ]);
  });
});

describe("the commands", () => {
  it("have keys that no other has, on every system, and all can be bound", () => {
    const chords = CommandId.options.map((id) => COMMANDS[id].chord).filter((chord) => chord !== "");
    const elsewhere = chords.map((chord) => chord.replace("Ctrl+", "Mod+"));
    expect([new Set(chords).size, new Set(elsewhere).size, chords.filter((chord) => !canBeBound(chord))]).toEqual([chords.length, chords.length, []]);
  });
});
