// The task tool (T16, L23): one self-contained piece of work for a sub-agent. Whatever becomes of it is a result, never the end of the parent.
import { z } from "zod";
import type { RunSubagent, SubagentReport } from "#electron/subagents/contract.ts";
import type { Tool, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { TOUCHES_NOTHING } from "./declared.ts";
import { ABORTED_TEXT, reportText, TASK_TEXT, unfinishedText } from "./task.text.ts";

const MAX_DESCRIPTION_CHARS = 200;
const MAX_PROMPT_CHARS = 50_000;
const MAX_REPORT_CHARS = 30_000;
const Input = z.strictObject({
  description: z.string().trim().min(1).max(MAX_DESCRIPTION_CHARS).describe("3 to 8 words, for the person"),
  prompt: z.string().trim().min(1).max(MAX_PROMPT_CHARS),
});

export function createTaskTool(deps: { readonly run: RunSubagent }): Tool {
  return defineTool({
    name: "task",
    aliases: ["agent"],
    schemaVersion: 1,
    input: Input,
    text: TASK_TEXT,
    display: "summary",
    maxResultChars: MAX_REPORT_CHARS,
    // It does nothing itself: each call of the sub-agent is judged, locked and protected for its own effects (L23).
    ...TOUCHES_NOTHING,
    source: () => "sub-agent",
    isConcurrencySafe: () => true,
    call: async (input, cx, progress) => toolReturn(await deps.run(input, cx, (text) => progress({ kind: "note", text }))),
  });
}

function toolReturn(report: SubagentReport): ToolReturn {
  const { why } = report.end;
  if (why === "aborted") return unfinished(report, "aborted", ABORTED_TEXT);
  if (report.text === "" || (why !== "answered" && why !== "let_go")) return unfinished(report, "tool_error", unfinishedText(report));
  return { ok: true, forModel: [{ type: "text", text: reportText(report) }], view: { kind: "text", text: report.text } };
}

/** What it had said by then may still be of use, and what it cost is told anyway. */
function unfinished(report: SubagentReport, kind: "aborted" | "tool_error", message: string): ToolReturn {
  const view = report.text === "" ? {} : { view: { kind: "text" as const, text: report.text } };
  return { ok: false, failure: { kind, retryable: false, message }, forModel: [{ type: "text", text: `${message}\n${reportText(report)}`.trim() }], ...view };
}
