// What happens when the person gives keys to a command (U10). Pure.
import { canBeBound, sameKeys } from "#shared/commands/chord.ts";
import { CommandId, COMMANDS, chordOf, type KeyBindings } from "#shared/commands/commands.ts";

/** Keys that text fields need, and those of the tabs, which go by number. */
const RESERVED: readonly string[] = [..."CVXAZY"].map((letter) => `Mod+${letter}`).concat("Mod+Shift+Z", ...[..."123456789"].map((digit) => `Mod+${digit}`));

export type Fit = { readonly kind: "free" } | { readonly kind: "writes" } | { readonly kind: "reserved" } | { readonly kind: "taken"; readonly by: CommandId };

export function fitOf(id: CommandId, chord: string, own: KeyBindings, mac: boolean): Fit {
  if (!canBeBound(chord)) return { kind: "writes" };
  if (RESERVED.some((reserved) => sameKeys(reserved, chord, mac))) return { kind: "reserved" };
  const by = CommandId.options.find((other) => other !== id && sameKeys(chordOf(other, own), chord, mac));
  return by === undefined ? { kind: "free" } : { kind: "taken", by };
}

/** The settings after `id` got `chord` ("" for none); whoever had it has none then. */
export function withKeys(own: KeyBindings, id: CommandId, chord: string, mac: boolean): KeyBindings {
  const next: KeyBindings = { ...own };
  for (const other of CommandId.options) if (other !== id && sameKeys(chordOf(other, own), chord, mac)) next[other] = "";
  next[id] = chord;
  return trimmed(next);
}

/** `id` with the keys that it came with; undefined where another has them now. */
export function withoutOwn(own: KeyBindings, id: CommandId): KeyBindings {
  const { [id]: _mine, ...rest } = own;
  return rest;
}

/** What is as it came need not be kept. */
function trimmed(own: KeyBindings): KeyBindings {
  return Object.fromEntries(Object.entries(own).filter(([id, chord]) => COMMANDS[CommandId.parse(id)].chord !== chord));
}
