import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dropNulls } from "./drop-nulls.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer" },
    either: { type: ["string", "null"] },
    list: { type: "array", items: { $ref: "#/$defs/edit" } },
    free: {},
  },
  required: ["path"],
  $defs: { edit: { type: "object", properties: { old: { type: "string" }, all: { type: "boolean" } }, required: ["old"] } },
};

describe("nulls that stand for “not given” (T18)", () => {
  it.each<[string, unknown, unknown]>([
    ["an optional field", { path: "a", limit: null }, { path: "a" }],
    ["a field that may be null keeps it", { path: "a", either: null }, { path: "a", either: null }],
    ["a required field keeps it for the validator to report", { path: null }, { path: null }],
    [
      "deep inside, through a reference",
      {
        path: "a",
        list: [
          { old: "x", all: null },
          { old: "y", all: true },
        ],
      },
      { path: "a", list: [{ old: "x" }, { old: "y", all: true }] },
    ],
    ["an unknown field is left alone", { path: "a", extra: null }, { path: "a", extra: null }],
    ["null inside a list is a value", { path: "a", list: [null] }, { path: "a", list: [null] }],
    ["not an object at all", [null], [null]],
  ])("%s", (_name, input, wanted) => {
    expect(dropNulls(SCHEMA, input)).toEqual(wanted);
  });

  it("looks into unions and survives references in circles", () => {
    const schema = { type: "object", properties: { to: { anyOf: [{ type: "string" }, { $ref: "#" }] } }, required: [] };
    expect(dropNulls(schema, { to: { to: { to: null } } })).toEqual({ to: { to: {} } });
  });

  it("changes nothing where there is no null", () => {
    const input = fc.record(
      { path: fc.string(), limit: fc.integer(), list: fc.array(fc.record({ old: fc.string(), all: fc.boolean() })) },
      { requiredKeys: ["path"] },
    );
    fc.assert(
      fc.property(input, (value) => {
        expect(dropNulls(SCHEMA, value)).toEqual(value);
      }),
    );
  });
});
