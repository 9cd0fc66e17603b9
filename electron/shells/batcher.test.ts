import { describe, expect, it } from "vitest";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createBatcher } from "./batcher.ts";

const setUp = () => {
  const clock = createManualClock();
  const sent: string[] = [];
  return { clock, sent, batcher: createBatcher(clock, (text) => void sent.push(text)) };
};

describe("the batcher", () => {
  it("sends one text per frame and nothing when nothing came", async () => {
    const { clock, sent, batcher } = setUp();
    for (const part of ["a", "b", "c"]) batcher.push(Buffer.from(part));
    expect(sent).toEqual([]);
    await clock.advance(16);
    batcher.push(Buffer.from("d"));
    await clock.advance(1_000);
    expect(sent).toEqual(["abc", "d"]);
    expect(clock.pending()).toBe(0);
  });

  it("joins characters that were cut between frames", async () => {
    const { clock, sent, batcher } = setUp();
    const bytes = Buffer.from("é");
    batcher.push(bytes.subarray(0, 1));
    await clock.advance(16);
    batcher.push(bytes.subarray(1));
    batcher.flush();
    expect(sent).toEqual(["é"]);
  });

  it("keeps the end of a flood", () => {
    const { sent, batcher } = setUp();
    for (let k = 0; k < 100; k += 1) batcher.push(Buffer.alloc(4_096, 97 + (k % 26)));
    batcher.push(Buffer.from("END"));
    batcher.flush();
    expect(sent.map((text) => [text.length, text.endsWith("END")])).toEqual([[65_536, true]]);
  });

  it("leaves no timer when it is stopped", () => {
    const { clock, sent, batcher } = setUp();
    batcher.push(Buffer.from("x"));
    batcher.stop();
    expect([clock.pending(), sent]).toEqual([0, []]);
  });
});
