// Dragging a tab: onto another tab to reorder, onto a pane to show it there, onto a pane's edge to open it there.
import type { DragEvent } from "react";
import { type Layout, showTab, type Side, splitWith } from "#renderer/stores/layout.ts";

const TAB_TYPE = "application/x-cairn-tab";
/** Part of a pane's width or height, from an edge, where a drop opens one more pane. */
const EDGE_SHARE = 0.28;

export type DropPlace = "inside" | Side;

export function carryTab(event: DragEvent<HTMLElement>, id: string): void {
  event.dataTransfer.setData(TAB_TYPE, id);
  event.dataTransfer.effectAllowed = "move";
}

/** Where a tab held over a pane would go; undefined when it is no tab that is held. */
export function placeOver(event: DragEvent<HTMLElement>): DropPlace | undefined {
  if (!event.dataTransfer.types.includes(TAB_TYPE)) return undefined;
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return edgeAt({ x: (event.clientX - left) / width, y: (event.clientY - top) / height });
}

/** The nearest edge of a pane, if one is near; place in shares of its size. */
export function edgeAt({ x, y }: { readonly x: number; readonly y: number }): DropPlace {
  const [side, share] = (
    [
      ["right", 1 - x],
      ["left", x],
      ["bottom", 1 - y],
      ["top", y],
    ] as const
  ).reduce((best, other) => (other[1] < best[1] ? other : best));
  return share < EDGE_SHARE ? side : "inside";
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
  return place === "inside" ? showTab(here, id) : splitWith(here, tab, place);
}
