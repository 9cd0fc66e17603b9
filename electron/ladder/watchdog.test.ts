import { describe, expect, it } from "vitest";
import { Timeouts } from "#shared/settings/settings.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createAgentTime } from "./agent-time.ts";
import type { Heard } from "./marks.ts";
import type { Fired, Waiting } from "./predicates.ts";
import { ladderOf } from "./rungs.ts";
import { createWatchdog, tickMsFor, WATCHDOG_TICK_MS } from "./watchdog.ts";

const S = 1_000;

function setup(change: Partial<Timeouts> = {}, phaseAt = 0) {
  const clock = createManualClock();
  const ladder = ladderOf(Timeouts.parse(change));
  let person = 0;
  const time = createAgentTime({ clock, tickMs: tickMsFor(ladder), personWaitMs: () => person });
  const fired: Fired[] = [];
  const waiting: Waiting[] = [];
  const dog = createWatchdog({ clock, ladder, time, phaseAt, shownAfterMs: 10 * S, onFire: (one) => fired.push(one), onWaiting: (one) => waiting.push(one) });
  return { clock, dog, time, fired, waiting, personWaited: (ms: number) => (person += ms) };
}

describe("the watchdog (L19, L21)", () => {
  it.each<[Heard | "nothing", string, number]>([
    ["nothing", "headers", 300],
    ["headers", "no_bytes", 240],
    ["bytes", "no_bytes", 240],
    ["content", "no_bytes", 240],
  ])("after %s and then silence, %s fires", async (heard, rung, seconds) => {
    const { clock, dog, fired } = setup();
    if (heard !== "nothing") dog.heard(heard);
    await clock.advance(seconds * S - 1);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([{ rung, limitMs: seconds * S, waitedMs: seconds * S }]);
    expect(clock.pending()).toBe(0);
  });

  it.each<[Heard, boolean, string, number]>([
    ["bytes", true, "no_content", 480],
    ["content", true, "no_progress", 600],
    ["progress", false, "watcher", 720],
    ["progress", true, "attempt", 1_500],
  ])("with %s every 30 s (taken outside: %s), %s fires", async (heard, taken, rung, seconds) => {
    const { clock, dog, fired } = setup();
    dog.heard("headers");
    for (let passed = 0; passed < seconds; passed += 30) {
      expect(fired).toEqual([]);
      await clock.advance(30 * S);
      if (fired.length === 0) {
        dog.heard(heard);
        if (taken) dog.taken();
      }
    }
    expect(fired.map((one) => [one.rung, one.limitMs])).toEqual([[rung, seconds * S]]);
  });

  it("fires once and stays silent when disposed", async () => {
    const { clock, dog, fired } = setup();
    dog[Symbol.dispose]();
    await clock.advance(6_000 * S);
    expect(fired).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it("tells from 10 s of silence what is waited for, and stops when it comes", async () => {
    const { clock, dog, waiting } = setup();
    await clock.advance(9 * S);
    expect(waiting).toEqual([]);
    await clock.advance(6 * S);
    expect(waiting).toEqual([
      { what: "headers", forMs: 10 * S },
      { what: "headers", forMs: 15 * S },
    ]);
    dog.heard("progress");
    await clock.advance(9 * S);
    expect(waiting.length).toBe(2);
  });

  it("does not count the time a person was waited for", async () => {
    const { clock, dog, fired, personWaited } = setup();
    dog.heard("headers");
    await clock.advance(100 * S);
    personWaited(90 * S);
    await clock.advance(229 * S);
    expect(fired).toEqual([]);
    await clock.advance(1 * S);
    expect(fired.map((one) => [one.rung, one.waitedMs])).toEqual([["no_bytes", 240 * S]]);
  });

  it("does not count the sleep of the machine", async () => {
    const { clock, dog, fired, time } = setup();
    dog.heard("headers");
    await clock.advance(100 * S);
    await clock.jump(3_600 * S);
    expect(fired).toEqual([]);
    expect(time.sleptMs()).toBe(3_600 * S - WATCHDOG_TICK_MS);
    await clock.advance(100 * S);
    expect(fired).toEqual([]);
    await clock.advance(40 * S);
    expect(fired.map((one) => one.rung)).toEqual(["no_bytes"]);
  });

  it("a busy machine is not a sleeping one", async () => {
    const { clock, dog, time } = setup();
    dog.heard("headers");
    await clock.jump(9 * S);
    expect(time.sleptMs()).toBe(0);
  });

  it("a pause of our own that lasted much longer was the machine's sleep", async () => {
    const { clock, time, dog } = setup();
    dog[Symbol.dispose]();
    const at = clock.monotonic();
    await clock.jump(1_000 * S);
    time.paused(120 * S, at);
    expect(time.now()).toBe(120 * S);
  });

  it("a short ladder is looked at more often", async () => {
    expect(tickMsFor(ladderOf(Timeouts.parse({ noBytes: 200 })))).toBe(50);
    const { clock, dog, fired } = setup({ noBytes: 200 });
    dog.heard("headers");
    await clock.advance(201);
    expect(fired.map((one) => one.rung)).toEqual(["no_bytes"]);
  });

  it("time in which the consumer was busy is no silence of the model", async () => {
    const { clock, dog, fired } = setup();
    dog.heard("progress");
    await clock.advance(100 * S);
    dog.handing();
    await clock.advance(500 * S);
    dog.taken();
    await clock.advance(139 * S);
    expect(fired).toEqual([]);
    await clock.advance(1 * S);
    expect(fired.map((one) => one.rung)).toEqual(["no_bytes"]);
  });

  it("handing over news of the silence itself does not end the silence", async () => {
    const { clock, dog, fired } = setup();
    dog.heard("headers");
    for (let passed = 0; passed < 240; passed += 10) {
      await clock.advance(10 * S);
      dog.handing();
      dog.taken();
    }
    expect(fired.map((one) => one.rung)).toEqual(["no_bytes"]);
  });
});
