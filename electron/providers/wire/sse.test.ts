import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, createSseDecoder } from "./sse.ts";

function decode(text: string, cuts: readonly number[] = []): readonly SseEvent[] {
  const decoder = createSseDecoder();
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...[...cuts].map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  const events = edges.slice(1).flatMap((edge, k) => decoder.push(bytes.subarray(edges[k], edge)));
  return [...events, ...decoder.end()];
}

describe("the event stream decoder", () => {
  it.each<[string, string, readonly SseEvent[]]>([
    ["name and data", "event: a\ndata: 1\n\n", [{ name: "a", data: "1" }]],
    ["several data lines", "data: 1\ndata: 2\n\n", [{ name: "", data: "1\n2" }]],
    [
      "CRLF and CR ends",
      "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n",
      [
        { name: "", data: "1" },
        { name: "", data: "2" },
        { name: "", data: "3" },
      ],
    ],
    ["comments as nothing", ": ping\n\n:\n\ndata: x\n\n", [{ name: "", data: "x" }]],
    ["a name without data as nothing", "event: a\n\ndata: x\n\n", [{ name: "", data: "x" }]],
    ["no space after the colon", "data:x\n\n", [{ name: "", data: "x" }]],
    ["a last event without its blank line", "data: x", [{ name: "", data: "x" }]],
    ["a byte order mark", "\ufeffdata: x\n\n", [{ name: "", data: "x" }]],
    ["unknown fields and fields without a colon", "id: 7\nretry\ndata: x\n\n", [{ name: "", data: "x" }]],
  ])("reads %s", (_name, text, events) => {
    expect(decode(text)).toEqual(events);
  });

  it("gives the same events however the bytes are cut", () => {
    const text = 'event: ä\r\ndata: {"t":"😀"}\r\n\r\n: keep\n\ndata: 漢字\ndata: 2\n\n';
    const whole = decode(text);
    fc.assert(
      fc.property(fc.array(fc.nat(80), { maxLength: 30 }), (cuts) => {
        expect(decode(text, cuts)).toEqual(whole);
      }),
    );
  });

  it("gives up on one event that grows without end", () => {
    const decoder = createSseDecoder();
    const chunk = new Uint8Array(8 * 1024 * 1024).fill(97);
    expect(() => Array.from({ length: 5 }, () => decoder.push(chunk))).toThrow(RangeError);
  });
});
