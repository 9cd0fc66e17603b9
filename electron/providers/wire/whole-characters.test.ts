import { describe, expect, it } from "vitest";
import type { ModelEvent } from "#electron/providers/contract.ts";
import { createCharacterJoiner } from "./whole-characters.ts";

function joined(...events: readonly ModelEvent[]): readonly ModelEvent[] {
  const joiner = createCharacterJoiner();
  return events.flatMap(joiner.push);
}

const text = (delta: string): ModelEvent => ({ type: "text", delta });
const end: ModelEvent = { type: "stopped", reason: { kind: "end_turn" } };

describe("joining halves of characters (A15)", () => {
  it("makes two halves of one emoji whole", () => {
    expect(joined(text("a\ud83d"), text("\ude00b"), end)).toEqual([text("a"), text("😀b"), end]);
  });

  it("lets byte events pass in between", () => {
    expect(joined(text("\ud83d"), { type: "bytes" }, text("\ude00"), end)).toEqual([{ type: "bytes" }, text("😀"), end]);
  });

  it("replaces a half that never gets its other half", () => {
    expect(joined(text("a\ud83d"), end)).toEqual([text("a"), text("\ufffd"), end]);
    expect(joined(text("\ude00"), end)).toEqual([text("\ufffd"), end]);
  });

  it("does not join across kinds or across calls", () => {
    const input = (index: number, delta: string): ModelEvent => ({ type: "tool_input", index, name: "t", delta });
    expect(joined(input(0, "\ud83d"), input(1, "\ude00"), end)).toEqual([input(0, "\ufffd"), input(1, "\ufffd"), end]);
    expect(joined(text("\ud83d"), { type: "thinking", delta: "\ude00" }, end)).toEqual([text("\ufffd"), { type: "thinking", delta: "\ufffd" }, end]);
  });
});
