import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTailBuffer } from "./ring-buffer.ts";

describe("the tail buffer", () => {
  it("keeps exactly the last bytes, however the stream is cut into chunks", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 }), (capacity, chunks) => {
        const tail = createTailBuffer(capacity);
        for (const chunk of chunks) tail.push(chunk);
        const whole = Buffer.concat(chunks);
        expect({ bytes: tail.bytes(), total: tail.total }).toEqual({
          bytes: Buffer.from(whole.subarray(Math.max(0, whole.length - capacity))),
          total: whole.length,
        });
      }),
    );
  });

  it("begins anew in the same memory", () => {
    const tail = createTailBuffer(4);
    tail.push(Buffer.from("abcdef"));
    tail.clear();
    const empty = tail.bytes().length;
    tail.push(Buffer.from("xy"));
    expect([empty, tail.total, tail.bytes().toString()]).toEqual([0, 2, "xy"]);
  });

  it("hands out a copy that later writes do not change", () => {
    const tail = createTailBuffer(4);
    tail.push(Buffer.from("abcd"));
    const before = tail.bytes();
    tail.push(Buffer.from("xy"));
    expect([before.toString(), tail.bytes().toString()]).toEqual(["abcd", "cdxy"]);
  });
});
