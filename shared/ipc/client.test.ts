import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient } from "./client.ts";
import { call, job, stream } from "./define.ts";
import type { Transport } from "./transport.ts";

const contract = {
  maths: {
    add: call({ input: z.object({ a: z.number(), b: z.number() }), output: z.number(), error: z.object({ kind: z.literal("too_big"), limit: z.number() }) }),
    slow: job({ input: z.object({}), progress: z.object({ done: z.number() }), output: z.string(), error: z.object({ kind: z.literal("failed") }) }),
    ticks: stream({ key: z.object({ from: z.number() }), item: z.number() }),
  },
} as const;

function setUp() {
  const sent: unknown[] = [];
  let deliver: (frame: unknown) => void = () => undefined;
  let close: () => void = () => undefined;
  const transport: Transport = {
    send: (frame) => void sent.push(frame),
    listen: (onFrame, onClose) => {
      deliver = onFrame;
      close = onClose;
    },
    close: () => close(),
  };
  return { sent, client: createClient(contract, transport), deliver: (frame: unknown) => deliver(frame), close: () => close() };
}

describe("calls", () => {
  it("sends the input and answers with the parsed output", async () => {
    const { sent, client, deliver } = setUp();
    const answer = client.maths.add({ a: 1, b: 2 });
    expect(sent).toEqual([{ t: "call", id: 1, d: "maths", v: "add", input: { a: 1, b: 2 } }]);
    deliver({ t: "result", id: 1, ok: true, body: 3 });
    expect(await answer).toEqual({ ok: true, value: 3 });
  });

  it.each([
    ["the verb's own error", { ok: false, body: { kind: "too_big", limit: 9 } }, { kind: "too_big", limit: 9 }],
    ["a wire error of the other side", { ok: false, body: { kind: "wire", message: "boom" } }, { kind: "wire", message: "boom" }],
  ])("gives %s as a value", async (_name, result, error) => {
    const { client, deliver } = setUp();
    const answer = client.maths.add({ a: 1, b: 2 });
    deliver({ t: "result", id: 1, ...result });
    expect(await answer).toEqual({ ok: false, error });
  });

  it.each([
    ["an output of the wrong shape", { ok: true, body: "three" }],
    ["an error of an unknown kind", { ok: false, body: { kind: "sorcery" } }],
  ])("refuses %s", async (_name, result) => {
    const { client, deliver } = setUp();
    const answer = client.maths.add({ a: 1, b: 2 });
    deliver({ t: "result", id: 1, ...result });
    expect(await answer).toMatchObject({ ok: false, error: { kind: "wire" } });
  });

  it("matches answers that come in another order, and ignores frames that are none", async () => {
    const { client, deliver } = setUp();
    const first = client.maths.add({ a: 1, b: 1 });
    const second = client.maths.add({ a: 2, b: 2 });
    for (const frame of [null, "x", { t: "result" }, { t: "result", id: 99, ok: true, body: 1 }, { t: "item", id: 1, body: 5 }]) deliver(frame);
    deliver({ t: "result", id: 2, ok: true, body: 4 });
    deliver({ t: "result", id: 1, ok: true, body: 2 });
    expect([await first, await second]).toEqual([
      { ok: true, value: 2 },
      { ok: true, value: 4 },
    ]);
  });

  it("tells the other side when the caller cancels, and settles at once", async () => {
    const { sent, client, deliver } = setUp();
    const abort = new AbortController();
    const answer = client.maths.add({ a: 1, b: 2 }, abort.signal);
    abort.abort();
    expect(await answer).toEqual({ ok: false, error: { kind: "wire", message: "cancelled" } });
    expect(sent.at(-1)).toEqual({ t: "cancel", id: 1 });
    deliver({ t: "result", id: 1, ok: true, body: 3 });
    abort.abort();
    expect(sent).toHaveLength(2);
  });

  it("sends nothing for a signal that has already fired", async () => {
    const { sent, client } = setUp();
    expect(await client.maths.add({ a: 1, b: 2 }, AbortSignal.abort())).toMatchObject({ ok: false, error: { kind: "wire" } });
    expect(sent).toEqual([]);
  });

  it("settles everything that waits when the connection goes away, and all later calls", async () => {
    const { client, close } = setUp();
    let gone = 0;
    const answer = client.maths.add({ a: 1, b: 2 });
    client.maths.ticks(
      { from: 0 },
      () => undefined,
      () => (gone += 1),
    );
    close();
    expect(await answer).toEqual({ ok: false, error: { kind: "wire", message: "the connection is closed" } });
    expect(await client.maths.add({ a: 1, b: 2 })).toMatchObject({ ok: false, error: { kind: "wire" } });
    client.maths.ticks(
      { from: 0 },
      () => undefined,
      () => (gone += 1),
    );
    await Promise.resolve();
    expect(gone).toBe(2);
  });
});

describe("jobs", () => {
  it("reports progress, drops progress of the wrong shape, then answers", async () => {
    const { client, deliver } = setUp();
    const seen: number[] = [];
    const answer = client.maths.slow({}, ({ done }) => void seen.push(done));
    deliver({ t: "progress", id: 1, body: { done: 1 } });
    deliver({ t: "progress", id: 1, body: { done: "two" } });
    deliver({ t: "progress", id: 1, body: { done: 3 } });
    deliver({ t: "result", id: 1, ok: true, body: "ready" });
    deliver({ t: "progress", id: 1, body: { done: 4 } });
    expect(await answer).toEqual({ ok: true, value: "ready" });
    expect(seen).toEqual([1, 3]);
  });
});

describe("streams", () => {
  it("delivers items until it is disposed, then closes on the wire once", () => {
    const { sent, client, deliver } = setUp();
    const items: number[] = [];
    const handle = client.maths.ticks({ from: 7 }, (item) => void items.push(item));
    expect(sent).toEqual([{ t: "open", id: 1, d: "maths", v: "ticks", key: { from: 7 } }]);
    deliver({ t: "item", id: 1, body: 7 });
    handle[Symbol.dispose]();
    handle[Symbol.dispose]();
    deliver({ t: "item", id: 1, body: 8 });
    expect(items).toEqual([7]);
    expect(sent.slice(1)).toEqual([{ t: "close", id: 1 }]);
  });

  it("says once that the other side ended it", () => {
    const { client, deliver } = setUp();
    let gone = 0;
    client.maths.ticks(
      { from: 0 },
      () => undefined,
      () => (gone += 1),
    );
    deliver({ t: "gone", id: 1 });
    deliver({ t: "gone", id: 1 });
    expect(gone).toBe(1);
  });

  it("ends at an item that does not parse, so that no hole goes unseen", () => {
    const { sent, client, deliver } = setUp();
    const items: number[] = [];
    let gone = 0;
    client.maths.ticks(
      { from: 0 },
      (item) => void items.push(item),
      () => (gone += 1),
    );
    for (const body of [1, "two", 3]) deliver({ t: "item", id: 1, body });
    expect({ items, gone, last: sent.at(-1) }).toEqual({ items: [1], gone: 1, last: { t: "close", id: 1 } });
  });
});
