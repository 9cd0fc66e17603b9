import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

describe("how long a server asks to wait", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "3" }, 3_000],
    ["fractions of a second", { "retry-after": "0.25" }, 250],
    ["absurdly long, as it is", { "retry-after": "999999" }, 999_999_000],
    ["a date", { "retry-after": "Sun, 01 Mar 2026 12:01:30 GMT" }, 90_000],
    ["a date that has passed", { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    ["ms before seconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    ["zero", { "retry-after": "0" }, 0],
    ["nothing", {}, undefined],
    ["words", { "retry-after": "soon" }, undefined],
    ["a negative number", { "retry-after": "-5" }, undefined],
    ["an empty value", { "retry-after": "" }, undefined],
  ])("%s", (_name, headers, wanted) => {
    expect(retryAfterMs(new Headers(headers), NOW)).toBe(wanted);
  });
});
