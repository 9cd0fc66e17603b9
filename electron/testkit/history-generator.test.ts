import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { text, type Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { repairHistory } from "#shared/chat/history-repair.ts";
import { anyHistory, validHistory } from "./history-generator.ts";

describe("history check and repair, on random histories (L18)", () => {
  it("finds nothing wrong with what a loop makes, and leaves it alone", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        expect(checkHistory(history, true)).toEqual([]);
        expect(repairHistory(history, true)).toBe(history);
      }),
    );
  });

  it("makes anything sendable", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(checkHistory(repairHistory(history, true), true)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(repairHistory(repairHistory(history))).toEqual(repairHistory(history));
      }),
    );
  });

  it("keeps the bytes of a valid beginning when broken messages follow (C7)", () => {
    fc.assert(
      fc.property(validHistory, anyHistory, (start, rest) => {
        const answered: readonly Message[] = [...start, { role: "assistant", blocks: [text("done")] }];
        const repaired = repairHistory([...answered, { role: "user", blocks: [text("next")] }, ...rest]);
        expect(repaired.slice(0, answered.length)).toEqual(answered);
      }),
    );
  });
});
