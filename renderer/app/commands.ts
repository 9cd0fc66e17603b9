// What keys, menus and buttons of the shell do. Each changes the layout or the screen; work goes to the engine.
import { findStep, openFind } from "#renderer/stores/finds.ts";
import { closePane, closeTab, MAX_PANES, nextTab, openTab, showTab, splitWith, type Layout, type Tab } from "#renderer/stores/layout.ts";
import type { Services } from "#renderer/stores/services.tsx";
import type { SessionId } from "#shared/lib/ids.ts";

/** Opens a tab for a conversation that has not begun. An empty one that is there already is used again. */
export function newStart({ layout, screen, settings, drafts }: Services, cwd: string | undefined): void {
  const folder = cwd ?? settings.getState().recentFolders[0];
  const { tabs } = layout.getState();
  const unused = tabs.find((tab) => tab.kind === "start" && (drafts.getState()[tab.id] ?? "") === "");
  const tab = startTab(unused?.id ?? `start-${crypto.randomUUID()}`, folder);
  layout.setState((state) => openTab({ ...state, tabs: state.tabs.map((other) => (other.id === tab.id ? tab : other)) }, tab));
  screen.setState({ kind: "work" }, true);
}

function startTab(id: string, cwd: string | undefined): Tab {
  return cwd === undefined ? { kind: "start", id } : { kind: "start", id, cwd };
}

/** One more pane, with a tab that is not shown, else with the start of a conversation: what is visible stays. */
export function split({ layout, settings }: Services, side: "right" | "bottom"): void {
  layout.setState((state) => {
    if (state.panes.length >= MAX_PANES) return state;
    const hidden = state.tabs.find((tab) => !state.panes.includes(tab.id));
    return splitWith(state, hidden ?? startTab(`start-${crypto.randomUUID()}`, settings.getState().recentFolders[0]), side);
  });
}

export function closeFocusedPane({ layout }: Services): void {
  layout.setState((state) => (state.panes.length > 1 ? closePane(state, state.focused) : state));
}

export function closeFocusedTab({ layout }: Services): void {
  layout.setState((state) => {
    const id = state.panes[state.focused];
    return id === undefined ? state : closeTab(state, id);
  });
}

export function goToTab({ layout }: Services, index: number): void {
  layout.setState((state) => {
    const tab = state.tabs[index];
    return tab === undefined ? state : showTab(state, tab.id);
  });
}

export function stepTab({ layout }: Services, step: number): void {
  layout.setState((state) => nextTab(state, step));
}

/** Shows the next session that waits for an answer; true when there is one. */
export function goToNeeding({ layout, list, screen }: Services): boolean {
  const shown = layout.getState().panes[layout.getState().focused];
  const needing = list.getState().filter((session) => session.attention === "needs_you");
  const at = needing.findIndex((session) => session.id === shown);
  const next = needing[(at + 1) % Math.max(1, needing.length)];
  if (next === undefined) return false;
  screen.setState({ kind: "work" }, true);
  layout.setState((state) => openTab(state, { kind: "session", id: next.id }));
  return true;
}

export function toggleSettings({ screen }: Services): void {
  screen.setState(screen.getState().kind === "settings" ? { kind: "work" } : { kind: "settings", section: undefined }, true);
}

/** Shows or hides what changed in the focused session; nothing where no session is shown. */
export function toggleChanges(): void {
  document.querySelector<HTMLElement>("[data-pane-focused=true] [data-testid=changes-chip]")?.click();
}

/** In a window too narrow for both the list lies over the panes. */
export const NARROW_PX = 760;

export function toggleSidebar({ layout }: Services): void {
  const narrow = window.innerWidth < NARROW_PX;
  layout.setState((state) => (narrow ? { ...state, sidebarOver: !state.sidebarOver } : { ...state, sidebar: !state.sidebar }));
}

/** Looks for words in the focused conversation. */
export function findHere({ layout, finds, screen }: Services): void {
  const session = focusedSession(layout.getState());
  if (session !== undefined && screen.getState().kind === "work") openFind(finds, session);
}

/** The next or previous place; opens the bar where none is open. */
export function stepFind(services: Services, by: 1 | -1): void {
  const session = focusedSession(services.layout.getState());
  if (session === undefined) return;
  if (services.finds.getState()[session] === undefined) findHere(services);
  else findStep(services.finds, session, by);
}

function focusedSession({ tabs, panes, focused }: Layout): SessionId | undefined {
  const tab = tabs.find((other) => other.id === panes[focused]);
  return tab?.kind === "session" ? tab.id : undefined;
}

const ZOOM_STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** Larger or smaller letters and everything else; 0: as it was made. */
export function zoom({ client, settings }: Services, by: 1 | -1 | 0): void {
  const now = settings.getState().zoom;
  const larger = ZOOM_STEPS.find((step) => step > now);
  const smaller = ZOOM_STEPS.findLast((step) => step < now);
  const next = by === 0 ? 100 : by > 0 ? larger : smaller;
  if (next === undefined || next === now) return;
  // At once, so that quick presses count one by one; the engine's own word follows.
  settings.setState({ zoom: next });
  void client.settings.set({ patch: { zoom: next } });
}

/** Stops the turn of the focused session, and nothing else. */
export function stopFocused({ layout, sessions, client }: Services): void {
  const { tabs, panes, focused } = layout.getState();
  const tab = tabs.find((other) => other.id === panes[focused]);
  if (tab?.kind !== "session" || sessions.peek(tab.id)?.getState().view.turn === undefined) return;
  void client.sessions.stop({ session: tab.id });
}

/** Sends the newest running command of the focused session to the background (T15). */
export function sendToBackground(): void {
  [...document.querySelectorAll<HTMLElement>("[data-pane-focused=true] [data-testid=to-background]")].at(-1)?.click();
}

/** The way to answer by keyboard: going to the card is a step of its own, taken on purpose. */
export function focusCard(services: Services): void {
  const card = askingCard();
  if (card === null) goToNeeding(services);
  else card.focus();
}

/** Of the focused pane. */
export function askingCard(): HTMLElement | null {
  const find = (card: string) => document.querySelector<HTMLElement>(`[data-pane-focused=true] ${card}`);
  return find("[data-asks]") ?? find("[data-testid=project-hooks]");
}
