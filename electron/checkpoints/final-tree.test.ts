import { describe, expect, it } from "vitest";
import type { State } from "./entry.ts";
import { fitTree, type Wish } from "./final-tree.ts";

const F: State = { kind: "file", mode: 0o644, hash: "h", size: 1 };
const D: State = { kind: "dir", mode: 0o755, partial: false };

function fit(now: Readonly<Record<string, State>>, wishes: Readonly<Record<string, State>>, unknown: readonly string[] = []) {
  const wanted = Object.entries(wishes).map(([path, want]): Wish => ({ path, now: now[path], want }));
  const tree = fitTree(wanted, {
    stateNow: (path) => now[path],
    paths: () => Object.keys(now),
    holdsUnknown: (folder) => unknown.includes(folder),
    folderMode: () => 0o700,
  });
  return { does: Object.fromEntries(tree.wishes.map(({ path, want }) => [path, want?.kind ?? "nothing"])), conflicts: tree.conflicts.map(({ path }) => path) };
}

describe("wishes made to fit together", () => {
  it("folders above are made", () => expect(fit({}, { "a/b/c": F })).toEqual({ does: { a: "dir", "a/b": "dir", "a/b/c": "file" }, conflicts: [] }));
  it("with the mode they had", () => {
    const { wishes } = fitTree([{ path: "a/b", now: undefined, want: F }], {
      stateNow: () => undefined,
      paths: () => [],
      holdsUnknown: () => false,
      folderMode: () => 0o711,
    });
    expect(wishes[0]).toEqual({ path: "a", now: undefined, want: { kind: "dir", mode: 0o711, partial: false } });
  });
  it("a folder goes with all that is in it", () =>
    expect(fit({ d: D, "d/x": F }, { d: undefined, "d/x": undefined })).toEqual({ does: { d: "nothing", "d/x": "nothing" }, conflicts: [] }));
  it("a folder in which something is kept stays, quietly", () =>
    expect(fit({ d: D, "d/x": F, "d/mine": F }, { d: undefined, "d/x": undefined })).toEqual({ does: { "d/x": "nothing" }, conflicts: [] }));
  it("so do all above it", () => expect(fit({ d: D, "d/e": D, "d/e/mine": F }, { d: undefined, "d/e": undefined })).toEqual({ does: {}, conflicts: [] }));
  it("a folder with a repository's own data stays", () => expect(fit({ d: D }, { d: undefined }, ["d"])).toEqual({ does: {}, conflicts: [] }));
  it("a file cannot take the place of a folder with something kept in it", () =>
    expect(fit({ d: D, "d/mine": F }, { d: F })).toEqual({ does: {}, conflicts: ["d"] }));
  it("nor go under a kept file", () => expect(fit({ d: F }, { "d/x": F })).toEqual({ does: {}, conflicts: ["d/x"] }));
  it("but under one that leaves", () => expect(fit({ d: F }, { d: undefined, "d/x": F })).toEqual({ does: { d: "dir", "d/x": "file" }, conflicts: [] }));
  it("a folder that should go but gets something is kept", () =>
    expect(fit({ d: D }, { d: undefined, "d/x": F })).toEqual({ does: { "d/x": "file" }, conflicts: [] }));
  it("what was given up keeps its folder too", () => {
    // d/x cannot become a folder since d/x/y is kept, so d stays as well
    expect(fit({ d: D, "d/x": D, "d/x/y": F }, { d: undefined, "d/x": F })).toEqual({ does: {}, conflicts: ["d/x"] });
  });
});
