// OpenAI's strict dialect: every object closed, every field required, optional ones nullable, at every depth.
// What strict mode cannot say (records, tuples, open objects) makes the tool fall back to the loose dialect.
import { isObject } from "#electron/providers/wire/call-input.ts";
import { isList } from "#electron/providers/wire/json-path.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords strict mode takes as they are. */
const TAKEN = new Set([
  "type",
  "description",
  "title",
  "enum",
  "const",
  "$ref",
  "pattern",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);
/** Constraints it refuses; they move into the description in these words. */
const TOLD: Readonly<Record<string, (value: unknown) => string>> = {
  default: (value) => `Default: ${JSON.stringify(value)}.`,
  minLength: (value) => `At least ${String(value)} characters.`,
  maxLength: (value) => `At most ${String(value)} characters.`,
  uniqueItems: () => "No repeated items.",
  minProperties: (value) => `At least ${String(value)} fields.`,
  maxProperties: (value) => `At most ${String(value)} fields.`,
  format: (value) => `Format: ${String(value)}.`,
  examples: (value) => `Examples: ${JSON.stringify(value)}.`,
  contentEncoding: (value) => `Encoding: ${String(value)}.`,
  contentMediaType: (value) => `Media type: ${String(value)}.`,
  deprecated: () => "Deprecated.",
  readOnly: () => "",
  writeOnly: () => "",
};
const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]);
/** Keywords whose meaning words cannot carry. */
const IMPOSSIBLE = new Set([
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "prefixItems",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

class NotStrict extends Error {}

/** The schema in the strict dialect; undefined when it cannot be said there. */
export function toStrict(schema: JsonSchema): JsonSchema | undefined {
  try {
    return node(schema);
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

function node(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).some((keyword) => IMPOSSIBLE.has(keyword))) throw new NotStrict();
  const kept = Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => Object.entries(keptAs(keyword, value))));
  const whole = isObjectSchema(schema) ? { ...kept, ...objectFields(schema) } : kept;
  if (!SAYS_WHAT.some((keyword) => keyword in whole)) throw new NotStrict();
  const words = Object.entries(schema)
    .flatMap(([keyword, value]) => (keyword in kept ? [] : (TOLD[keyword]?.(value) ?? [])))
    .filter((text) => text !== "")
    .join(" ");
  if (words === "" || "$ref" in whole) return whole;
  return { ...whole, description: typeof schema["description"] === "string" ? `${schema["description"]} ${words}` : words };
}

/** A schema must say at least one of these; `{}`, which means anything, cannot be strict. */
const SAYS_WHAT = ["type", "anyOf", "$ref", "enum", "const"] as const;

/** A keyword in the strict dialect, with the schemas below it; {} for what is told in words or has no meaning there. */
function keptAs(keyword: string, value: unknown): JsonSchema {
  switch (keyword) {
    case "anyOf":
    case "oneOf":
      return { anyOf: schemas(value).map(node) };
    case "items":
      return { items: node(one(value)) };
    case "$defs":
    case "definitions":
      return { [keyword]: mapValues(one(value), node) };
    case "format":
      return typeof value === "string" && FORMATS.has(value) ? { format: value } : {};
    default:
      return TAKEN.has(keyword) ? { [keyword]: value } : {};
  }
}

function isObjectSchema(schema: JsonSchema): boolean {
  return schema["type"] === "object" || (Array.isArray(schema["type"]) && schema["type"].includes("object")) || isObject(schema["properties"]);
}

function objectFields(schema: JsonSchema): JsonSchema {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const more = schema["additionalProperties"];
  const open = isObject(more) || more === true || (more === undefined && Object.keys(properties).length === 0 && schema["properties"] === undefined);
  if (open) throw new NotStrict();
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const all = Object.entries(properties).map(([name, property]): [string, JsonSchema] => [
    name,
    required.has(name) ? node(one(property)) : nullable(node(one(property))),
  ]);
  return { properties: Object.fromEntries(all), required: all.map(([name]) => name), additionalProperties: false };
}

/** The same schema that takes null as well, with null standing for "not given". */
function nullable(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema)) return schema;
  const { type, description } = schema;
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schemas(schema["anyOf"]), { type: "null" }] };
  const plainType = typeof type === "string" || Array.isArray(type);
  if (!plainType || "const" in schema)
    return { ...(description === undefined ? {} : { description }), anyOf: [without(schema, "description"), { type: "null" }] };
  const types: readonly unknown[] = isList(type) ? type : [type];
  return { ...schema, type: [...types, "null"], ...(isList(schema["enum"]) ? { enum: [...schema["enum"], null] } : {}) };
}

/** Whether null is a value of the schema itself, not a stand-in for "not given". */
export function allowsNull(schema: JsonSchema): boolean {
  if (schema["type"] === "null" || schema["const"] === null) return true;
  if (Array.isArray(schema["type"]) && schema["type"].includes("null")) return true;
  if (Array.isArray(schema["enum"]) && schema["enum"].includes(null)) return true;
  return ["anyOf", "oneOf"].some(
    (keyword) => Array.isArray(schema[keyword]) && schema[keyword].some((option: unknown) => isObject(option) && allowsNull(option)),
  );
}

function one(value: unknown): JsonSchema {
  if (!isObject(value)) throw new NotStrict();
  return value;
}

function schemas(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.map(one) : [one(value)];
}

function mapValues(map: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key, change(one(member))]));
}

function without(schema: JsonSchema, key: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}
