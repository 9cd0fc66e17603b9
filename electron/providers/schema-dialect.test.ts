import { describe, expect, it } from "vitest";
import { z } from "zod";
import { violationsOf } from "#electron/testkit/server/validate-request.ts";
import { rewriteSchema } from "./schema-dialect.ts";

const tool = (schema: Readonly<Record<string, unknown>>, strictAllowed = true) => ({ schema, strictAllowed });

const NESTED = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  description: "Input.",
  properties: {
    path: { type: "string", minLength: 1, description: "Where." },
    limit: { type: "integer", minimum: 1, default: 100 },
    mode: { type: "string", enum: ["a", "b"] },
    kind: { const: "x" },
    items: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: {
        type: "object",
        properties: { old: { type: "string" }, all: { type: "boolean", default: false } },
        required: ["old"],
        additionalProperties: false,
      },
    },
    either: { oneOf: [{ type: "string", format: "uri" }, { type: "number" }] },
  },
  required: ["path"],
  additionalProperties: false,
};

describe("the Anthropic dialect", () => {
  it("keeps optional fields, defaults and all constraints; only $schema goes", () => {
    const { $schema: _, ...wanted } = NESTED;
    expect(rewriteSchema(tool(NESTED), "anthropic")).toEqual({ schema: wanted, strict: false });
  });
});

describe("OpenAI's strict dialect (T18)", () => {
  it("requires all fields, makes optional ones nullable, closes every object, tells what it cannot say", () => {
    expect(rewriteSchema(tool(NESTED), "openai_strict")).toEqual({
      strict: true,
      schema: {
        type: "object",
        description: "Input.",
        properties: {
          path: { type: "string", description: "Where. At least 1 characters." },
          limit: { type: ["integer", "null"], minimum: 1, description: "Default: 100." },
          mode: { type: ["string", "null"], enum: ["a", "b", null] },
          kind: { anyOf: [{ const: "x" }, { type: "null" }] },
          items: {
            type: ["array", "null"],
            minItems: 1,
            description: "No repeated items.",
            items: {
              type: "object",
              properties: { old: { type: "string" }, all: { type: ["boolean", "null"], description: "Default: false." } },
              required: ["old", "all"],
              additionalProperties: false,
            },
          },
          either: { anyOf: [{ type: "string", description: "Format: uri." }, { type: "number" }, { type: "null" }] },
        },
        required: ["path", "limit", "mode", "kind", "items", "either"],
        additionalProperties: false,
      },
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["a record", { type: "object", additionalProperties: { type: "string" } }],
    ["an open object", { type: "object", properties: { a: { type: "object" } } }],
    ["anything at all", { type: "object", properties: { a: {} }, required: ["a"] }],
    ["a tuple", { type: "object", properties: { a: { type: "array", prefixItems: [{ type: "string" }] } } }],
    ["a negation", { type: "object", properties: { a: { not: { type: "string" } } } }],
  ])("falls back to the loose dialect for %s", (_name, schema) => {
    expect(rewriteSchema(tool(schema), "openai_strict").strict).toBe(false);
  });

  it("is never used for schemas from outside", () => {
    const { $schema: _, ...wanted } = NESTED;
    expect(rewriteSchema(tool(NESTED, false), "openai_strict")).toEqual({ schema: wanted, strict: false });
  });

  it("does not take a property for a keyword", () => {
    const schema = {
      type: "object",
      properties: { default: { type: "string" }, $schema: { type: "string" }, not: { type: "string" } },
      required: ["default", "$schema", "not"],
    };
    expect(rewriteSchema(tool(schema), "openai_strict")).toEqual({ strict: true, schema: { ...schema, additionalProperties: false } });
  });

  it("passes the strict checker for schemas as zod makes them", () => {
    const input = z.object({
      file_path: z.string().min(1).describe("Path."),
      offset: z.number().int().positive().optional(),
      mode: z.enum(["content", "files"]).default("content"),
      edits: z
        .array(z.object({ old_string: z.string(), replace_all: z.boolean().default(false) }))
        .max(50)
        .optional(),
      target: z.union([z.string(), z.object({ id: z.number() })]).nullable(),
    });
    const { schema, strict } = rewriteSchema(tool(z.toJSONSchema(input, { io: "input" })), "openai_strict");
    expect(strict).toBe(true);
    const body = {
      model: "m",
      stream: true,
      store: false,
      tools: [{ type: "function", name: "t", parameters: schema, strict }],
      input: [{ role: "user", content: "x" }],
    };
    expect(violationsOf("openai-responses", body)).toEqual([]);
  });
});

describe("a union at the root", () => {
  const union = {
    description: "One of two.",
    anyOf: [
      { type: "object", properties: { id: { type: "string" }, force: { type: "boolean" } }, required: ["id"] },
      { type: "object", properties: { id: { type: "number" }, name: { type: "string" } }, required: ["id", "name"] },
    ],
  };

  it("becomes one object in every dialect", () => {
    for (const dialect of ["anthropic", "openai_loose"] as const) {
      expect(rewriteSchema(tool(union), dialect).schema).toEqual({
        type: "object",
        description: "One of two. Give one of these sets of fields: (id) or (id, name).",
        properties: { id: { anyOf: [{ type: "string" }, { type: "number" }] }, force: { type: "boolean" }, name: { type: "string" } },
        required: ["id"],
      });
    }
  });

  it("joins all parts of an allOf", () => {
    const schema = {
      allOf: [
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "string" } }, required: ["b"] },
      ],
    };
    expect(rewriteSchema(tool(schema), "anthropic").schema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
    });
  });

  it("gives a schema without anything an empty object", () => {
    expect(rewriteSchema(tool({}), "openai_loose").schema).toEqual({ type: "object", properties: {} });
  });
});
