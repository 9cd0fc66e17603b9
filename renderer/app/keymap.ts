// Keys of the whole window (UX 1): the table of commands with the person's own keys over it. One listener that respects input
// methods and open menus.
import { useEffect } from "react";
import { useServices, type Services } from "#renderer/stores/services.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { chordOfPress, type Press, sameKeys } from "#shared/commands/chord.ts";
import { CommandId, chordOf, type KeyBindings } from "#shared/commands/commands.ts";
import { goToTab } from "./commands.ts";
import { type Overlays, runCommand } from "./run-command.ts";

export type KeyCommand = { readonly kind: "command"; readonly id: CommandId } | { readonly kind: "tab"; readonly index: number };

/** Plus is a letter of its own, a shifted one, or on the number block; people mean the same. */
const SAME_AS: Readonly<Record<string, string>> = { "Mod++": "Mod+=", "Mod+Shift++": "Mod+=", "Mod+Shift+=": "Mod+=" };

/** The command of a key press. Going to a tab by its number is not up for change. */
export function commandFor(press: Press, own: KeyBindings, mac: boolean): KeyCommand | undefined {
  const pressed = chordOfPress(press, mac);
  const chord = pressed === undefined ? undefined : (SAME_AS[pressed] ?? pressed);
  if (chord === undefined) return undefined;
  const id = CommandId.options.find((command) => sameKeys(chordOf(command, own), chord, mac));
  if (id !== undefined) return { kind: "command", id };
  const tab = /^Mod\+([1-9])$/.exec(chord)?.[1];
  return tab === undefined ? undefined : { kind: "tab", index: Number(tab) - 1 };
}

export function useKeymap(overlays: Overlays): void {
  const services = useServices();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => heed(services, overlays, event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [services, overlays]);
}

function heed(services: Services, overlays: Overlays, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || isImeKey(event)) return;
  const command = commandFor(event, services.settings.getState().keys, services.facts.platform === "darwin");
  if (command === undefined) return;
  if (command.kind === "tab") {
    event.preventDefault();
    return goToTab(services, command.index);
  }
  // Escape also closes menus and leaves fields; they see it first, and nothing here keeps it from them.
  if (command.id !== "stop") event.preventDefault();
  runCommand(services, overlays, command.id);
}
