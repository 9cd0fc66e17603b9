import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCapture } from "./capture.ts";

describe("a capture", () => {
  it("holds the beginning, the end and the count of what is between, however the stream was cut", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }),
        (headBytes, tailBytes, chunks) => {
          const capture = createCapture(headBytes, tailBytes);
          for (const chunk of chunks) capture.push(chunk);
          const whole = Buffer.concat(chunks);
          const head = whole.subarray(0, headBytes);
          const tail = whole.subarray(Math.max(head.length, whole.length - tailBytes));
          expect(capture.read()).toEqual({
            head: Buffer.from(head),
            tail: Buffer.from(tail),
            skipped: whole.length - head.length - tail.length,
            total: whole.length,
          });
        },
      ),
    );
  });
});
