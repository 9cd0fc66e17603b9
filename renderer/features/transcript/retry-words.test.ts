import { describe, expect, it } from "vitest";
import { retryWhy } from "./retry-words.ts";

describe("why a request is tried again, in words", () => {
  it.each([
    ["overloaded", 529, "overloaded"],
    ["anything", 503, "overloaded"],
    ["rate_limit", 429, "rate_limit"],
    ["server", 500, "server"],
    ["server", undefined, "server"],
    ["ECONNRESET", undefined, "connection"],
    ["UND_ERR_SOCKET", undefined, "connection"],
    ["net::ERR_INTERNET_DISCONNECTED", undefined, "connection"],
    ["network", undefined, "connection"],
    ["eof", undefined, "cut"],
    ["no_content", undefined, "time"],
    ["no_call", undefined, "fault"],
  ])("%s %s → %s", (why, status, expected) => {
    expect(retryWhy({ why, ...(status === undefined ? {} : { status }) })).toBe(expected);
  });
});
