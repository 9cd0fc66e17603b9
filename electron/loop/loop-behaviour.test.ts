// What tapes cannot show: moments, hangs, bugs of others, random models, and the cost of it all.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { WATCHDOG_TICK_MS } from "#electron/ladder/watchdog.ts";
import type { ModelEvent, Provider } from "#electron/providers/contract.ts";
import { openTape, plainContext, recordTurn, type TapeOptions } from "#electron/testkit/event-recorder.ts";
import { createScriptedProvider } from "#electron/testkit/scripted-provider.ts";
import { callPart, calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import type { PreparedCall } from "#electron/pipeline/contract.ts";
import type { TurnScheduler } from "#electron/scheduler/contract.ts";
import type { LoopEvent } from "./contract.ts";
import { createSessionBreaker } from "./session-breaker.ts";

const hang: ScriptedReply = { parts: [], fault: { kind: "hang", when: "before_headers" } };
const isLive = (event: LoopEvent, type: string) => event.type === "live" && event.event.type === type;

/** A provider made of one generator function. */
const provider = (stream: (signal: AbortSignal) => AsyncGenerator<ModelEvent, void, void>): Provider => ({
  id: "odd",
  describe: () => createScriptedProvider({ script: [] }).describe("m"),
  stream: (_request, signal) => stream(signal),
});

function retryNow() {
  const listeners = new Set<() => void>();
  return {
    press: () => listeners.forEach((listener) => listener()),
    onRetryNow: (listener: () => void) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    left: () => listeners.size,
  };
}

describe("providers that misbehave", () => {
  it("one that throws is told as one failure, never as a crash", async () => {
    const { end } = await recordTurn({
      script: [],
      provider: provider(async function* () {
        yield { type: "headers" };
        throw new TypeError("cannot read properties of undefined");
      }),
    });
    expect(end).toMatchObject({ why: "failed", notice: { key: "notices.failed_protocol" }, requests: 1 });
    expect(end.detail).toContain("cannot read properties");
  });

  it("one whose stream cannot even be opened", async () => {
    const broken: Provider = {
      id: "odd",
      describe: () => createScriptedProvider({ script: [] }).describe("m"),
      stream: () => {
        throw new Error("no adapter");
      },
    };
    expect((await recordTurn({ script: [], provider: broken })).end.detail).toContain("no adapter");
  });

  it("one that ends without any end mark is a cut reply, kept when nothing helps", async () => {
    const { end, events } = await recordTurn({
      script: [],
      limits: { headless: true },
      provider: provider(async function* () {
        yield { type: "headers" };
        yield { type: "text", delta: "half" };
      }),
    });
    expect(end.why).toBe("cut");
    expect(events.at(-1)).toMatchObject({ type: "reply", partial: true, reply: { blocks: [text("half")] } });
  });

  it("one that ignores its aborted signal cannot hold the turn", async () => {
    const { end, clock } = await recordTurn({
      script: [],
      provider: provider(async function* () {
        yield { type: "headers" };
        yield { type: "text", delta: "hm" };
        await new Promise(() => {});
      }),
      onEvent: (event, { clock: time, scope }) => {
        if (isLive(event, "text_delta")) time.schedule(50, () => scope.abort({ by: "person" }));
      },
    });
    expect(end.why).toBe("aborted");
    expect(clock.monotonic()).toBeLessThanOrEqual(1_000);
  });

  it("one that drips blank deltas for ever is not progress", async () => {
    let requests = 0;
    const { trace, end } = await recordTurn({
      script: [],
      deps: ({ clock }) => ({
        provider: provider(async function* (signal) {
          requests += 1;
          yield { type: "headers" };
          if (requests === 2) return yield* finished();
          while (!signal.aborted) {
            await clock.sleep(30_000, signal);
            yield { type: "text", delta: " " };
          }
        }),
      }),
    });
    expect(trace.find((event) => event.name === "watchdog_fired")).toMatchObject({ rung: "no_progress", limitMs: 600_000, waitedMs: 600_000 });
    expect(end.why).toBe("answered");
  });
});

async function* finished(): AsyncGenerator<ModelEvent, void, void> {
  yield { type: "text", delta: "done" };
  yield { type: "stopped", reason: { kind: "end_turn" } };
}

describe("time and the person", () => {
  it("'try again now' ends a back-off at once", async () => {
    const now = retryNow();
    const { end, clock } = await recordTurn({
      script: [fails(529), says("Up.")],
      deps: () => ({ onRetryNow: now.onRetryNow }),
      onEvent: (event, { clock: time }) => {
        if (isLive(event, "retrying")) time.schedule(100, now.press);
      },
    });
    expect([end.why, clock.monotonic() < 2_000, now.left()]).toEqual(["answered", true, 0]);
  });

  it("'try again now' ends a long silence, but not a short one", async () => {
    const now = retryNow();
    const { lines } = await recordTurn({
      script: [hang, says("Up.")],
      deps: () => ({ onRetryNow: now.onRetryNow }),
      onEvent: (event, { clock }) => {
        if (!isLive(event, "step_started") || clock.monotonic() > 0) return;
        clock.schedule(30_000, now.press);
        clock.schedule(65_000, now.press);
      },
    });
    expect(lines.filter((line) => line.includes("retrying")).join()).toContain('"inMs":0');
    expect(lines.find((line) => line.includes("timeout_retry"))).toMatch(/^\[65 s\]/);
  });

  const HOURS_MS = 8 * 3_600_000;
  const patienceSeconds = 10_000_000;

  it("the machine's sleep in the middle of an attempt fires no rung and costs no retry (L21)", async () => {
    const { trace, end, requests } = await recordTurn({
      script: [{ parts: [{ type: "text", text: "abcd", chunk: 1 }], pace: { everyMs: 20_000 } }],
      patienceSeconds,
      onEvent: async (event, { clock }) => {
        if (isLive(event, "text_delta") && clock.monotonic() < HOURS_MS) void clock.jump(HOURS_MS);
      },
    });
    expect([end.why, requests.length, trace.filter((event) => event.name === "watchdog_fired")]).toEqual(["answered", 1, []]);
  });

  it("silence before and after a sleep adds up: what really hangs is noticed as late as without it, by the same rung", async () => {
    const firedAfter = async (sleeps: boolean) => {
      let slept = 0;
      const { trace, clock } = await recordTurn({
        script: [hang, says("Back.")],
        patienceSeconds,
        onEvent: (event, { clock: time }) => {
          if (!sleeps || !isLive(event, "step_started") || slept > 0) return;
          slept = HOURS_MS;
          time.schedule(100_000, () => void time.jump(HOURS_MS));
        },
      });
      const fired = trace.find((event) => event.name === "watchdog_fired");
      return { rung: fired?.rung, waited: fired?.waitedMs ?? 0, agent: clock.monotonic() - slept };
    };
    const [awake, asleep] = [await firedAfter(false), await firedAfter(true)];
    expect([asleep.rung, asleep.waited]).toEqual([awake.rung, awake.waited]);
    // Noticed at a tick: what was left of the tick in which the machine fell asleep is all that may be lost.
    expect(Math.abs(asleep.agent - awake.agent)).toBeLessThanOrEqual(WATCHDOG_TICK_MS + 1_000);
  });

  it("a sleep in a back-off neither uses up the step's time nor the tries that are left", async () => {
    const failing = (sleeps: boolean) => {
      let naps = 0;
      return recordTurn({
        script: (_, n) => (n < 9 ? fails(529) : says("Up.")),
        patienceSeconds,
        onEvent: (event, { clock }) => {
          if (!sleeps || !isLive(event, "retrying")) return;
          naps += 1;
          clock.schedule(1_000, () => void clock.jump(naps * HOURS_MS));
        },
      });
    };
    const [awake, asleep] = [await failing(false), await failing(true)];
    expect([asleep.end, asleep.requests.length]).toEqual([awake.end, awake.requests.length]);
    expect(asleep.trace.filter((event) => event.name === "watchdog_fired")).toEqual([]);
  });

  it("a person who is waited for does not let a rung fire", async () => {
    let waited = 0;
    const { trace } = await recordTurn({
      script: [
        {
          parts: [
            { type: "wait", ms: 400_000 },
            { type: "text", text: "There." },
          ],
        },
      ],
      deps: ({ clock }) => ({ personWaitMs: () => Math.min(clock.monotonic(), 300_000), clock: { ...clock, now: () => (waited += 1) } }),
    });
    expect(trace.filter((event) => event.name === "watchdog_fired")).toEqual([]);
    expect(trace.find((event) => event.name === "turn_complete")).toMatchObject({ waitedForPerson: true });
  });

  it("first content is measured anew with each attempt, and values are measured, not settings (O1)", async () => {
    const { trace } = await recordTurn({
      script: [
        {
          parts: [
            { type: "wait", ms: 2_000 },
            { type: "text", text: "ab", chunk: 1 },
          ],
          fault: { kind: "reset", when: "mid_stream" },
        },
        {
          parts: [
            { type: "wait", ms: 3_000 },
            { type: "text", text: "ok" },
          ],
        },
      ],
    });
    expect(trace.filter((event) => event.name === "first_content")).toEqual([
      { name: "first_content", step: 1, attempt: 1, ms: 2_000 },
      { name: "first_content", step: 1, attempt: 2, ms: 3_000 },
    ]);
    expect(trace.filter((event) => event.name === "request_done").map((event) => [event.ok, event.ms])).toEqual([
      [false, 2_000],
      [true, 3_000],
    ]);
  });

  it("three turns of failed recovery shorten the fourth, and a success heals it (L8)", async () => {
    const breaker = createSessionBreaker();
    const down = (n: number): TapeOptions => ({ script: () => fails(529), limits: { headless: true }, prompt: `${n}`, deps: () => ({ breaker }) });
    const requests = [];
    for (const n of [1, 2, 3, 4]) requests.push((await recordTurn(down(n))).end);
    expect(requests.map((end) => end.requests)).toEqual([5, 5, 5, 2]);
    expect(requests[3]?.facts).toEqual([{ key: "notices.recovery_paused" }]);
    await recordTurn({ script: [says("Up.")], deps: () => ({ breaker }) });
    expect((await recordTurn(down(5))).end.requests).toBe(5);
  });
});

describe("streaming execution (T7)", () => {
  const slowReads: TapeOptions["tools"] = {
    read: async (_input, cx, clock) => {
      await clock.sleep(1_000, cx.scope.signal);
      return { ok: true, forModel: [text("content")] };
    },
  };

  /** As if nothing started before the end of the reply: what early start is compared with. */
  const late = (inner: TurnScheduler): TurnScheduler => {
    const held: PreparedCall[] = [];
    const release = () => held.splice(0).forEach((call) => inner.add(call));
    return {
      get started() {
        return inner.started;
      },
      add: (call) => void held.push(call),
      close() {
        release();
        inner.close();
      },
      abort(cause) {
        release();
        inner.abort(cause);
      },
      discard: () => inner.discard(),
      results: () => inner.results(),
    };
  };

  it("reads run while the reply still streams: 4 s of reply and three reads of 1 s take 4 s, and without early start 5 s", async () => {
    const parts = ["a", "b", "c"].flatMap((file) => [callPart("read", { file_path: file }), { type: "wait", ms: 1_000 } as const]);
    const given = (): TapeOptions => ({
      script: [{ parts: [...parts, { type: "wait", ms: 1_000 }, { type: "text", text: "read all" }] }, says("Done.")],
      ...(slowReads === undefined ? {} : { tools: slowReads }),
    });
    const secondRequestAt = async (options: TapeOptions) => {
      const at: number[] = [];
      await recordTurn({
        ...options,
        onEvent: (event, { clock }) => {
          if (isLive(event, "step_started")) at.push(clock.monotonic());
        },
      });
      return at[1];
    };
    const [early, without] = [await secondRequestAt(given()), await secondRequestAt({ ...given(), scheduler: late })];
    expect([early, without]).toEqual([4_000, 5_000]);
    expect((early ?? 0) / (without ?? 1)).toBeLessThanOrEqual(0.8);
  });

  it("what may write waits for the end of the reply, and comes in order", async () => {
    const { ran } = await recordTurn({
      script: [
        {
          parts: [
            callPart("read", { file_path: "a" }),
            callPart("write", { file_path: "a", content: "x" }),
            { type: "wait", ms: 5_000 },
            callPart("read", { file_path: "a" }),
          ],
        },
        says("Done."),
      ],
      onEvent: (event) => {
        if (event.type === "reply" && event.step === 1) expect(event.partial).toBe(false);
      },
    });
    expect(ran).toEqual(['read {"file_path":"a"}', 'write {"content":"x","file_path":"a"}', 'read {"file_path":"a"}']);
  });

  it("a stream that breaks after a read began is never asked again for the same step", async () => {
    const { ran, requests } = await recordTurn({
      script: [{ parts: [callPart("read", { file_path: "a" }), { type: "wait", ms: 10 }], fault: { kind: "reset", when: "before_end" } }, says("Done.")],
      tools: slowReads,
    });
    expect([ran.length, requests.length]).toEqual([1, 2]);
    expect(requests[1]?.messages.at(-1)?.blocks[0]).toMatchObject({ type: "tool_result", isError: false });
  });
});

describe("the consumer", () => {
  it("may let go in the middle: the stream is closed and the end is measured", async () => {
    const { turn, live, trace } = openTape({ script: [{ parts: [{ type: "text", text: "abcdefgh", chunk: 1 }] }] });
    for await (const event of turn) if (isLive(event, "text_delta")) break;
    expect(trace.filter((event) => event.name === "turn_complete")).toMatchObject([{ why: "aborted", abortedBy: "shutdown" }]);
    await live.clock.advance(0);
    expect([live.provider.openStreams(), live.clock.pending(), live.scope.signal.aborted]).toEqual([0, 0, true]);
  });

  it("sees a bug of ours as a failed turn with its words", async () => {
    const { end } = await recordTurn({
      script: [says("x")],
      deps: () => ({
        context: plainContext([], {
          fit: async () => {
            throw new Error("oops");
          },
        }),
      }),
    });
    expect(end).toMatchObject({ why: "failed", notice: { key: "notices.internal_error" }, detail: "oops" });
  });

  it("is warned once that the context cannot be made smaller", async () => {
    const { events, end } = await recordTurn({
      script: (_, n) => (n < 3 ? calls("read", { file_path: `${n}` }) : says("Done.")),
      deps: () => ({
        context: plainContext([], { fit: async () => ({ kind: "failed", why: "fixed_part_too_big", biggest: [{ name: "tools", tokens: 29_000 }] }) }),
      }),
    });
    expect(events.filter((event) => event.type === "warning").map((event) => event.notice)).toEqual([
      { key: "notices.compaction_off", params: { biggest: "tools (29000)" } },
    ]);
    expect(end.why).toBe("answered");
  });

  it("sees a long summary as waiting", async () => {
    const { lines } = await recordTurn({
      script: [says("Done.")],
      deps: ({ clock }) => ({
        context: plainContext([], { fit: async (history) => (await clock.sleep(25_000), { kind: "compacted", history, before: 9, after: 5, layers: [5] }) }),
      }),
    });
    expect(lines[0]).toContain('waiting {"canRetryNow":false,"forMs":10000,"what":"compaction"}');
  });
});

const part = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }).map((words) => ({ type: "text", text: words, chunk: 3 }) as const),
  fc.constantFrom(
    callPart("read", { file_path: "a" }),
    callPart("write", { file_path: "a", content: "b" }),
    callPart("read", {}),
    callPart("nope", { a: 1 }),
    callPart("bash", { command: "x" }, ""),
    callPart("read", { file_path: "b" }, "same"),
  ),
  fc.constant({ type: "tool", name: "write", raw: '{"file_path":"a","cont' } as const),
  fc.constant({ type: "thinking", text: "hm", signature: "s" } as const),
  fc.constant({ type: "wait", ms: 50 } as const),
);
const stop = fc.constantFrom<ScriptedReply["stop"][]>(
  undefined,
  undefined,
  undefined,
  "end_turn",
  "tool_use",
  "max_tokens",
  "refusal",
  "context_window",
  "pause",
  null,
  { raw: "odd" },
);
const fault = fc.option(
  fc.constantFrom<NonNullable<ScriptedReply["fault"]>[]>(
    { kind: "reset", when: "mid_stream" },
    { kind: "eof", when: "before_end" },
    { kind: "reset", when: "before_headers" },
    { kind: "empty_body" },
    { kind: "status", status: 529 },
    { kind: "error_event", when: "mid_stream" },
    { kind: "hang", when: "mid_stream" },
    { kind: "status", status: 401 },
    { kind: "failure", failure: { kind: "context_window", retryable: false, message: "too long" } },
  ),
  { nil: undefined, freq: 3 },
);
const randomReply: fc.Arbitrary<ScriptedReply> = fc
  .record({ parts: fc.array(part, { maxLength: 4 }), stop, fault })
  .map(({ parts, stop: reason, fault: broken }) => ({
    parts,
    ...(reason === undefined ? {} : { stop: reason }),
    ...(broken === undefined ? {} : { fault: broken }),
  }));

