// The fixed places of the built-in tools and the names other agents use for them. The one list of tool names there is (T2, T20).

/** Sending order is part of the provider's cache key: append, never reorder. */
export const BUILTIN_ORDER = [
  "read",
  "write",
  "edit",
  "ls",
  "glob",
  "grep",
  "bash",
  "bash_output",
  "bash_input",
  "bash_kill",
  "todo_write",
  "ask_user",
  "web_fetch",
  "task",
  "plan_exit",
  "hypothesis",
  "goal",
  "tool_search",
  "skill",
  "notebook_edit",
] as const;

/** Prefix of tools that come from an MCP server (T19). */
export const MCP_PREFIX = "mcp__";
