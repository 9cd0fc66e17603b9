// The tool names that people's existing hook scripts know. Matchers may use either name; the payload carries this one (H1).
import { z } from "zod";

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

const CHANGES_A_FILE: ReadonlySet<string> = new Set(["write", "edit", "notebook_edit"]);
const FileInput = z.object({ file_path: z.string() });

/** A result in the shape that scripts look into; tools without a known one give their text. */
export function claudeResponse(tool: string, input: unknown, text: string): unknown {
  if (tool === "bash") return { stdout: text, stderr: "", interrupted: false };
  const file = FileInput.safeParse(input);
  if (!file.success) return text;
  if (CHANGES_A_FILE.has(tool)) return { filePath: file.data.file_path, success: true, text };
  return tool === "read" ? { type: "text", file: { filePath: file.data.file_path, content: text } } : text;
}

/** The mode in the words that scripts know. */
export function claudeMode(mode: string): string {
  return mode === "bypass" ? "bypassPermissions" : mode;
}
