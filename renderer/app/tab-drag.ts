// Dragging a tab: onto another tab to reorder, onto a pane to show it there, onto a pane's right edge to open it beside.
import type { DragEvent } from "react";
import { type Layout, showTab, splitWith } from "#renderer/stores/layout.ts";

const TAB_TYPE = "application/x-cairn-tab";
/** Part of a pane's width, from its right edge, where a drop opens one more pane. */
const EDGE_SHARE = 0.35;

export type DropPlace = "inside" | "beside";

export function carryTab(event: DragEvent<HTMLElement>, id: string): void {
  event.dataTransfer.setData(TAB_TYPE, id);
  event.dataTransfer.effectAllowed = "move";
}

/** Where a tab held over a pane would go; undefined when it is no tab that is held. */
export function placeOver(event: DragEvent<HTMLElement>): DropPlace | undefined {
  if (!event.dataTransfer.types.includes(TAB_TYPE)) return undefined;
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return event.clientX > left + width * (1 - EDGE_SHARE) ? "beside" : "inside";
}

export function droppedTab(event: DragEvent<HTMLElement>): string | undefined {
  const id = event.dataTransfer.getData(TAB_TYPE);
  if (id === "") return undefined;
  event.preventDefault();
  event.stopPropagation();
  return id;
}

/** Layout after dropping the tab on the pane at `index`. */
export function dropOnPane(layout: Layout, id: string, { index, place }: { readonly index: number; readonly place: DropPlace }): Layout {
  const tab = layout.tabs.find((other) => other.id === id);
  if (tab === undefined) return layout;
  const here = { ...layout, focused: index };
  return place === "beside" ? splitWith(here, tab) : showTab(here, id);
}
