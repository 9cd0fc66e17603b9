import { describe, expect, it } from "vitest";
import { CallId } from "#shared/lib/ids.ts";
import { createScope } from "#electron/lib/scope.ts";
import { createSubagentLimit } from "./limit.ts";
import { createRunSubagent } from "./run-subagent.ts";

const task = { description: "d", prompt: "p" };
const call = CallId.parse("c");

describe("a sub-agent that cannot run", () => {
  it("reports why its loop could not be opened, gives its place back and leaves nothing open", async () => {
    const limit = createSubagentLimit(() => 1);
    const scope = createScope("call");
    const run = createRunSubagent({ limit, open: async () => Promise.reject(new Error("no turn")) });
    const first = await run(task, { call, scope }, () => {});
    expect([first.end.why, first.end.detail, first.text]).toEqual(["failed", "no turn", ""]);
    expect(scope.openChildren()).toEqual([]);
    expect(await limit.enter(scope.signal)).toBeDefined();
  });

  it("is aborted with its parent: while it waits for a place, and while it opens", async () => {
    const full = createScope("call");
    const limit = createSubagentLimit(() => 1);
    await limit.enter(full.signal);
    const waiting = createRunSubagent({ limit, open: () => Promise.reject(new Error("must not be opened")) })(task, { call, scope: full }, () => {});
    full.abort({ by: "person" });
    const opening = createScope("call");
    const stop = async () => {
      opening.abort({ by: "rollback" });
      throw new Error("aborted");
    };
    const opened = createRunSubagent({ limit: createSubagentLimit(() => 1), open: stop })(task, { call, scope: opening }, () => {});
    const ends = (await Promise.all([waiting, opened])).map(({ end }) => [end.why, end.abortedBy]);
    expect(ends).toEqual([
      ["aborted", "person"],
      ["aborted", "rollback"],
    ]);
  });
});
