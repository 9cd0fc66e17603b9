// The JSON schema of a tool's input, made from its zod schema, which stays the only source (T1, T2).
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Plain JSON schema without what protocols do not know (`$schema`) or what says nothing. Same bytes on every build. */
export function jsonSchemaOf(input: z.ZodType): JsonSchema {
  return z.record(z.string(), z.unknown()).parse(cleaned(z.toJSONSchema(input, { io: "input" })));
}

function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned);
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, cleaned(value)]),
  );
}

/** zod bounds every integer by what a double can hold; the model has no use for it. */
function isNoise(key: string, value: unknown): boolean {
  return key === "$schema" || ((key === "maximum" || key === "minimum") && typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
