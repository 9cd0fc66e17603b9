import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import type { TraceEvent } from "#shared/trace/trace.ts";
import { createTraceRecorder } from "./recorder.ts";

it("labels are closed sets: no name of a server, and nothing made at run time, is written down (O3)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trace-"));
  try {
    const recorder = createTraceRecorder(join(folder, "t.jsonl"), createManualClock(7), ["read"]);
    for (const tool of ["read", "mcp__acme-internal__search", "/home/me/x"]) recorder.emit({ name: "call_dispatched", tool });
    const made: TraceEvent = { name: "guard_fired", guard: "step_limit" };
    recorder.emit(Object.assign(made, { guard: "/home/me/secret" }));
    recorder.emit({ name: "request_done", step: 1, attempt: 1, ok: false, failure: "server", ms: 3 });
    await recorder.flush();
    const lines = (await readFile(join(folder, "t.jsonl"), "utf8")).trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { at: 7, name: "call_dispatched", tool: "read" },
      { at: 7, name: "call_dispatched", tool: "mcp" },
      { at: 7, name: "call_dispatched", tool: "unknown" },
      { at: 7, name: "request_done", step: 1, attempt: 1, ok: false, failure: "server", ms: 3 },
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
