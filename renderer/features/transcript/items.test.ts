import { describe, expect, it } from "vitest";
import { createFakeLog } from "#renderer/testkit/log.ts";
import { storyOf } from "#renderer/testkit/sample-sessions.ts";
import { applyLive, NO_LIVE } from "#renderer/stores/live-tail.ts";
import { CallId, CheckpointId, ReplyId, SessionId } from "#shared/lib/ids.ts";
import { createSplitter, type Item, itemsOf, liveItemsOf } from "./items.ts";

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
    const [row] = rows.filter((other) => other.kind === "text");
    if (row?.kind === "text") expect(split({ ...row, kind: "text" })).not.toBe(split({ ...row, kind: "text" }));
    const again = itemsOf(rows, calls, split);
    expect(again.map((item) => item.kind === "text" && item.text)).toEqual(first.map((item) => item.kind === "text" && item.text));
  });
});

describe("liveItemsOf", () => {
  it("shows finished blocks, the growing one, calls and what is being written", () => {
    const reply = ReplyId.parse("r");
    const live = [
      { type: "text_delta" as const, reply, text: "# One\n\ntwo" },
      { type: "call_state" as const, call: CallId.parse("c"), tool: "bash", state: "running" as const, input: {} },
      { type: "tool_input_delta" as const, reply, index: 1, name: "write", chars: 5 },
    ].reduce(applyLive, NO_LIVE);
    expect(liveItemsOf(live).map((item) => [item.kind, item.kind === "text" ? item.growing : undefined])).toEqual([
      ["text", false],
      ["text", true],
      ["call", undefined],
      ["writing", undefined],
    ]);
  });
});
