import { describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import { Layout } from "#renderer/stores/layout.ts";
import { dropOnPane } from "./tab-drag.ts";

const tab = (id: string) => ({ kind: "session" as const, id: SessionId.parse(id) });
const layout = Layout.parse({ tabs: [tab("a"), tab("b"), tab("c")], panes: ["a", "b"], focused: 1 });

describe("dropping a tab on a pane", () => {
  it.each([
    ["c", { index: 0, place: "inside" as const }, ["c", "b"], 0],
    ["c", { index: 0, place: "right" as const }, ["a", "c", "b"], 1],
    ["b", { index: 0, place: "inside" as const }, ["a", "b"], 1],
    ["gone", { index: 0, place: "right" as const }, ["a", "b"], 1],
  ])("%s at %j", (id, where, panes, focused) => {
    const after = dropOnPane(layout, id, where);
    expect([after.panes, after.focused]).toEqual([panes, focused]);
  });
});
