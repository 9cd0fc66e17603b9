import { describe, expect, it } from "vitest";
import { type CallInput, checkCallInput, parseCallInput } from "./call-input.ts";

describe("arguments of a call", () => {
  it.each<[string, CallInput]>([
    ["", { input: {} }],
    ["  \n", { input: {} }],
    ['{"a":1}', { input: { a: 1 } }],
    ['{"a":1', { input: {}, invalid: { raw: '{"a":1', why: "not_json" } }],
    ['{"a":1}{"b":2}', { input: {}, invalid: { raw: '{"a":1}{"b":2}', why: "not_json" } }],
    ["[1]", { input: {}, invalid: { raw: "[1]", why: "not_object" } }],
    ["null", { input: {}, invalid: { raw: "null", why: "not_object" } }],
    ['"x"', { input: {}, invalid: { raw: '"x"', why: "not_object" } }],
  ])("%s", (raw, wanted) => {
    expect(parseCallInput(raw)).toEqual(wanted);
  });

  it("are not taken from a call that was cut, even when they parse (A05)", () => {
    expect(parseCallInput('{"a":1}', true)).toEqual({ input: {}, invalid: { raw: '{"a":1}', why: "cut" } });
  });

  it("nested beyond all sense are named so, before anything walks through them call by call", () => {
    const deep = (n: number) => `{"a":${"[".repeat(n)}${"]".repeat(n)}}`;
    expect(parseCallInput(deep(150)).invalid).toBeUndefined();
    const invalid = parseCallInput(deep(20_000)).invalid;
    expect([invalid?.why, invalid?.raw.length]).toEqual(["too_deep", 1_000]);
    let value: unknown = {};
    for (let n = 0; n < 20_000; n += 1) value = { value };
    expect(checkCallInput(value).invalid?.why).toBe("too_deep");
  });

  it("may come parsed", () => {
    expect(checkCallInput({ a: 1 })).toEqual({ input: { a: 1 } });
    expect(checkCallInput([1])).toEqual({ input: {}, invalid: { raw: "[1]", why: "not_object" } });
  });
});
