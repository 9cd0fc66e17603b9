// Keys of the whole window (UX 1). Pure table and matching; one listener that respects input methods and open menus.
import { useEffect } from "react";
import { useServices, type Services } from "#renderer/stores/services.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import {
  closeFocusedPane,
  closeFocusedTab,
  goToNeeding,
  goToTab,
  newStart,
  splitRight,
  stepTab,
  stopFocused,
  toggleChanges,
  toggleSettings,
  toggleSidebar,
} from "./commands.ts";

export type Press = {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};
export type CommandName =
  | "new"
  | "split"
  | "close_pane"
  | "close_tab"
  | "next_tab"
  | "previous_tab"
  | "settings"
  | "sidebar"
  | "palette"
  | "needing"
  | "focus_card"
  | "changes"
  | "stop"
  | `tab_${number}`;

/** The command of a key press; `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export function commandFor(press: Press, mac: boolean): CommandName | undefined {
  const key = press.key.toLowerCase();
  if (press.ctrlKey && key === "tab") return press.shiftKey ? "previous_tab" : "next_tab";
  const modifiers = modifiersOf(press, mac);
  if (modifiers === "none" && key === "escape") return "stop";
  if (modifiers === "mod+shift") return SHIFTED.get(key);
  if (modifiers !== "mod") return undefined;
  return /^Digit[1-9]$/.test(press.code) ? `tab_${Number(press.code.slice(5)) - 1}` : PLAIN.get(key);
}

function modifiersOf(press: Press, mac: boolean): "none" | "mod" | "mod+shift" | "other" {
  const [mod, other] = mac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  if (other || press.altKey) return "other";
  if (mod) return press.shiftKey ? "mod+shift" : "mod";
  return press.shiftKey ? "other" : "none";
}

const PLAIN: ReadonlyMap<string, CommandName> = new Map<string, CommandName>([
  ["n", "new"],
  ["d", "split"],
  ["\\", "close_pane"],
  ["w", "close_tab"],
  [",", "settings"],
  ["b", "sidebar"],
  ["k", "palette"],
]);
const SHIFTED: ReadonlyMap<string, CommandName> = new Map<string, CommandName>([
  ["a", "focus_card"],
  ["u", "needing"],
  ["r", "changes"],
]);

export function useKeymap(onPalette: () => void): void {
  const services = useServices();
  useEffect(() => {
    const mac = services.facts.platform === "darwin";
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || isImeKey(event)) return;
      const command = commandFor(event, mac);
      if (command === undefined) return;
      if (command === "stop") return stopFocused(services);
      event.preventDefault();
      run(services, command, onPalette);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [services, onPalette]);
}

type OtherCommand = Exclude<CommandName, "stop" | "palette" | `tab_${number}`>;

const ACTIONS: Readonly<Record<OtherCommand, (services: Services) => void>> = {
  new: (services) => newStart(services, undefined),
  split: splitRight,
  close_pane: closeFocusedPane,
  close_tab: closeFocusedTab,
  next_tab: (services) => stepTab(services, 1),
  previous_tab: (services) => stepTab(services, -1),
  settings: toggleSettings,
  sidebar: toggleSidebar,
  needing: (services) => void goToNeeding(services),
  focus_card: focusCard,
  changes: toggleChanges,
};

function run(services: Services, command: Exclude<CommandName, "stop">, onPalette: () => void): void {
  if (command === "palette") return onPalette();
  const tab = /^tab_(\d)$/.exec(command)?.[1];
  if (tab !== undefined) return goToTab(services, Number(tab));
  const action = Object.entries(ACTIONS).find(([name]) => name === command)?.[1];
  action?.(services);
}

/** The way to answer by keyboard: going to the card is a step of its own, taken on purpose. */
function focusCard(services: Services): void {
  const find = (card: string) => document.querySelector<HTMLElement>(`[data-pane-focused=true] ${card}`);
  const card = find("[data-asks]") ?? find("[data-testid=project-hooks]");
  if (card === null) goToNeeding(services);
  else card.focus();
}
