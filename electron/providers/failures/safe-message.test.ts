import { describe, expect, it } from "vitest";
import { MESSAGE_CHARS, safeMessage } from "./safe-message.ts";

describe("a provider's words, fit to be shown", () => {
  it.each([
    ["Incorrect API key provided: sk-abcdefgh1234567. Check it.", "Incorrect API key provided: [hidden]. Check it."],
    ["key MY-KEY-1 is wrong, MY-KEY-1", "key [hidden] is wrong, [hidden]"],
    ["got header Authorization: Bearer abc.def-123456", "got header Authorization: [hidden]"],
    ["cannot reach https://joe:pa55word@proxy.example/x", "cannot reach https://[hidden]@proxy.example/x"],
    ["two\n  lines\t here", "two lines here"],
    ["half \ud83d", "half \ufffd"],
    ["<!DOCTYPE html><html><head><title> 502 Bad Gateway </title></head><body>…", "the server answered with a web page titled “502 Bad Gateway”"],
    ["<html><body>hello</body></html>", "the server answered with a web page"],
  ])("%s", (raw, wanted) => {
    expect(safeMessage(raw, ["MY-KEY-1", undefined, ""])).toBe(wanted);
  });

  it("is never long", () => {
    expect(safeMessage("x".repeat(10_000), []).length).toBe(MESSAGE_CHARS);
  });
});
