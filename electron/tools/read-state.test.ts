import { describe, expect, it } from "vitest";
import { createReadState, type Sighting } from "./read-state.ts";

const sight = (from: number, to: number, rest: Partial<Sighting> = {}): Sighting => ({
  path: "/ws/a",
  hash: "h1",
  from,
  to,
  total: 100,
  shortened: false,
  ...rest,
});

describe("what the model has seen", () => {
  it.each<[string, readonly Sighting[], boolean]>([
    ["all at once", [sight(1, 100)], true],
    ["a part", [sight(1, 10)], false],
    ["in two parts", [sight(51, 100), sight(1, 50)], true],
    ["with a gap", [sight(1, 49), sight(51, 100)], false],
    ["parts that overlap", [sight(1, 60), sight(30, 100)], true],
    ["parts of two versions", [sight(1, 50), sight(51, 100, { hash: "h2" })], false],
    ["with shortened lines", [sight(1, 100, { shortened: true })], false],
    ["an empty file", [sight(1, 0, { total: 0 })], true],
    ["all of it, then a part again", [sight(1, 100), sight(5, 6)], true],
    ["all of it, then a part of a newer version", [sight(1, 100), sight(5, 6, { hash: "h2" })], false],
  ])("%s", (_, sightings, complete) => {
    const state = createReadState();
    for (const sighting of sightings) state.saw(sighting);
    expect(state.seen("/ws/a")?.complete).toBe(complete);
  });

  it("knows its own writes, and nothing of other files", () => {
    const state = createReadState();
    state.wrote("/ws/a", { hash: "h9", text: "x", complete: true });
    expect([state.seen("/ws/a"), state.baseText("/ws/a"), state.seen("/ws/b")]).toEqual([
      { path: "/ws/a", hash: "h9", complete: true, ranges: [] },
      "x",
      undefined,
    ]);
  });

  it("survives a resume through its snapshot, parts included", () => {
    const stored: unknown[] = [];
    const before = createReadState({ onChange: (snapshot) => stored.push(snapshot) });
    before.saw(sight(1, 50));
    const after = createReadState({ known: before.snapshot() });
    after.saw(sight(51, 100));
    expect([stored, after.seen("/ws/a")?.complete]).toEqual([[[{ path: "/ws/a", hash: "h1", complete: false, ranges: [{ from: 1, to: 50 }] }]], true]);
  });
});

describe("base texts", () => {
  it("belong to the hash that was seen", () => {
    const state = createReadState();
    state.saw(sight(1, 100, { text: "one" }));
    state.saw(sight(1, 10));
    expect(state.baseText("/ws/a")).toBe("one");
    state.saw(sight(1, 10, { hash: "h2" }));
    expect(state.baseText("/ws/a")).toBeUndefined();
  });

  it("take bounded memory, the oldest go first; so do records of very many files", () => {
    const state = createReadState();
    for (let index = 0; index < 5; index++) state.saw(sight(1, 100, { path: `/ws/${index}`, text: "x".repeat(5_000_000) }));
    expect([0, 1, 2, 3, 4].map((index) => state.baseText(`/ws/${index}`) !== undefined)).toEqual([false, false, true, true, true]);
    for (let index = 0; index < 2_100; index++) state.saw(sight(1, 100, { path: `/many/${index}` }));
    expect([state.snapshot().length, state.seen("/many/0"), state.seen("/many/2099")?.complete]).toEqual([2_000, undefined, true]);
  });
});
