// Key presses as text: "Mod+Shift+A". Mod is ⌘ on a Mac and Ctrl elsewhere; Ctrl is Ctrl everywhere. Pure.

export type Press = {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};

const MODIFIER_KEYS: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph", "Dead", "Process", "Unidentified"]);
const FUNCTION_KEY = /^F([1-9]|1\d|2[0-4])$/;
/** Keys that do something without a modifier and write nothing. */
const ALONE: ReadonlySet<string> = new Set(["Escape"]);

/** Undefined for a press that is no chord: a modifier alone, an input method's key. */
export function chordOfPress(press: Press, mac: boolean): string | undefined {
  const key = keyName(press);
  if (key === undefined) return undefined;
  const parts = [...modifiers(press, mac), key];
  return parts.join("+");
}

/** One name for one press: elsewhere than on a Mac, Ctrl is what Mod is. */
export function sameKeys(a: string, b: string, mac: boolean): boolean {
  const normal = (chord: string) =>
    mac
      ? chord
      : partsOf(chord)
          .map((part) => (part === "Ctrl" ? "Mod" : part))
          .join("+");
  return a !== "" && normal(a) === normal(b);
}

/** Whether a chord can be given to a command: it has Ctrl, ⌘ or Alt, or is a key that writes nothing. */
export function canBeBound(chord: string): boolean {
  const parts = partsOf(chord);
  const key = parts.at(-1) ?? "";
  if (ALONE.has(chord) || FUNCTION_KEY.test(key)) return true;
  // Alt alone writes characters on many keyboards.
  return key !== "" && parts.length > 1 && (parts.includes("Mod") || parts.includes("Ctrl") || parts.includes("Meta"));
}

/** As people write it: ⇧⌘A on a Mac, Ctrl+Shift+A elsewhere; "" stays "". */
export function chordText(chord: string, mac: boolean): string {
  const parts = partsOf(chord).map((part) => (mac ? (MAC_NAMES[part] ?? NAMES[part] ?? part) : (OTHER_NAMES[part] ?? NAMES[part] ?? part)));
  return parts.join(mac ? "" : "+");
}

/** As Electron's menus write it. */
export function acceleratorOf(chord: string): string {
  return partsOf(chord)
    .map((part) => ACCELERATOR_NAMES[part] ?? part)
    .join("+");
}

const NAMES: Readonly<Record<string, string>> = { Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
const MAC_NAMES: Readonly<Record<string, string>> = { Mod: "⌘", Ctrl: "⌃", Shift: "⇧", Alt: "⌥", Meta: "⌘", Tab: "⇥", Enter: "↩" };
const OTHER_NAMES: Readonly<Record<string, string>> = { Mod: "Ctrl", Meta: "Win" };
const ACCELERATOR_NAMES: Readonly<Record<string, string>> = {
  Mod: "CommandOrControl",
  Ctrl: "Control",
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  Escape: "Esc",
};

/** The parts of a chord; the key itself may be "+". */
function partsOf(chord: string): readonly string[] {
  if (chord === "") return [];
  const plus = chord.endsWith("++") || chord === "+";
  const parts = (plus ? chord.slice(0, -1) : chord).split("+").filter((part) => part !== "");
  return plus ? [...parts, "+"] : parts;
}

function modifiers({ ctrlKey, metaKey, altKey, shiftKey }: Press, mac: boolean): readonly string[] {
  const [mod, other] = mac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return [...(mod ? ["Mod"] : []), ...(other ? [mac ? "Ctrl" : "Meta"] : []), ...(altKey ? ["Alt"] : []), ...(shiftKey ? ["Shift"] : [])];
}

/** Letters and digits by their place where the keyboard writes others (Cyrillic, ⌥ on a Mac, digits with Shift). */
function keyName({ key, code, altKey }: Press): string | undefined {
  if (MODIFIER_KEYS.has(key)) return undefined;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return digit;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const plain = key.length === 1 && key >= " " && key <= "~";
  if (letter !== undefined && (!plain || altKey)) return letter;
  if (key === " ") return "Space";
  return key.length === 1 ? key.toUpperCase() : key;
}
