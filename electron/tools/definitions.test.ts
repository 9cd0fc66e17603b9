import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool, ToolSpec } from "./contract.ts";
import { defineTool } from "./define.ts";
import { definitionsOf } from "./definitions.ts";
import { createRegistry } from "./registry.ts";

function tool<I extends z.ZodType>(name: string, input: I, parts: Partial<ToolSpec<I>> = {}): Tool {
  return defineTool({ name, schemaVersion: 1, input, text: { summary: "Probes." }, call: async () => ({ ok: true, forModel: [] }), ...parts });
}

describe("definitionsOf", () => {
  it("makes plain JSON schema from the zod schema, without $schema and without limits that say nothing", () => {
    const input = z.strictObject({ path: z.string().describe("Where"), depth: z.int().min(1).optional(), kind: z.enum(["a", "b"]).default("a") });
    expect(definitionsOf(createRegistry([tool("probe", input, { text: { summary: "Probes.", guide: "Use with care." } })]))).toEqual([
      {
        name: "probe",
        description: "Probes.\nUse with care.",
        schema: {
          type: "object",
          properties: {
            path: { type: "string", description: "Where" },
            depth: { type: "integer", minimum: 1 },
            kind: { default: "a", type: "string", enum: ["a", "b"] },
          },
          required: ["path"],
          additionalProperties: false,
        },
        strictAllowed: true,
      },
    ]);
  });

  it("leaves deferred tools out and never sends a server's schema as strict", () => {
    const registry = createRegistry([tool("late", z.strictObject({}), { exposure: "deferred" }), tool("mcp__a__b", z.strictObject({}))]);
    expect(definitionsOf(registry).map(({ name, strictAllowed }) => ({ name, strictAllowed }))).toEqual([{ name: "mcp__a__b", strictAllowed: false }]);
  });
});
