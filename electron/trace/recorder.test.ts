import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TraceEvent } from "#shared/trace/trace.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { parseTrace } from "#electron/testkit/trace-check.ts";
import { createTraceRecorder } from "./recorder.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trace-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, "traces", "run.jsonl");
const batch = (width: number): TraceEvent => ({ name: "batch", width });
const widths = async () => parseTrace(await readFile(file(), "utf8")).flatMap((event) => (event.name === "batch" ? [event.width] : []));

describe("the recorder of measurements (O1 to O3)", () => {
  it("writes by itself soon after, one parsable line an event, with the time at which each was measured", async () => {
    const clock = createManualClock(1_000);
    const recorder = createTraceRecorder(file(), clock, ["read"]);
    recorder.emit(batch(1));
    await clock.advance(200);
    recorder.emit({ name: "call_done", tool: "read", ok: false, failure: "timeout", ms: 3 });
    await expect(readFile(file())).rejects.toThrow();
    await clock.advance(300);
    await recorder.flush();
    expect((await readFile(file(), "utf8")).split("\n")).toEqual([
      JSON.stringify({ at: 1_000, name: "batch", width: 1 }),
      JSON.stringify({ at: 1_200, name: "call_done", tool: "read", ok: false, failure: "timeout", ms: 3 }),
      "",
    ]);
    expect(clock.pending()).toBe(0);
  });

  it("keeps the order over many batches, flushes that overlap included, and loses nothing", async () => {
    const recorder = createTraceRecorder(file(), createManualClock(), ["read"]);
    const flushes: Promise<void>[] = [];
    for (let n = 0; n < 500; n += 1) {
      recorder.emit(batch(n));
      if (n % 7 === 0) flushes.push(recorder.flush());
    }
    await Promise.all([...flushes, recorder.flush()]);
    expect(await widths()).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  it("a flush with nothing to write still waits for what is being written", async () => {
    const recorder = createTraceRecorder(file(), createManualClock(), ["read"]);
    recorder.emit(batch(1));
    void recorder.flush();
    await recorder.flush();
    expect(await widths()).toEqual([1]);
  });

  it("takes no more than it can hold, and works again after that", async () => {
    const recorder = createTraceRecorder(file(), createManualClock(), ["read"]);
    for (let n = 0; n < 10_050; n += 1) recorder.emit(batch(n));
    await recorder.flush();
    recorder.emit(batch(-1));
    await recorder.flush();
    const written = await widths();
    expect([written.length, written.at(-2), written.at(-1)]).toEqual([10_001, 9_999, -1]);
  });

  it("a disk that fails neither throws nor stops what comes after it is mended", async () => {
    await writeFile(join(folder, "traces"), "a file where a folder must be");
    const clock = createManualClock();
    const recorder = createTraceRecorder(file(), clock, ["read"]);
    recorder.emit(batch(1));
    await clock.advance(1_000);
    await recorder.flush();
    await rm(join(folder, "traces"));
    await mkdir(join(folder, "traces"));
    recorder.emit(batch(2));
    await recorder.flush();
    expect(await widths()).toEqual([2]);
  });
});
