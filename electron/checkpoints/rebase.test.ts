import { describe, expect, it } from "vitest";
import type { Author } from "./attribution.ts";
import type { LogRow } from "./change-log.ts";
import type { State } from "./entry.ts";
import { type MergeOne, type DoneRollback, effectiveRows, isTakenBack, rebase, type Taking } from "./rebase.ts";

const file = (hash: string): State => ({ kind: "file", mode: 0o644, hash, size: 1 });
const A: Author = { who: "agent", session: "a", turn: "t1" };
const A2: Author = { who: "during_call", session: "a", turn: "t2" };
const B: Author = { who: "agent", session: "b", turn: "t9" };
const ME: Author = { who: "person" };
const BACK: Author = { who: "rollback", session: "a" };
const TAKING: Taking = { session: "a", exact: false, turns: undefined };

/** "v0 A v1 ME v2": states and who led from one to the next; "-" is nothing. */
function chain(...parts: readonly (string | Author)[]): readonly LogRow[] {
  const state = (part: string | Author | undefined) => (typeof part === "string" && part !== "-" ? file(part) : undefined);
  const rows: LogRow[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const author = parts[at];
    if (typeof author === "object") rows.push({ id: rows.length + 1, path: "x", before: state(parts[at - 1]), after: state(parts[at + 1]), author });
  }
  return rows;
}
/** Merges what a name says: base "v0", ours "v0+p", theirs … only in the ways the tests need. */
const merge: MergeOne = ({ base, ours, theirs }) => {
  const name = (state: State) => (state?.kind === "file" ? state.hash : "-");
  if (name(base) === name(ours)) return { kind: "clean", state: theirs };
  if (name(base) === name(theirs) || name(ours) === name(theirs)) return { kind: "clean", state: ours };
  return name(theirs).startsWith(name(base)) && name(base) !== "-" && ours !== undefined
    ? { kind: "clean", state: file(name(ours) + name(theirs).slice(name(base).length)) }
    : { kind: "conflict" };
};
const after = (rows: readonly LogRow[], taking: Partial<Taking> = {}) => {
  const result = rebase(rows, { ...TAKING, ...taking }, merge);
  const shown = (state: State) => (state?.kind === "file" ? state.hash : "-");
  return result.kind === "same" ? "same" : `${result.kind} ${shown(result.want)}${result.kind === "change" && result.merged ? " merged" : ""}`;
};

describe("taking changes back", () => {
  for (const [what, rows, expected] of [
    ["the agent's change", chain("0", A, "1"), "change 0"],
    ["a made file", chain("-", A, "1"), "change -"],
    ["a deleted file", chain("0", A, "-"), "change 0"],
    ["several of them", chain("0", A, "1", A2, "2"), "change 0"],
    ["the person's change stays", chain("0", ME, "1"), "kept 0"],
    ["another session's stays", chain("0", B, "1"), "kept 0"],
    ["what went back and forth is the same", chain("0", A, "1", A, "0"), "same"],
    ["what the person undid already is the same", chain("0", A, "1", ME, "0"), "same"],
    ["the person's part of a file stays", chain("0", A, "1", ME, "1p"), "change 0p merged"],
    ["also when it came first", chain("0", ME, "0p", A, "1"), "change 0p merged"],
    ["also in several pieces", chain("0", A, "1", ME, "1p", A2, "2", B, "2q"), "change 0pq merged"],
    ["where both touched one place it is a conflict", chain("0", A, "1", ME, "2"), "conflict 0"],
    ["a file the agent made and the person went on with", chain("-", A, "1", ME, "1p"), "conflict -"],
    ["a file the agent changed and the person deleted", chain("0", A, "1", ME, "-"), "conflict 0"],
    ["a roll-back of this session", chain("1", BACK, "0"), "change 1"],
    ["what two sessions may have done", chain("0", { who: "shared" }, "1"), "conflict 0"],
    ["a background process stays", chain("0", { who: "background", session: "a" }, "1"), "kept 0"],
  ] as const) {
    it(what, () => expect(after(rows)).toBe(expected));
  }
  it("exact takes back everybody's", () => expect(after(chain("0", A, "1", ME, "2", B, "3"), { exact: true })).toBe("change 0"));
  it("any session's agents, never the person", () => expect(after(chain("0", A, "1", B, "1b", ME, "1bp"), { session: "any" })).toBe("change 0p merged"));
  it("one turn only, later ones stay", () => {
    expect(after(chain("0", A, "1", A2, "1x"), { turns: ["t1"] })).toBe("change 0x merged");
    expect(after(chain("0", A, "1", A2, "2"), { turns: ["t1"] })).toBe("conflict 0");
  });

  const unreadable: State = { kind: "opaque", why: "unreadable", token: "" };
  const big: State = { kind: "opaque", why: "too_big", token: "1" };
  const row = (before: State, after: State, author: Author): LogRow => ({ id: 1, path: "x", before, after, author });
  it("what was not held cannot be brought back", () => {
    expect(rebase([row(big, file("1"), A)], TAKING, merge).kind).toBe("unavailable");
    expect(rebase([row(file("1"), big, A)], TAKING, merge).kind).toBe("unavailable");
  });
  it("what could not be read is never said to be as it was (D12)", () =>
    expect(rebase([row(unreadable, file("1"), { who: "coverage" })], TAKING, merge).kind).toBe("unavailable"));
  it("coming under protection is no change", () =>
    expect(rebase([row({ kind: "opaque", why: "ignored", token: "" }, file("1"), { who: "coverage" })], TAKING, merge).kind).toBe("same"));
  it("takes nothing back of a person, a background process, or anybody's", () => {
    expect(
      [ME, { who: "background", session: "a" } as const, { who: "shared" } as const, { who: "coverage" } as const, B].map((one) => isTakenBack(one, TAKING)),
    ).toEqual([false, false, false, false, false]);
  });
});

describe("roll-backs that were done", () => {
  const all = () => true;
  const back = (target: number, started: number, ended: number): DoneRollback => ({ target, started, ended, covers: all });
  it("cut out what they left behind", () => expect(after(effectiveRows(chain("0", A, "1", BACK, "0", A2, "2"), [back(0, 1, 2)], 0))).toBe("change 0"));
  it("what they kept is the person's from then on", () => {
    // 0 → agent 1 → person 1p → back to 0: 0p stays → agent 2
    const rows = effectiveRows(chain("0", A, "1", ME, "1p", BACK, "0p", A2, "2"), [back(0, 2, 3)], 0);
    expect(rows.map((row) => row.author.who)).toEqual(["person", "during_call"]);
    expect(after(rows)).toBe("change 0p merged");
  });
  it("an exact one is not followed by the person's change coming back", () =>
    expect(effectiveRows(chain("0", ME, "1", BACK, "0"), [back(0, 1, 2)], 0)).toEqual([]));
  it("are taken back themselves on the way to a point they left behind", () =>
    expect(after(effectiveRows(chain("1", A, "2", BACK, "0"), [back(-1, 1, 2)], 0))).toBe("change 1"));
  it("inside what a later one left behind do not count", () => {
    // 0 → A 1 → back to 0 → A 2 → back (exact) to 1's time
    const rows = effectiveRows(chain("0", A, "1", BACK, "0", A2, "2", BACK, "1"), [back(0, 1, 2), back(1, 3, 4)], 0);
    expect(rows.map((row) => [row.id, row.author.who])).toEqual([[1, "agent"]]);
  });
  it("of other files do not matter", () => expect(effectiveRows(chain("0", A, "1"), [{ ...back(0, 0, 1), covers: () => false }], 0)).toHaveLength(1));
});
