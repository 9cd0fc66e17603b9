// The ONE function that makes tool definitions for a model (T2). Every request, sub-agents' too, gets them from here.
import type { ToolDefinition } from "#electron/providers/contract.ts";
import type { Tool, ToolRegistry } from "./contract.ts";
import { MCP_PREFIX } from "./builtin-order.ts";
import { jsonSchemaOf } from "./schema.ts";

/** Definitions in sending order; the same registry always gives the same bytes. Deferred tools are left out. */
export function definitionsOf(registry: ToolRegistry): readonly ToolDefinition[] {
  return registry.tools.filter((tool) => tool.exposure === "always").map(definitionOf);
}

function definitionOf(tool: Tool): ToolDefinition {
  const { summary, guide } = tool.text;
  return {
    name: tool.name,
    description: guide === undefined ? summary : `${summary}\n${guide}`,
    schema: jsonSchemaOf(tool.input),
    // A server's schema may use anything; ours are written for the strict dialects (T18).
    strictAllowed: !tool.name.startsWith(MCP_PREFIX),
  };
}