describe("any model (L18, L24, L25)", () => {
  it("whatever it sends, every request is valid, the turn ends with one end, and the next hello works", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomReply, { minLength: 1, maxLength: 8 }),
        fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
        async (replies, abortAt) => {
          let seen = 0;
          const tape = await recordTurn({
            script: (_, n) => replies[n] ?? says("The end."),
            limits: { headless: true, maxSteps: 12 },
            onEvent: (_event, { scope }) => {
              seen += 1;
              if (seen === abortAt) scope.abort({ by: "person" });
            },
          });
          expect(tape.trace.filter((event) => event.name === "turn_complete").length).toBe(1);
          expect(checkHistory(tape.history, false)).toEqual([]);
          if (tape.end.why === "answered") expect(tape.events.findLast((event) => event.type === "reply")).toMatchObject({ partial: false });
          else expect(tape.end.notice).toBeDefined();
          const next = await recordTurn({ script: [says("Hi.")], prompt: "hello", history: tape.history });
          expect(next.end.why).toBe("answered");
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);
});

describe("cost", () => {
  it("a reply of 2 MB in 20 000 deltas costs work per delta, not per byte so far", async () => {
    const time = async (deltas: number) => {
      const begun = performance.now();
      const { end, events } = await recordTurn({ script: [{ parts: [{ type: "text", text: "x".repeat(deltas * 100), chunk: 100 }] }] });
      expect([end.why, events.filter((event) => isLive(event, "text_delta")).length]).toEqual(["answered", deltas]);
      return performance.now() - begun;
    };
    await time(500);
    const [small, large] = [await time(2_000), await time(20_000)];
    expect(large / Math.max(small, 1)).toBeLessThan(40);
  }, 60_000);

  it("the work per step stays flat over 600 steps", async () => {
    const stamps: number[] = [];
    let n = 0;
    // A provider that itself does nothing with the history, so that only the loop's own work is measured.
    const light = provider(async function* () {
      n += 1;
      yield { type: "headers" };
      if (n > 600) return yield* finished();
      yield { type: "tool_call", index: 0, id: `c${n}`, name: "read", input: { file_path: `f${n}` } };
      yield { type: "stopped", reason: { kind: "tool_use" } };
    });
    const { turn } = openTape({ script: [], provider: light, deps: () => ({ context: plainContext([], { measure: () => 0 }) }) });
    for await (const event of turn) if (isLive(event, "step_started")) stamps.push(performance.now());
    expect(stamps.length).toBe(601);
    const gaps = stamps.slice(1).map((at, k) => at - (stamps[k] ?? at));
    const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    expect(median(gaps.slice(450)) / Math.max(0.5, median(gaps.slice(20, 170)))).toBeLessThan(4);
  }, 60_000);
});
