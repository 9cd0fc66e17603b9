import { describe, expect, it } from "vitest";
import { authorOf, type CallWindow, foldPath, shownAs } from "./attribution.ts";

const call = (name: string, more: Partial<CallWindow> = {}): CallWindow => ({
  call: name,
  session: "a",
  turn: "t",
  declared: undefined,
  background: false,
  opened: 1000,
  closed: 2000,
  ...more,
});
const by = (name: string, who: string, session = "a") => ({ who, session, turn: "t", call: name });

describe("whose change it is (K5)", () => {
  for (const [what, windows, path, when, expected] of [
    ["nothing ran", [], "x", 1500, { who: "person" }],
    ["a call that declared it", [call("edit", { declared: ["x"] })], "x", 1500, by("edit", "agent")],
    ["a call that declared the folder above", [call("edit", { declared: ["src"] })], "src/x", 1500, by("edit", "agent")],
    ["a folder that had to be made for a declared file", [call("edit", { declared: ["src/deep/x"] })], "src/deep", undefined, by("edit", "agent")],
    ["a call that declared something else", [call("edit", { declared: ["y"] })], "x", 1500, { who: "during_call" }],
    ["a command", [call("bash")], "x", 1500, by("bash", "during_call")],
    ["a command beside an edit of the file", [call("bash"), call("edit", { declared: ["x"] })], "x", 1500, by("edit", "agent")],
    ["a command beside an edit of another file", [call("edit", { declared: ["y"] }), call("bash")], "x", 1500, by("bash", "during_call")],
    ["before the call began", [call("bash")], "x", 900, { who: "person" }],
    ["within a tick of its beginning", [call("bash")], "x", 990, by("bash", "during_call")],
    ["after the call had ended", [call("bash")], "x", 2100, { who: "person" }],
    ["a call that still runs", [call("bash", { closed: undefined })], "x", 99_999, by("bash", "during_call")],
    ["a deletion, whose time nobody knows", [call("bash")], "x", undefined, by("bash", "during_call")],
    ["the later of two calls, by time", [call("one"), call("two", { opened: 3000, closed: 4000 })], "x", 3500, by("two", "during_call")],
    ["the earlier of two calls, by time", [call("one"), call("two", { opened: 3000, closed: 4000 })], "x", 1500, by("one", "during_call")],
    ["two calls of one session at once", [call("one"), call("two", { opened: 1100 })], "x", 1500, by("two", "during_call")],
    ["two sessions at once", [call("one"), call("two", { session: "b" })], "x", 1500, { who: "shared" }],
    ["two sessions at once, one of which declared it", [call("one"), call("two", { session: "b", declared: ["x"] })], "x", 1500, by("two", "agent", "b")],
    ["a process left running", [call("server", { background: true, closed: undefined })], "x", 5000, by("server", "background")],
    ["a command beside a process left running", [call("server", { background: true, closed: undefined }), call("bash")], "x", 1500, by("bash", "during_call")],
  ] as const) {
    it(what, () => expect(authorOf({ path, when }, windows)).toEqual(expected));
  }
});

it("paths are compared as the file system compares them", () => {
  expect(foldPath("A/É", "linux")).toBe("A/É");
  expect(foldPath("A/E\u0301", "darwin")).toBe("a/é");
});

it("the person reads four kinds only", () => {
  expect((["agent", "during_call", "background", "person", "rollback", "shared", "coverage"] as const).map(shownAs)).toEqual([
    "agent",
    "during_call",
    "background",
    "person",
    "person",
    "during_call",
    "person",
  ]);
});
