import { describe, expect, it } from "vitest";
import { createManualClock } from "./manual-clock.ts";

describe("the manual clock", () => {
  it("fires what falls due in order of time and shows that time while firing", async () => {
    const clock = createManualClock();
    const seen: [string, number][] = [];
    clock.schedule(20, () => seen.push(["b", clock.monotonic()]));
    clock.schedule(10, () => seen.push(["a", clock.monotonic()]));
    clock.schedule(50, () => seen.push(["late", clock.monotonic()]));
    await clock.advance(30);
    expect(seen).toEqual([
      ["a", 10],
      ["b", 20],
    ]);
    expect(clock.monotonic()).toBe(30);
    expect(clock.pending()).toBe(1);
  });

  it("lets a chain of sleeps run on within one advance", async () => {
    const clock = createManualClock();
    const at: number[] = [];
    const running = (async () => {
      for (let k = 0; k < 3; k += 1) {
        await clock.sleep(10);
        at.push(clock.monotonic());
      }
    })();
    await clock.advance(100);
    await running;
    expect(at).toEqual([10, 20, 30]);
    expect(clock.pending()).toBe(0);
  });

  it("ends a sleep at once on abort and forgets its timer", async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    const sleeping = clock.sleep(1_000, controller.signal);
    controller.abort();
    await sleeping;
    expect(clock.monotonic()).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  it("does not fire what was disposed", async () => {
    const clock = createManualClock();
    let fired = false;
    clock.schedule(5, () => (fired = true))[Symbol.dispose]();
    await clock.advance(10);
    expect(fired).toBe(false);
  });

  it("jumps like a system that slept: overdue timers fire late, at the new time", async () => {
    const clock = createManualClock();
    const at: number[] = [];
    clock.schedule(10, () => at.push(clock.monotonic()));
    clock.schedule(20, () => at.push(clock.monotonic()));
    const before = clock.now();
    await clock.jump(3_600_000);
    expect(at).toEqual([3_600_000, 3_600_000]);
    expect(clock.now() - before).toBe(3_600_000);
  });
});
