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
  /** ids of the tabs shown, left to right, and within a column from top to bottom */
  panes: z.array(z.string()).max(4).default([]),
  /** those of them that stand under the one before, in its column */
  below: z.array(z.string()).default([]),
  /** what a person made of the room, in per cent; by how many share it: "3" columns, "0:2" rows of the first column */
  sizes: z.record(z.string(), z.array(z.number())).default({}),
  focused: z.number().int().nonnegative().default(0),
  sidebar: z.boolean().default(true),
  /** whether it lies over the panes while the window is too narrow for both */
  sidebarOver: z.boolean().default(false),
  /** how the library puts sessions together */
  libraryBy: z.enum(["folder", "time"]).default("folder"),
});
export type Layout = z.infer<typeof Layout>;

export const MAX_PANES = 4;

/** Shows a tab in the focused pane, or goes to the pane that shows it already. */
export function showTab(layout: Layout, id: string): Layout {
  const shown = layout.panes.indexOf(id);
  if (shown >= 0) return { ...layout, focused: shown };
  if (layout.panes.length === 0) return { ...layout, panes: [id], focused: 0 };
  return inPlaceOf(layout, layout.panes[layout.focused] ?? "", id);
}

/** The pane shows another tab; where it stands stays. */
function inPlaceOf(layout: Layout, from: string, to: string): Layout {
  const swap = (ids: readonly string[]): string[] => ids.map((id) => (id === from ? to : id));
  return { ...layout, panes: swap(layout.panes), below: swap(layout.below) };
}

/** Panes by column. */
export function columnsOf({ panes, below }: Pick<Layout, "panes" | "below">): readonly (readonly string[])[] {
  const columns: string[][] = [];
  for (const id of panes) {
    const last = columns.at(-1);
    if (last !== undefined && below.includes(id)) last.push(id);
    else columns.push([id]);
  }
  return columns;
}

/** Adds the tab if it is new, and shows it. */
export function openTab(layout: Layout, tab: Tab): Layout {
  const known = layout.tabs.some((other) => other.id === tab.id);
  return showTab(known ? layout : { ...layout, tabs: [...layout.tabs, tab] }, tab.id);
}

/** A start tab became a session: same place, new content. */
export function replaceTab(layout: Layout, from: string, tab: Tab): Layout {
  const tabs = layout.tabs.filter((other) => other.id !== tab.id).map((other) => (other.id === from ? tab : other));
  return inPlaceOf({ ...layout, tabs }, from, tab.id);
}

/** Takes a tab out of the working set; its pane shows the next tab that is not shown yet, or closes. */
export function closeTab(layout: Layout, id: string): Layout {
  const index = layout.tabs.findIndex((tab) => tab.id === id);
  if (index < 0) return layout;
  const tabs = layout.tabs.filter((tab) => tab.id !== id);
  const pane = layout.panes.indexOf(id);
  if (pane < 0) return { ...layout, tabs };
  const hidden = [...tabs.slice(index), ...tabs.slice(0, index).toReversed()].find((tab) => !layout.panes.includes(tab.id));
  if (hidden !== undefined) return inPlaceOf({ ...layout, tabs }, id, hidden.id);
  return closePane({ ...layout, tabs }, pane);
}

export type Side = "left" | "right" | "top" | "bottom";

/** Opens one more pane at a side of the focused one, with this tab in it. One that is shown elsewhere moves here. */
export function splitWith(layout: Layout, tab: Tab, side: Side = "right"): Layout {
  const opened = layout.tabs.some((other) => other.id === tab.id) ? layout : { ...layout, tabs: [...layout.tabs, tab] };
  const target = layout.panes[layout.focused];
  if (target === tab.id) return opened;
  const shown = opened.panes.indexOf(tab.id);
  const free = shown < 0 ? opened : closePane(opened, shown);
  if (target === undefined || free.panes.length >= MAX_PANES) return showTab(opened, tab.id);
  const at = placeFor(free, target, side);
  const panes = [...free.panes.slice(0, at), tab.id, ...free.panes.slice(at)];
  return { ...free, panes, below: belowAfter(free, target, { id: tab.id, side }), focused: at };
}

/** Beside a column is beside the whole of it. */
function placeFor({ panes, below }: Layout, target: string, side: Side): number {
  const index = panes.indexOf(target);
  if (side === "top") return index;
  if (side === "bottom") return index + 1;
  const before = panes.slice(0, index + 1).findLastIndex((id, at) => at === 0 || !below.includes(id));
  if (side === "left") return before;
  const after = panes.findIndex((id, at) => at > index && !below.includes(id));
  return after < 0 ? panes.length : after;
}

function belowAfter({ below }: Layout, target: string, { id, side }: { readonly id: string; readonly side: Side }): string[] {
  if (side === "bottom") return [...below, id];
  if (side !== "top") return below;
  return below.includes(target) ? [...below, id] : [...below, target];
}

/** The pane goes, its tab stays in the working set. Who stood under it moves up. */
export function closePane(layout: Layout, index: number): Layout {
  const gone = layout.panes[index] ?? "";
  const panes = layout.panes.filter((_, at) => at !== index);
  const heir = layout.below.includes(gone) ? undefined : layout.panes[index + 1];
  const below = layout.below.filter((id) => id !== gone && id !== heir);
  const focused = Math.max(0, Math.min(layout.focused > index ? layout.focused - 1 : layout.focused, panes.length - 1));
  return { ...layout, panes, below, focused };
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
