// Rules that hold in every protocol: names of tools, schemas, blank text, images, repeated values.
import { isBlank } from "#shared/lib/text.ts";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const IMAGE_MAX_BASE64 = 5 * 1024 * 1024;

/** Signatures the provider gave out, with the text they sign ("" for opaque data). `undefined` skips that check. */
export type Signatures = ReadonlyMap<string, string> | undefined;

export type SentTool = { readonly name: string; readonly schema: unknown; readonly strict: boolean };

export function toolViolations(tools: readonly SentTool[]): readonly string[] {
  const names = tools.map((tool) => tool.name);
  return [
    ...repeated(names).map((name) => `two tools are called ${name}`),
    ...names.filter((name) => !NAME.test(name)).map((name) => `the tool name ${JSON.stringify(name)} is not allowed`),
    ...tools.flatMap((tool) => schemaViolations(tool).map((what) => `schema of ${tool.name}: ${what}`)),
  ];
}

function schemaViolations(tool: SentTool): readonly string[] {
  const schema = tool.schema;
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "object") return ["the root is not an object"];
  return [...nodesOf(schema, "root")].flatMap(({ node, path }) => [
    ...("$schema" in node ? [`${path} has $schema`] : []),
    ...(tool.strict ? strictViolations(node).map((what) => `${path} ${what}`) : []),
  ]);
}

function* nodesOf(value: unknown, path: string): Generator<{ readonly node: object; readonly path: string }> {
  if (Array.isArray(value)) {
    for (const [k, member] of value.entries()) yield* nodesOf(member, `${path}[${k}]`);
  } else if (typeof value === "object" && value !== null) {
    yield { node: value, path };
    for (const [key, member] of Object.entries(value)) yield* nodesOf(member, `${path}.${key}`);
  }
}

const NOT_IN_STRICT = [
  "default",
  "oneOf",
  "allOf",
  "not",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "minLength",
  "maxLength",
  "uniqueItems",
];

function strictViolations(node: object): readonly string[] {
  const found = NOT_IN_STRICT.filter((keyword) => keyword in node && !isPropertyMap(node)).map((keyword) => `uses ${keyword}, which strict mode refuses`);
  if (!("properties" in node) || typeof node.properties !== "object" || node.properties === null || !("type" in node)) return found;
  const required = "required" in node && Array.isArray(node.required) ? node.required : [];
  const missing = Object.keys(node.properties).filter((name) => !required.includes(name));
  const open = !("additionalProperties" in node) || node.additionalProperties !== false;
  return [...found, ...missing.map((name) => `does not require ${name}`), ...(open ? ["allows additional properties"] : [])];
}

/** A map of property names may well have a property called `default`. */
function isPropertyMap(node: object): boolean {
  return Object.values(node).every((member) => typeof member === "object" && member !== null);
}

export function textViolations(text: unknown, where: string): readonly string[] {
  if (typeof text !== "string") return [`${where} is not text`];
  return isBlank(text) ? [`${where} is blank`] : [];
}

export function imageViolations(mediaType: unknown, data: unknown, where: string): readonly string[] {
  if (typeof mediaType !== "string" || !IMAGE_TYPES.includes(mediaType)) return [`${where} has the media type ${String(mediaType)}`];
  if (typeof data !== "string" || data === "") return [`${where} has no data`];
  return data.length > IMAGE_MAX_BASE64 ? [`${where} has ${data.length} bytes of base64`] : [];
}

export function callNameViolations(names: readonly string[]): readonly string[] {
  return names.filter((name) => !NAME.test(name)).map((name) => `the call name ${JSON.stringify(name)} is not allowed`);
}

export function idViolations(ids: readonly string[]): readonly string[] {
  return [...repeated(ids).map((id) => `the call id ${id} is used twice`), ...ids.filter((id) => id.trim() === "").map(() => "a call id is empty")];
}

export function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, k) => values.indexOf(value) !== k))];
}

/** Compares the calls of one message with the results right after it. */
export function answerViolations(calls: readonly string[], results: readonly string[], where: string): readonly string[] {
  return [
    ...calls.filter((id) => !results.includes(id)).map((id) => `${where}: call ${id} is not answered in the next message`),
    ...results.filter((id) => !calls.includes(id)).map((id) => `${where}: result ${id} answers no call of the message before`),
    ...repeated(results).map((id) => `${where}: call ${id} is answered twice`),
  ];
}
