// Reads what the model sent as a tool's input. Strict: unknown fields are an error that names them (T1, T4).
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { Tool } from "./contract.ts";
import { isRecord, jsonSchemaOf } from "./schema.ts";
import { describeIssues, fieldName } from "./tell-model.ts";

/** Parsed input, or a text for the model that says field, expected and got. Pure; never throws. */
export function parseInput(tool: Tool, raw: unknown): Result<unknown, string> {
  const first = tool.input.safeParse(raw);
  if (first.success) return withoutNuls(first.data);
  // Strict dialects list optional fields as nullable, so null means "left out" (T18).
  const second = tool.input.safeParse(withoutNulls(raw, jsonSchemaOf(tool.input)));
  return second.success ? withoutNuls(second.data) : err(describeIssues(second.error.issues, raw));
}

/** No path, command or text may hold one: systems cut there, so something else would be done than was shown and judged. */
function withoutNuls(input: unknown): Result<unknown, string> {
  const at = nulIn(input, []);
  return at === undefined ? ok(input) : err(`- ${fieldName(at)}: expected text without NUL characters, got one; leave it out`);
}

function nulIn(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (typeof value === "string") return value.includes("\0") ? path : undefined;
  const entries = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
  for (const [key, member] of entries) {
    const found = nulIn(member, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutNulls(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, schema["items"]));
  if (!isRecord(value) || !isRecord(schema["properties"])) return value;
  const properties = schema["properties"];
  const required = z.array(z.string()).catch([]).parse(schema["required"]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null || required.includes(key) || !(key in properties))
      .map(([key, member]) => [key, withoutNulls(member, properties[key])]),
  );
}
