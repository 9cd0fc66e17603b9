// JSON schemas of tools in the dialect of each provider (T18). Each dialect has its own table of what it takes; a keyword is
// touched only because this dialect lacks it, and then its meaning moves into the description. Run-time validation stays.
import { isObject } from "#electron/providers/wire/call-input.ts";
import type { ModelInfo, ToolDefinition } from "./contract.ts";
import { rootAsObject } from "./schema-root.ts";
import { toStrict } from "./schema-strict.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;
export type SentSchema = { readonly schema: JsonSchema /** the provider may be told to enforce it */; readonly strict: boolean };

/** Keywords that say something about the document, never about the value; no provider wants them. */
const DOCUMENT_KEYWORDS = ["$schema", "$id", "$comment"] as const;

/** The schema to send. MCP and foreign schemas (`strictAllowed: false`) are never sent as strict. */
export function rewriteSchema(tool: Pick<ToolDefinition, "schema" | "strictAllowed">, dialect: ModelInfo["dialect"]): SentSchema {
  const plain = rootAsObject(withoutDocumentKeywords(tool.schema));
  if (dialect !== "openai_strict" || !tool.strictAllowed) return { schema: plain, strict: false };
  const strict = toStrict(plain);
  return strict === undefined ? { schema: plain, strict: false } : { schema: strict, strict: true };
}

function withoutDocumentKeywords(schema: JsonSchema): JsonSchema {
  const clean = (node: unknown, isPropertyMap: boolean): unknown => {
    if (Array.isArray(node)) return node.map((member) => clean(member, false));
    if (!isObject(node)) return node;
    const kept = Object.entries(node).filter(([key]) => isPropertyMap || !DOCUMENT_KEYWORDS.some((keyword) => keyword === key));
    return Object.fromEntries(
      kept.map(([key, member]) => [key, isLiteral(key, isPropertyMap) ? member : clean(member, !isPropertyMap && isMapOfSchemas(key))]),
    );
  };
  const cleaned = clean(schema, false);
  return isObject(cleaned) ? cleaned : {};
}

/** Under these keywords the keys are names, not keywords. */
export function isMapOfSchemas(keyword: string): boolean {
  return keyword === "properties" || keyword === "patternProperties" || keyword === "$defs" || keyword === "definitions" || keyword === "dependentSchemas";
}

/** Values that are data, not schemas. */
function isLiteral(key: string, isPropertyMap: boolean): boolean {
  return !isPropertyMap && (key === "default" || key === "const" || key === "enum" || key === "examples");
}
