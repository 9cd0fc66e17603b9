// The tool names that people's existing hook scripts know. Matchers may use either name; the payload carries this one (H1).

const NAMES: ReadonlyMap<string, string> = new Map([
  ["read", "Read"],
  ["write", "Write"],
  ["edit", "Edit"],
  ["ls", "LS"],
  ["glob", "Glob"],
  ["grep", "Grep"],
  ["bash", "Bash"],
  ["bash_output", "BashOutput"],
  ["bash_kill", "KillShell"],
  ["todo_write", "TodoWrite"],
  ["ask_user", "AskUserQuestion"],
  ["web_fetch", "WebFetch"],
  ["task", "Task"],
  ["plan_exit", "ExitPlanMode"],
  ["notebook_edit", "NotebookEdit"],
  ["tool_search", "ToolSearch"],
  ["skill", "Skill"],
]);

/** The name as hook scripts know it; names of MCP tools and of ours alone stay as they are. */
export function claudeName(tool: string): string {
  return NAMES.get(tool) ?? tool;
}
