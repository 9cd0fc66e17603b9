import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { parseInput } from "./parse-input.ts";
import { deniedCall, invalidInput, unknownTool } from "./tell-model.ts";

const tool = defineTool({
  name: "probe",
  schemaVersion: 1,
  input: z.strictObject({
    path: z.string().min(1),
    limit: z.int().min(1).max(10).optional(),
    mode: z.enum(["a", "b"]).optional(),
    edits: z
      .array(z.strictObject({ from: z.string(), all: z.boolean().optional() }))
      .min(1)
      .optional(),
    either: z.union([z.string(), z.number()]).optional(),
  }),
  text: { summary: "Probes." },
  call: async () => ({ ok: true, forModel: [] }),
});
const problems = (raw: unknown) => {
  const parsed = parseInput(tool, raw);
  return parsed.ok ? parsed.value : parsed.error;
};

describe("what is wrong with an input", () => {
  it.each([
    ["a missing field", {}, '- "path": expected a string, got nothing (the field is missing)'],
    ["a wrong type", { path: 3 }, '- "path": expected a string, got number 3'],
    ["a list for a string", { path: ["a"] }, '- "path": expected a string, got a list of 1'],
    ["an object for a string", { path: { a: 1 } }, '- "path": expected a string, got an object with 1 fields'],
    ["null for a required field", { path: null }, '- "path": expected a string, got null'],
    ["too short", { path: "" }, '- "path": expected at least 1 characters, got an empty string'],
    ["too small", { path: "a", limit: 0 }, '- "limit": expected at least 1, got number 0'],
    ["too big", { path: "a", limit: 99 }, '- "limit": expected at most 10, got number 99'],
    ["not whole", { path: "a", limit: 1.5 }, '- "limit": expected a whole number, got number 1.5'],
    ["a string for a number", { path: "a", limit: "5" }, '- "limit": expected a number, got the string "5"'],
    ["not in the list", { path: "a", mode: "c" }, '- "mode": expected one of "a", "b", got the string "c"'],
    ["an empty list", { path: "a", edits: [] }, '- "edits": expected at least 1 items, got a list of 0'],
    ["deep inside", { path: "a", edits: [{ from: 1 }] }, '- "edits[0].from": expected a string, got number 1'],
    ["none of several", { path: "a", either: true }, '- "either": expected a string or a number, got boolean true'],
    ["unknown fields", { path: "a", x: 1, y: 2 }, '- unknown fields: "x", "y"; leave out what the tool does not list'],
    ["an unknown field inside", { path: "a", edits: [{ from: "a", to: "b" }] }, '- unknown field in "edits[0]": "to"; leave out what the tool does not list'],
    ["no object", "text", '- the input: expected an object, got the string "text"'],
    ["nothing", undefined, "- the input: expected an object, got nothing (the field is missing)"],
  ])("says field, expected and got: %s", (_, raw, expected) => {
    expect(problems(raw)).toBe(expected);
  });

  it("stays short however long the value or the list of problems is", () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1]));
    expect(String(problems({ path: "x".repeat(1_000_000), limit: "y".repeat(1_000_000) })).length).toBeLessThan(500);
    expect(String(problems({ path: "a", edits: Array.from({ length: 50 }, () => ({ from: 1 })) }))).toContain("- and 42 more problems");
    expect(String(problems({ path: "a", ...many })).length).toBeLessThan(2000);
  });

  it("reads null as left out for optional fields, at every depth (T18)", () => {
    expect(problems({ path: "a", limit: null, edits: [{ from: "b", all: null }] })).toEqual({ path: "a", edits: [{ from: "b" }] });
  });
});

describe("failures end in the next step", () => {
  it.each([
    [
      unknownTool("reed", ["read"]),
      { kind: "not_found", retryable: false, message: 'There is no tool named "reed". Did you mean "read"? Call it by that name.' },
    ],
    [unknownTool("x", []), { kind: "not_found", retryable: false, message: 'There is no tool named "x". Call one of the tools you were given.' }],
    [
      invalidInput("edit", "- p", { olderForm: false }),
      { kind: "invalid_input", retryable: true, message: 'The input of "edit" is not valid. Nothing was done.\n- p\nMend these fields and call "edit" again.' },
    ],
    [
      invalidInput("edit", "- p", { olderForm: true }),
      {
        kind: "invalid_input",
        retryable: true,
        message:
          'The input of "edit" is not valid. Nothing was done.\n- p\n"edit" has changed since earlier calls in this conversation: go by its definition, not by them.\nMend these fields and call "edit" again.',
      },
    ],
  ])("%#", (failure, expected) => {
    expect(failure).toEqual(expected);
  });

  it("tells a refusal by the rules from one by the person, with the person's words", () => {
    expect(deniedCall("bash", { because: "a rule forbids it", byPerson: false })).toMatch(/not allowed: a rule forbids it\./);
    expect(deniedCall("bash", { because: "", byPerson: true, why: " use npm " })).toMatch(/person refused.*They said: use npm /);
    expect(deniedCall("bash", { because: "", byPerson: true })).toMatch(/no reason/);
  });
});
