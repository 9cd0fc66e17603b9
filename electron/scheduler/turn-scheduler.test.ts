import { describe, expect, it } from "vitest";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope } from "#electron/lib/scope.ts";
import type { CallInFlight, RunCall } from "#electron/pipeline/contract.ts";
import { abortedOutcome, failed } from "#electron/pipeline/settle.ts";
import { contextFor, fakeCall, fakeTool, okOutcome, safeCall } from "#electron/testkit/calls.ts";
import { createTurnScheduler } from "./turn-scheduler.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

function setup(run?: RunCall) {
  const log: string[] = [];
  const release = new Map<string, () => void>();
  const scope = createScope("turn");
  const clock = createSystemClock();
  const slow: RunCall = async (call, cx) => {
    if (cx.scope.signal.aborted) return abortedOutcome(call, cx.scope.cause, false);
    log.push(`start ${call.id}`);
    await new Promise<void>((resolve) => {
      release.set(call.id, resolve);
      cx.scope.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    log.push(`end ${call.id}`);
    return cx.scope.signal.aborted ? abortedOutcome(call, cx.scope.cause, true) : okOutcome(call);
  };
  const scheduler = createTurnScheduler({ scope, run: run ?? slow, contextFor: (call, own) => contextFor(call, own, clock), trace: { emit: () => {} } });
  return { scheduler, log, scope, finish: (id: string) => release.get(id)?.() };
}

const idsOf = async (scheduler: ReturnType<typeof setup>["scheduler"]) => {
  const seen: string[] = [];
  for await (const outcome of scheduler.results()) seen.push(`${outcome.callId}:${outcome.status === "ok" ? "ok" : outcome.failure.kind}`);
  return seen;
};

describe("turn scheduler", () => {
  it("reads around an edit stay around it, and results come in call order", async () => {
    const { scheduler, log, finish } = setup();
    for (const call of [safeCall("read1"), fakeCall("edit"), safeCall("read2")]) scheduler.add(call);
    scheduler.close();
    await tick();
    expect(log).toEqual(["start read1"]);
    finish("read1");
    await tick();
    expect(log).toEqual(["start read1", "end read1", "start edit"]);
    finish("edit");
    await tick();
    finish("read2");
    expect(await idsOf(scheduler)).toEqual(["read1:ok", "edit:ok", "read2:ok"]);
  });

  it("starts safe calls while the reply streams, writers only after its end", async () => {
    const { scheduler, log, finish } = setup();
    scheduler.add(safeCall("a"));
    scheduler.add(safeCall("b"));
    scheduler.add(fakeCall("w"));
    await tick();
    expect(log).toEqual(["start a", "start b"]);
    expect(scheduler.started).toBe(true);
    finish("b");
    finish("a");
    await tick();
    expect(log).toEqual(["start a", "start b", "end b", "end a"]);
    scheduler.close();
    await tick();
    expect(log.at(-1)).toBe("start w");
    finish("w");
    expect(await idsOf(scheduler)).toEqual(["a:ok", "b:ok", "w:ok"]);
  });

  it("abort answers every call: running ones are stopped, waiting ones never run", async () => {
    const { scheduler, log } = setup();
    scheduler.add(fakeCall("one"));
    scheduler.add(fakeCall("two"));
    scheduler.close();
    await tick();
    scheduler.abort({ by: "person" });
    expect(await idsOf(scheduler)).toEqual(["one:aborted", "two:aborted"]);
    expect(log).toEqual(["start one", "end one"]);
  });

  it("a failed shell call skips later shell calls of the reply and nothing else", async () => {
    const shell = fakeTool({ siblingGroup: "shell" });
    const ran: string[] = [];
    const run: RunCall = async (call, cx) => {
      if (cx.scope.signal.aborted) return abortedOutcome(call, cx.scope.cause, false);
      ran.push(call.id);
      return call.id === "bad" ? failed(call, { kind: "tool_error", retryable: false, message: "exit 1" }) : okOutcome(call);
    };
    const { scheduler } = setup(run);
    const calls: CallInFlight[] = [fakeCall("bad", { tool: shell }), fakeCall("other"), fakeCall("later", { tool: shell })];
    for (const call of calls) scheduler.add(call);
    scheduler.close();
    expect(await idsOf(scheduler)).toEqual(["bad:tool_error", "other:ok", "later:aborted"]);
    expect(ran).toEqual(["bad", "other"]);
  });

  it("discard drops what never started, and refuses once a call runs", async () => {
    const { scheduler, log, scope } = setup();
    scheduler.add(fakeCall("w"));
    scheduler.discard();
    await tick();
    expect(log).toEqual([]);
    expect(await idsOf(scheduler)).toEqual([]);
    expect(scope.openChildren()).toEqual([]);
    const busy = setup();
    busy.scheduler.add(safeCall("r"));
    expect(() => busy.scheduler.discard()).toThrow(/started/);
    busy.scheduler.abort({ by: "person" });
  });

  it("leaves no open scope behind", async () => {
    const { scheduler, finish, scope } = setup();
    scheduler.add(safeCall("a"));
    scheduler.close();
    await tick();
    finish("a");
    await idsOf(scheduler);
    expect(scope.openChildren()).toEqual([]);
  });
});
