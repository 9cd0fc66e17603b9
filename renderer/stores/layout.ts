// What is open and where: tabs are the working set, panes show up to four of them side by side (U2). Pure transitions.
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";

export const Tab = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), id: SessionId }),
  /** a conversation that has not begun: becomes a session with its first message */
  z.object({ kind: z.literal("start"), id: z.string(), cwd: z.string().optional() }),
]);
export type Tab = z.infer<typeof Tab>;

export const Layout = z.object({
  tabs: z.array(Tab).default([]),
  /** ids of the tabs shown, left to right */
  panes: z.array(z.string()).max(4).default([]),
  focused: z.number().int().nonnegative().default(0),
  sidebar: z.boolean().default(true),
});
export type Layout = z.infer<typeof Layout>;

export const MAX_PANES = 4;

/** Shows a tab in the focused pane, or goes to the pane that shows it already. */
export function showTab(layout: Layout, id: string): Layout {
  const shown = layout.panes.indexOf(id);
  if (shown >= 0) return { ...layout, focused: shown };
  if (layout.panes.length === 0) return { ...layout, panes: [id], focused: 0 };
  return { ...layout, panes: layout.panes.map((pane, index) => (index === layout.focused ? id : pane)) };
}

/** Adds the tab if it is new, and shows it. */
export function openTab(layout: Layout, tab: Tab): Layout {
  const known = layout.tabs.some((other) => other.id === tab.id);
  return showTab(known ? layout : { ...layout, tabs: [...layout.tabs, tab] }, tab.id);
}

/** A start tab became a session: same place, new content. */
export function replaceTab(layout: Layout, from: string, tab: Tab): Layout {
  return {
    ...layout,
    tabs: layout.tabs.filter((other) => other.id !== tab.id).map((other) => (other.id === from ? tab : other)),
    panes: layout.panes.map((pane) => (pane === from ? tab.id : pane)),
  };
}

/** Takes a tab out of the working set; its pane shows the next tab that is not shown yet, or closes. */
export function closeTab(layout: Layout, id: string): Layout {
  const index = layout.tabs.findIndex((tab) => tab.id === id);
  if (index < 0) return layout;
  const tabs = layout.tabs.filter((tab) => tab.id !== id);
  const pane = layout.panes.indexOf(id);
  if (pane < 0) return { ...layout, tabs };
  const hidden = [...tabs.slice(index), ...tabs.slice(0, index).toReversed()].find((tab) => !layout.panes.includes(tab.id));
  if (hidden !== undefined) return { ...layout, tabs, panes: layout.panes.map((shown) => (shown === id ? hidden.id : shown)) };
  return closePane({ ...layout, tabs }, pane);
}

/** Opens one more pane to the right of the focused one, with this tab in it. */
export function splitWith(layout: Layout, tab: Tab): Layout {
  const opened = layout.tabs.some((other) => other.id === tab.id) ? layout : { ...layout, tabs: [...layout.tabs, tab] };
  if (layout.panes.includes(tab.id) || layout.panes.length >= MAX_PANES) return showTab(opened, tab.id);
  const at = Math.min(layout.focused + 1, layout.panes.length);
  return { ...opened, panes: [...layout.panes.slice(0, at), tab.id, ...layout.panes.slice(at)], focused: at };
}

/** The pane goes, its tab stays in the working set. */
export function closePane(layout: Layout, index: number): Layout {
  const panes = layout.panes.filter((_, at) => at !== index);
  return { ...layout, panes, focused: Math.max(0, Math.min(layout.focused > index ? layout.focused - 1 : layout.focused, panes.length - 1)) };
}

/** Tab `step` places further, round the end. */
export function nextTab(layout: Layout, step: number): Layout {
  const at = layout.tabs.findIndex((tab) => tab.id === layout.panes[layout.focused]);
  const next = layout.tabs[(at + step + layout.tabs.length) % Math.max(1, layout.tabs.length)];
  return next === undefined ? layout : showTab(layout, next.id);
}

/** Puts a tab before another one, or at the end. */
export function moveTab(layout: Layout, id: string, before: string | undefined): Layout {
  const tab = layout.tabs.find((other) => other.id === id);
  if (tab === undefined || id === before) return layout;
  const others = layout.tabs.filter((other) => other.id !== id);
  const at = before === undefined ? others.length : others.findIndex((other) => other.id === before);
  return { ...layout, tabs: [...others.slice(0, at < 0 ? others.length : at), tab, ...others.slice(at < 0 ? others.length : at)] };
}

/** Drops tabs and panes of sessions that no longer exist. */
export function keepTabs(layout: Layout, exists: (id: SessionId) => boolean): Layout {
  return layout.tabs.reduce((kept, tab) => (tab.kind === "session" && !exists(tab.id) ? closeTab(kept, tab.id) : kept), layout);
}
