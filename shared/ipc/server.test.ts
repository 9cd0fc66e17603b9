import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient } from "./client.ts";
import { call, type HandlersOf, job, stream } from "./define.ts";
import { serve } from "./server.ts";
import type { Transport } from "./transport.ts";

const probe = {
  math: {
    half: call({ input: z.object({ n: z.number() }), output: z.object({ half: z.number() }), error: z.object({ kind: z.literal("odd") }) }),
    count: stream({ key: z.object({ to: z.number() }), item: z.number() }),
    slow: job({
      input: z.object({}),
      progress: z.object({ done: z.number() }),
      output: z.object({ all: z.boolean() }),
      error: z.object({ kind: z.literal("stopped") }),
    }),
  },
} as const;

function pair(): readonly [Transport, Transport] {
  const ends = [0, 1].map(() => ({ onFrame: (_frame: unknown) => {}, onClose: () => {} }));
  const make = (mine: number, other: number): Transport => ({
    send: (frame) => queueMicrotask(() => ends[other]?.onFrame(structuredClone(frame))),
    listen: (onFrame, onClose) => void (ends[mine] = { onFrame, onClose }),
    close: () => ends[other]?.onClose(),
  });
  return [make(0, 1), make(1, 0)];
}

function setup(change: Partial<HandlersOf<typeof probe>["math"]> = {}) {
  const [windowEnd, mainEnd] = pair();
  const reports: string[] = [];
  const math: HandlersOf<typeof probe>["math"] = {
    half: async ({ n }) => (n % 2 === 0 ? { ok: true, value: { half: n / 2 } } : { ok: false, error: { kind: "odd" } }),
    count: ({ to }, send) => {
      for (let n = 1; n <= to; n++) send(n);
    },
    slow: (_input, progress, signal) =>
      new Promise((resolve) => {
        progress({ done: 1 });
        signal.addEventListener("abort", () => resolve({ ok: false, error: { kind: "stopped" } }), { once: true });
      }),
    ...change,
  };
  const newAbort = () => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  };
  serve(probe, { math }, mainEnd, { newAbort, report: (problem) => reports.push(problem) });
  return { client: createClient(probe, windowEnd), windowEnd, mainEnd, reports };
}

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

describe("serving a contract", () => {
  it("answers with the output or the verb's own error", async () => {
    const { client } = setup();
    expect(await client.math.half({ n: 4 })).toEqual({ ok: true, value: { half: 2 } });
    expect(await client.math.half({ n: 3 })).toEqual({ ok: false, error: { kind: "odd" } });
  });

  it("refuses a bad payload and a thrown or unlawful answer without passing it on", async () => {
    const broken = setup({ half: () => Promise.reject(new Error("boom")) });
    const bad = await broken.client.math.half({ n: Number.NaN });
    expect(bad).toMatchObject({ ok: false, error: { kind: "wire" } });
    expect(await broken.client.math.half({ n: 2 })).toMatchObject({ ok: false, error: { kind: "wire", message: "internal error: boom" } });
    const unlawful = setup({ half: async () => ({ ok: true, value: { half: Number.NaN } }) });
    expect(await unlawful.client.math.half({ n: 2 })).toMatchObject({ ok: false, error: { kind: "wire" } });
  });

  it("streams items until the follower goes away", async () => {
    const { client } = setup();
    const seen: number[] = [];
    using _follow = client.math.count({ to: 3 }, (n) => seen.push(n));
    await later();
    expect(seen).toEqual([1, 2, 3]);
  });

  it("a cancelled job hears of it; progress arrives before", async () => {
    let heard = false;
    const { client } = setup({
      slow: (_input, progress, signal) =>
        new Promise((resolve) => {
          progress({ done: 7 });
          signal.addEventListener("abort", () => {
            heard = true;
            resolve({ ok: false, error: { kind: "stopped" } });
          });
        }),
    });
    const stop = new AbortController();
    const progress: number[] = [];
    const done = client.math.slow({}, (step) => progress.push(step.done), stop.signal);
    await later();
    stop.abort();
    await done;
    await later();
    expect([progress, heard]).toEqual([[7], true]);
  });

  it.each([
    ["no request", 42],
    ["a frame of the other direction", { t: "result", id: 1, ok: true, body: null }],
    ["an unknown domain", { t: "call", id: 1, d: "nope", v: "half", input: {} }],
    ["a verb named like a prototype member", { t: "call", id: 1, d: "__proto__", v: "constructor", input: {} }],
    ["a call to a stream", { t: "call", id: 1, d: "math", v: "count", input: { to: 1 } }],
    ["a very long verb", { t: "call", id: 1, d: "math", v: "x".repeat(10_000), input: {} }],
  ])("survives %s", async (_name, frame) => {
    const { client, windowEnd } = setup();
    windowEnd.send(frame);
    await later();
    expect(await client.math.half({ n: 2 })).toEqual({ ok: true, value: { half: 1 } });
  });

  it("closing the transport aborts what runs for it", async () => {
    let stopped = false;
    const { client, windowEnd } = setup({
      slow: (_input, _progress, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            resolve({ ok: false, error: { kind: "stopped" } });
          });
        }),
    });
    void client.math.slow({}, () => {});
    await later();
    windowEnd.close();
    await later();
    expect(stopped).toBe(true);
  });
});
