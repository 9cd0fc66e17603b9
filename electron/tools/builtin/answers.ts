// The two plainest answers of a tool.
import type { ToolReturn } from "#electron/tools/contract.ts";

/** The same words for the model and on the card. */
export function said(text: string): ToolReturn {
  return { ok: true, forModel: [{ type: "text", text }], view: { kind: "text", text } };
}

/** Trying again with the same input would not help. */
export function toolError(message: string): ToolReturn {
  return { ok: false, failure: { kind: "tool_error", retryable: false, message } };
}
