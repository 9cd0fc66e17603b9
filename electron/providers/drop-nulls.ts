// The way back of T18: a null that only stands for "not given" is taken out before the tool sees its input.
import { isObject } from "#electron/providers/wire/call-input.ts";
import { allowsNull } from "./schema-strict.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** `schema` is the tool's own. A field loses its null when it is optional and null is not one of its values; at every depth. */
export function dropNulls(schema: JsonSchema, input: unknown): unknown {
  return drop(schema, input, schema);
}

function drop(schema: JsonSchema, value: unknown, root: JsonSchema): unknown {
  const variants = variantsOf(schema, root);
  if (Array.isArray(value)) {
    const items = variants.flatMap((variant) => (isObject(variant["items"]) ? [variant["items"]] : []));
    return items.length === 0 ? value : value.map((member) => items.reduce<unknown>((rest, item) => drop(item, rest, root), member));
  }
  if (!isObject(value)) return value;
  const objects = variants.filter((variant) => isObject(variant["properties"]));
  if (objects.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const uses = objects.flatMap((variant) => useOf(variant, name, root));
      if (uses.length === 0) return [[name, member]];
      if (member === null && uses.every((use) => use.optional && !use.nullable)) return [];
      return [[name, uses.reduce<unknown>((rest, use) => drop(use.schema, rest, root), member)]];
    }),
  );
}

type Use = { readonly schema: JsonSchema; readonly optional: boolean; readonly nullable: boolean };

function useOf(variant: JsonSchema, name: string, root: JsonSchema): readonly Use[] {
  const properties = variant["properties"];
  const property = isObject(properties) ? properties[name] : undefined;
  if (!isObject(property)) return [];
  const required = Array.isArray(variant["required"]) && variant["required"].includes(name);
  return [{ schema: property, optional: !required, nullable: variantsOf(property, root).some(allowsNull) }];
}

/** The schema itself and, through references and unions, everything it may be; each once, so loops end. */
function variantsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const found = new Set<JsonSchema>();
  const visit = (at: JsonSchema) => {
    if (found.has(at)) return;
    found.add(at);
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const options = at[keyword];
      if (Array.isArray(options)) options.filter(isObject).forEach(visit);
    }
    const target = typeof at["$ref"] === "string" ? resolve(at["$ref"], root) : undefined;
    if (target !== undefined) visit(target);
  };
  visit(schema);
  return [...found];
}

function resolve(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (!ref.startsWith("#")) return undefined;
  const steps = ref
    .slice(1)
    .split("/")
    .filter((step) => step !== "")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
  return isObject(found) ? found : undefined;
}
