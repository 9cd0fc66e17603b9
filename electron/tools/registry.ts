// The tools of a session: all of them → those allowed now, in the order in which they are sent (T2).
import type { Tool, ToolRegistry } from "./contract.ts";
import { BUILTIN_ORDER, MCP_PREFIX } from "./builtin-order.ts";
import { nearest } from "./edit-distance.ts";

const MAX_NEAR = 3;

/** `disabled`: names switched off in the settings, any case; they are neither sent nor found. */
export function createRegistry(tools: readonly Tool[], options: { readonly disabled?: readonly string[] } = {}): ToolRegistry {
  const off = new Set((options.disabled ?? []).map((name) => name.toLowerCase()));
  const sent = inSendingOrder(tools.filter((tool) => !off.has(tool.name.toLowerCase())));
  const byName = new Map<string, Tool>();
  // Real names win over aliases, so an alias can never hide a tool.
  for (const tool of sent) for (const alias of tool.aliases ?? []) byName.set(alias.toLowerCase(), tool);
  for (const tool of sent) byName.set(tool.name.toLowerCase(), tool);
  return {
    tools: sent,
    find: (name) => byName.get(name.trim().toLowerCase()),
    near: (name) => {
      const found = nearest(name.trim(), [...byName.keys()], MAX_NEAR * 2).flatMap((key) => byName.get(key)?.name ?? []);
      return [...new Set(found)].slice(0, MAX_NEAR);
    },
  };
}

/** Built-ins at their fixed places, others after them as given, MCP tools last by name: servers connect in any order (T2). */
function inSendingOrder(tools: readonly Tool[]): readonly Tool[] {
  const place = (tool: Tool) => {
    const index = BUILTIN_ORDER.findIndex((name) => name === tool.name);
    if (index >= 0) return index;
    return BUILTIN_ORDER.length + (tool.name.startsWith(MCP_PREFIX) ? 1 : 0);
  };
  return [...tools].sort((a, b) => place(a) - place(b) || (a.name.startsWith(MCP_PREFIX) ? compare(a.name, b.name) : 0));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
