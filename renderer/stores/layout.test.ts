import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import { closePane, closeTab, columnsOf, keepTabs, Layout, MAX_PANES, moveTab, nextTab, openTab, replaceTab, showTab, splitWith, type Tab } from "./layout.ts";

const tab = (id: string): Tab => ({ kind: "session", id: SessionId.parse(id) });
const open = (...ids: readonly string[]): Layout => ids.reduce((layout, id) => openTab(layout, tab(id)), Layout.parse({}));
const shape = ({ tabs, panes, focused }: Layout) => ({ tabs: tabs.map(({ id }) => id).join(), panes: panes.join(), focused });

describe("layout", () => {
  it("opens in the focused pane, and goes to the pane that shows it already", () => {
    const two = splitWith(open("a"), tab("b"));
    expect(shape(two)).toEqual({ tabs: "a,b", panes: "a,b", focused: 1 });
    expect(shape(openTab(two, tab("c")))).toEqual({ tabs: "a,b,c", panes: "a,c", focused: 1 });
    expect(shape(showTab(two, "a"))).toEqual({ tabs: "a,b", panes: "a,b", focused: 0 });
  });

  it("shows the neighbour of a closed tab, and closes the pane when none is left to show", () => {
    expect(shape(closeTab(open("a", "b", "c"), "c"))).toEqual({ tabs: "a,b", panes: "b", focused: 0 });
    expect(shape(closeTab(splitWith(open("a"), tab("b")), "b"))).toEqual({ tabs: "a", panes: "a", focused: 0 });
    expect(shape(closeTab(open("a"), "a"))).toEqual({ tabs: "", panes: "", focused: 0 });
  });

  it("opens panes at each side: beside is beside the whole column, above and below stay in it", () => {
    const columns = (layout: Layout) => columnsOf(layout).map((column) => column.join("/"));
    const two = splitWith(open("a"), tab("b"), "bottom");
    expect(columns(two)).toEqual(["a/b"]);
    expect(columns(splitWith(two, tab("c"), "right"))).toEqual(["a/b", "c"]);
    expect(columns(splitWith(two, tab("c"), "left"))).toEqual(["c", "a/b"]);
    expect(columns(splitWith(two, tab("c"), "top"))).toEqual(["a/c/b"]);
    expect(columns(splitWith({ ...two, focused: 0 }, tab("c"), "top"))).toEqual(["c/a/b"]);
    expect(columns(splitWith({ ...splitWith(two, tab("c"), "right"), focused: 2 }, tab("a"), "bottom"))).toEqual(["b", "c/a"]);
  });

  it("lets who stood under a closed pane move up, and keeps the place of a pane that shows another tab", () => {
    const columns = (layout: Layout) => columnsOf(layout).map((column) => column.join("/"));
    const three = splitWith(splitWith(open("a"), tab("b")), tab("c"), "bottom");
    expect(columns(three)).toEqual(["a", "b/c"]);
    expect(columns(closePane(three, 1))).toEqual(["a", "c"]);
    expect(columns(openTab(three, tab("d")))).toEqual(["a", "b/d"]);
    expect(columns(replaceTab(three, "c", tab("e")))).toEqual(["a", "b/e"]);
  });

  it("keeps the tab of a closed pane", () => {
    expect(shape(closePane(splitWith(open("a"), tab("b")), 0))).toEqual({ tabs: "a,b", panes: "b", focused: 0 });
  });

  it("puts a session where its start was, also when it is open elsewhere", () => {
    const started = openTab(open("a"), { kind: "start", id: "start-1" });
    expect(shape(replaceTab(started, "start-1", tab("b")))).toEqual({ tabs: "a,b", panes: "b", focused: 0 });
  });

  it("goes round the tabs and moves them", () => {
    const three = open("a", "b", "c");
    expect(nextTab(three, 1).panes).toEqual(["a"]);
    expect(nextTab(three, -1).panes).toEqual(["b"]);
    expect(moveTab(three, "c", "a").tabs.map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(moveTab(three, "a", undefined).tabs.map(({ id }) => id)).toEqual(["b", "c", "a"]);
  });

  it("forgets sessions that are gone", () => {
    expect(shape(keepTabs(open("a", "b"), (id) => id === "a"))).toEqual({ tabs: "a", panes: "a", focused: 0 });
  });

  it("never shows a tab twice, an unknown tab or too many panes, whatever one does", () => {
    const step = fc.tuple(fc.constantFrom("open", "split", "close", "pane", "next", "show"), fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.nat({ max: 4 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let layout = Layout.parse({});
        for (const [what, id, index] of steps) layout = apply(layout, what, id, index);
        const known = new Set(layout.tabs.map((other) => other.id));
        expect(new Set(layout.panes).size).toBe(layout.panes.length);
        expect(layout.panes.every((pane) => known.has(SessionId.parse(pane)))).toBe(true);
        expect(layout.panes.length).toBeLessThanOrEqual(MAX_PANES);
        expect(layout.focused).toBeLessThan(Math.max(1, layout.panes.length));
        expect(Layout.safeParse(layout).success).toBe(true);
      }),
    );
  });
});

function apply(layout: Layout, what: string, id: string, index: number): Layout {
  if (what === "open") return openTab(layout, tab(id));
  if (what === "split") return splitWith(layout, tab(id));
  if (what === "close") return closeTab(layout, id);
  if (what === "pane") return closePane(layout, index);
  if (what === "next") return nextTab(layout, 1);
  return layout.tabs.some((other) => other.id === id) ? showTab(layout, id) : layout;
}
