import { describe, expect, it } from "vitest";
import { createFakeLog } from "#renderer/testkit/log.ts";
import { storyOf } from "#renderer/testkit/sample-sessions.ts";
import { applyLive, NO_LIVE } from "#renderer/stores/live-tail.ts";
import { CallId, CheckpointId, ReplyId, SessionId } from "#shared/lib/ids.ts";
import { callsIn, createSplitter, type Item, itemsOf as itemsWith, withLive } from "./items.ts";

const itemsOf = (rows: Parameters<typeof itemsWith>[0], calls: Parameters<typeof itemsWith>[1], split = createSplitter()) =>
  itemsWith(rows, calls, (row) => split(row, []));

const told = () => {
  const log = createFakeLog(SessionId.parse("s"), () => undefined);
  return { log, story: storyOf(log, 1_000) };
};
const read = (path: string) => ({ kind: "file_read" as const, path, from: 1, to: 2, total: 2 });
const kinds = (items: readonly Item[]) => items.map((item) => (item.kind === "looked_around" ? `looked_around ${item.calls.length}` : item.kind));

describe("itemsOf", () => {
  it("folds a run of looking around into one line, and leaves a single look as it is", () => {
    const { log, story } = told();
    story.prompt("hi");
    story.run("read", {}, read("a"), 1);
    story.run("grep", {}, { kind: "search", pattern: "x", matches: 0, files: 0, cut: false, sample: [] }, 1);
    story.run("read", {}, read("b"), 1);
    story.say("so");
    story.run("read", {}, read("c"), 1);
    story.run(
      "bash",
      { command: "ls" },
      { kind: "shell", command: "ls", output: "", exitCode: 0, signal: null, timedOut: false, background: false, stillRunning: [] },
      1,
    );
    story.end();
    const { rows, calls } = log.view();
    expect(kinds(itemsOf(rows, calls, createSplitter()))).toEqual(["prompt", "looked_around 3", "text", "call", "call", "turn_end"]);
  });

  it("never folds a look that failed", () => {
    const { log, story } = told();
    story.prompt("hi");
    story.run("read", {}, read("a"), 1);
    story.fail("read", {}, "tool_error", "no such file");
    expect(kinds(itemsOf(log.view().rows, log.view().calls, createSplitter()))).toEqual(["prompt", "call", "call"]);
  });

  it("leaves out a call whose effect shows elsewhere, but never one that failed (T10)", () => {
    const { log, story } = told();
    story.prompt("hi");
    story.run("x", {}, { kind: "text", text: "a" }, 1);
    story.fail("x", {}, "tool_error", "no");
    const { rows, calls } = log.view();
    const hidden = Object.fromEntries(
      Object.values(calls).map((call) => [
        call.id,
        { ...call, outcome: call.outcome === undefined ? undefined : { ...call.outcome, display: "hidden" as const } },
      ]),
    );
    expect(kinds(itemsOf(rows, hidden, createSplitter()))).toEqual(["prompt", "call"]);
  });

  it("gathers a path that was left into one fold", () => {
    const { log, story } = told();
    story.point("c0", { kind: "person", label: "start" }, []);
    story.prompt("first");
    story.say("words");
    story.end();
    log.append({ v: 1, type: "rolled_back", target: CheckpointId.parse("c0"), scope: "both", conversationTo: null, files: [], undo: false });
    story.prompt("second");
    const items = itemsOf(log.view().rows, log.view().calls, createSplitter());
    expect(kinds(items)).toEqual(["left", "rolled_back", "prompt"]);
  });

  it("gives each block of a long answer an item of its own, and splits it once", () => {
    const { log, story } = told();
    story.prompt("hi");
    story.say("A paragraph of some length, again and again.\n\n".repeat(200));
    const split = createSplitter();
    const { rows, calls } = log.view();
    const first = itemsOf(rows, calls, split);
    expect(first).toHaveLength(201);
    expect(new Set(first.map((item) => item.key)).size).toBe(201);
    const again = itemsOf(rows, calls, split);
    expect(again.every((item, at) => item === first[at] || item.kind !== "text")).toBe(true);
  });

  it("takes the blocks that a long answer was split into while it grew", () => {
    const { log, story } = told();
    story.say("word ".repeat(2_000));
    const [row] = log.view().rows;
    if (row?.kind !== "text") throw new Error("no text row");
    const items = createSplitter()(row, [
      { text: "other", blocks: ["no"] },
      { text: row.text, blocks: ["as", "it", "grew"] },
    ]);
    expect(items.map((item) => item.kind === "text" && item.text)).toEqual(["as", "it", "grew"]);
  });
});

describe("withLive", () => {
  const reply = ReplyId.parse("r");
  const call = CallId.parse("c");
  const live = [
    { type: "text_delta" as const, reply, text: "# One\n\ntwo" },
    { type: "call_state" as const, call, tool: "bash", state: "running" as const, input: {} },
    { type: "tool_input_delta" as const, reply, index: 1, name: "write", chars: 5 },
  ].reduce(applyLive, NO_LIVE);
  const all = (list: ReturnType<typeof withLive>) => Array.from({ length: list.length }, (_, at) => list.at(at));

  it("shows settled items, finished blocks, the growing one, calls, what is being written, and what goes on", () => {
    const { log, story } = told();
    story.prompt("hi");
    const settled = itemsOf(log.view().rows, log.view().calls);
    const list = withLive(settled, callsIn(settled), live);
    expect(all(list).map((item) => [item?.kind, item?.kind === "text" ? item.growing : undefined])).toEqual([
      ["prompt", undefined],
      ["text", false],
      ["text", true],
      ["call", undefined],
      ["writing", undefined],
      ["working", undefined],
    ]);
    expect([list.at(list.length), new Set(all(list).map((item) => item?.key)).size]).toEqual([undefined, 6]);
  });

  it("leaves out a call that has its place already", () => {
    const settled: readonly Item[] = [{ kind: "call", key: "c", call }];
    expect(all(withLive(settled, callsIn(settled), live)).filter((item) => item?.kind === "call")).toHaveLength(1);
  });
});
