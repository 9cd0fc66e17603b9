// No provider takes a union at the root of a tool's schema: its variants become one object with what they share required.
import { isObject } from "#electron/providers/wire/call-input.ts";
import { stableJson } from "#shared/lib/stable-json.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

const UNIONS = ["anyOf", "oneOf", "allOf"] as const;

/** The same schema with an object at its root. */
export function rootAsObject(schema: JsonSchema): JsonSchema {
  const union = UNIONS.find((keyword) => Array.isArray(schema[keyword]));
  if (union === undefined) return { ...schema, type: "object", properties: isObject(schema["properties"]) ? schema["properties"] : {} };
  const variants = schemasOf(schema[union]);
  const { [union]: _, ...rest } = schema;
  const all = [rest, ...variants];
  const required = union === "allOf" ? [...new Set(all.flatMap(requiredOf))] : [...new Set([...requiredOf(rest), ...sharedBy(variants.map(requiredOf))])];
  const merged: JsonSchema = { ...rest, type: "object", properties: mergeProperties(all), ...(required.length > 0 ? { required } : {}) };
  const described = union === "allOf" ? merged : { ...merged, description: withVariants(rest["description"], variants) };
  return UNIONS.some((keyword) => Array.isArray(described[keyword])) ? rootAsObject(described) : described;
}

function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function requiredOf(schema: JsonSchema): readonly string[] {
  return Array.isArray(schema["required"]) ? schema["required"].filter((name) => typeof name === "string") : [];
}

function sharedBy(lists: readonly (readonly string[])[]): readonly string[] {
  return (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)));
}

function mergeProperties(schemas: readonly JsonSchema[]): JsonSchema {
  const merged = new Map<string, unknown[]>();
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
      const known = merged.get(name) ?? [];
      if (!known.some((other) => stableJson(other) === stableJson(property))) merged.set(name, [...known, property]);
    }
  }
  return Object.fromEntries([...merged].map(([name, options]) => [name, options.length === 1 ? options[0] : { anyOf: options }]));
}

function withVariants(description: unknown, variants: readonly JsonSchema[]): string {
  const lists = variants.map((variant) => requiredOf(variant).join(", ")).filter((names) => names !== "");
  const words = typeof description === "string" ? `${description} ` : "";
  return `${words}Give one of these sets of fields: ${lists.map((names) => `(${names})`).join(" or ")}.`;
}
