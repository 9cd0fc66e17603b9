import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createInlineCalls } from "#electron/testkit/inline-calls.ts";
import { createSystemClock } from "./clock.ts";
import { createWorkerCalls, type Handlers, serveWorker } from "./worker-call.ts";

const verbs = {
  double: { input: z.object({ n: z.number() }), output: z.number() },
  wait: { input: z.null(), output: z.string() },
  fail: { input: z.null(), output: z.null() },
  lie: { input: z.null(), output: z.number() },
};
const handlers: Handlers<typeof verbs> = {
  double: async ({ n }, cx) => {
    cx.progress({ half: n });
    return n * 2;
  },
  wait: (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
  fail: async () => {
    throw new Error("no luck");
  },
  lie: async () => Number.NaN,
};
const clock = createSystemClock();

describe("calls served in this thread", () => {
  const calls = createInlineCalls(verbs, handlers, clock);

  it("answers, with progress on the way", async () => {
    const seen: unknown[] = [];
    expect(await calls.call("double", { n: 4 }, { onProgress: (value) => seen.push(value) })).toEqual({ ok: true, value: 8 });
    expect(seen).toEqual([{ half: 4 }]);
  });
  it("turns a throw into a value", async () => {
    const answer = await calls.call("fail", null);
    expect(answer).toMatchObject({ ok: false, error: { kind: "threw" } });
    expect(JSON.stringify(answer)).toContain("no luck");
  });
  it("refuses an answer that does not fit its schema", async () => {
    expect(await calls.call("lie", null)).toEqual({ ok: false, error: { kind: "bad_message", message: "answer of lie does not fit its schema" } });
  });
  it("passes an abort on to the handler and still waits for its answer", async () => {
    const controller = new AbortController();
    const answer = calls.call("wait", null, { signal: controller.signal });
    controller.abort();
    expect(await answer).toEqual({ ok: true, value: "stopped" });
  });
  it("does not send what was aborted before", async () => {
    expect(await calls.call("wait", null, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { kind: "aborted" } });
  });
  it("answers gone after it was closed", async () => {
    const own = createInlineCalls(verbs, handlers, clock);
    const pending = own.call("wait", null);
    await own.close();
    expect(await pending).toMatchObject({ ok: false, error: { kind: "gone" } });
    expect(await own.call("double", { n: 1 })).toMatchObject({ ok: false, error: { kind: "gone" } });
  });
});

describe("a served port", () => {
  it("answers requests and ignores what is no request", async () => {
    const { port1, port2 } = new MessageChannel();
    serveWorker(verbs, handlers, port1);
    const answers: unknown[] = [];
    const two = new Promise<void>((resolve) => port2.on("message", (message: unknown) => answers.push(message) === 2 && resolve()));
    port2.postMessage("hello");
    port2.postMessage({ kind: "call", id: 7, verb: "double", input: { n: 1 } });
    await two;
    expect(answers).toEqual([
      { kind: "progress", id: 7, value: { half: 1 } },
      { kind: "done", id: 7, output: 2 },
    ]);
    port1.close();
  });
});

describe("a worker thread", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "cairn-worker-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const withWorker = async (body: string) => {
    const file = path.join(folder, "worker.mjs");
    await writeFile(file, `import { parentPort, workerData } from "node:worker_threads"; let n = 0; parentPort.on("message", (m) => { n++; ${body} });`);
    return createWorkerCalls(verbs, { file, data: { add: 1 }, clock });
  };

  it("is started once and given its data", async () => {
    const calls = await withWorker(`parentPort.postMessage({ kind: "done", id: m.id, output: n + workerData.add });`);
    expect(await calls.call("double", { n: 0 })).toEqual({ ok: true, value: 2 });
    expect(await calls.call("double", { n: 0 })).toEqual({ ok: true, value: 3 });
    await calls.close();
  });
  it("that dies fails the calls in flight; the next call starts another", async () => {
    const calls = await withWorker(`if (m.input.n === 0) process.exit(3); parentPort.postMessage({ kind: "done", id: m.id, output: n });`);
    expect(await calls.call("double", { n: 0 })).toEqual({ ok: false, error: { kind: "gone", message: "the worker ended with code 3" } });
    expect(await calls.call("double", { n: 1 })).toEqual({ ok: true, value: 1 });
    await calls.close();
  });
  it("that hangs is ended by the time limit", async () => {
    const calls = await withWorker("for (;;) {}");
    expect(await calls.call("double", { n: 0 }, { timeoutMs: 50 })).toMatchObject({ ok: false, error: { kind: "timed_out" } });
    await calls.close();
  });
});
