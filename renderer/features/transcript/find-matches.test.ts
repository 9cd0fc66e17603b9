import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { CallId, EntryId, TurnId } from "#shared/lib/ids.ts";
import type { CallView, Row } from "#shared/session/view.ts";
import { findIn, matchAt, MAX_MATCHES } from "./find-matches.ts";
import { createSplitter, itemsOf } from "./items.ts";

const base = { turn: TurnId.parse("t"), entry: EntryId.parse("e"), at: 0, left: false } as const;
const call = CallId.parse("c1");
const view: CallView = {
  id: call,
  turn: base.turn,
  tool: "bash",
  input: { command: "ls harbour" },
  state: "ok",
  startedAt: 0,
  outcome: undefined,
  forModel: [{ type: "text", text: "harbour harbour.txt" }],
};
const rows: readonly Row[] = [
  { kind: "prompt", id: "1", blocks: [text("Where is the HARBOUR? (harbour)")], ...base },
  { kind: "thinking", id: "2.0", text: "the harbour…", ...base },
  { kind: "text", id: "2.1", text: `${"Long paragraph.\n\n".repeat(400)}At the harbour.`, ...base },
  { kind: "call", id: "2.2", call, ...base },
  { kind: "text", id: "4.0", text: "left harbour", ...base, left: true },
];
const items = itemsOf(rows, { [call]: view }, (row) => createSplitter()(row, []));

describe("finding words in a conversation", () => {
  it("counts every place that is read, and what is folded once a piece", () => {
    const matches = findIn(items, { [call]: view }, "harbour");
    expect(matches.map(({ key, nth, folded }) => `${key.split(".")[0]} ${nth} ${folded}`)).toEqual([
      "1 0 false",
      "1 1 false",
      "2 0 true",
      "2 0 false",
      "c1 0 true",
      "left-4 0 true",
    ]);
    expect(findIn(items, { [call]: view }, "(harbour)").length).toBe(1);
    expect(findIn(items, { [call]: view }, "  ")).toEqual([]);
  });

  it("knows the place that a search over all conversations found: a part of a long answer, a result, a path that was left", () => {
    const matches = findIn(items, { [call]: view }, "harbour");
    const keyAt = (place: Parameters<typeof matchAt>[2]) => matches[matchAt(matches, items, place)]?.key.split(".").slice(0, 2).join(".");
    expect([keyAt({ seq: 1 }), keyAt({ seq: 3, call }), keyAt({ seq: 4 })]).toEqual(["1", "c1", "left-4.0"]);
    expect(matchAt(matches, items, { seq: 99 })).toBe(-1);
  });

  it("stops counting where nobody steps any more", () => {
    const many: readonly Row[] = [{ kind: "prompt", id: "1", blocks: [text("a".repeat(MAX_MATCHES * 2))], ...base }];
    expect(
      findIn(
        itemsOf(many, {}, () => []),
        {},
        "a",
      ).length,
    ).toBe(MAX_MATCHES);
  });
});
