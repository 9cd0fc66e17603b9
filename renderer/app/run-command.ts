// What each command of the table does; keys, menu and palette all come here.
import { createContext, useContext } from "react";
import type { Services } from "#renderer/stores/services.tsx";
import type { CommandId } from "#shared/commands/commands.ts";
import {
  closeFocusedPane,
  closeFocusedTab,
  findHere,
  focusCard,
  goToNeeding,
  newStart,
  sendToBackground,
  split,
  stepFind,
  zoom,
  stepTab,
  stopFocused,
  toggleChanges,
  toggleSettings,
  toggleSidebar,
} from "./commands.ts";

/** What lies over the window while it is open. */
export type Overlays = { readonly palette: () => void; readonly keys: () => void; readonly search: (query: string) => void };

const OverlaysContext = createContext<Overlays>({ palette: () => undefined, keys: () => undefined, search: () => undefined });
export const OverlaysProvider = OverlaysContext.Provider;
export const useOverlays = (): Overlays => useContext(OverlaysContext);

type Run = (services: Services, overlays: Overlays) => void;

const RUNS: Readonly<Record<CommandId, Run>> = {
  new: (services) => newStart(services, undefined),
  palette: (_services, overlays) => overlays.palette(),
  needing: (services) => void goToNeeding(services),
  focus_card: focusCard,
  stop: stopFocused,
  background: sendToBackground,
  find: findHere,
  find_next: (services) => stepFind(services, 1),
  find_previous: (services) => stepFind(services, -1),
  search_all: (_services, overlays) => overlays.search(""),
  zoom_in: (services) => zoom(services, 1),
  zoom_out: (services) => zoom(services, -1),
  zoom_reset: (services) => zoom(services, 0),
  split: (services) => split(services, "right"),
  split_down: (services) => split(services, "bottom"),
  close_pane: closeFocusedPane,
  close_tab: closeFocusedTab,
  next_tab: (services) => stepTab(services, 1),
  previous_tab: (services) => stepTab(services, -1),
  sidebar: toggleSidebar,
  changes: toggleChanges,
  settings: toggleSettings,
  keys: (_services, overlays) => overlays.keys(),
};

export function runCommand(services: Services, overlays: Overlays, id: CommandId): void {
  RUNS[id](services, overlays);
}

const WORK_ONLY: ReadonlySet<CommandId> = new Set(["changes", "stop", "focus_card", "background", "find", "find_next", "find_previous"]);

/** Whether the palette offers it now. */
export function isOffered({ screen }: Services, id: CommandId): boolean {
  return id !== "palette" && (screen.getState().kind === "work" || !WORK_ONLY.has(id));
}
