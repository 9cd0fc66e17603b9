// Turns whatever happened at any point of a call into its one outcome, with the failure kind known there (T5).
import type { ContentPart } from "#shared/chat/blocks.ts";
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { ToolReturn } from "#electron/tools/contract.ts";
import type { CallInFlight } from "./contract.ts";

const MCP_PREFIX = "mcp__";

/** Calls of MCP tools have an order of their own after the run (T3). */
export function isMcp({ tool, name }: Pick<CallInFlight, "tool" | "name">): boolean {
  return (tool?.name ?? name).startsWith(MCP_PREFIX);
}

export function failed(call: CallInFlight, failure: ToolFailure): ToolOutcome {
  const text = failure.suggestion === undefined ? failure.message : `${failure.message}\n${failure.suggestion}`;
  return { status: "failed", callId: call.id, metrics: { ms: 0, bytes: 0 }, forModel: [{ type: "text", text }], display: "full", failure };
}

/** `started`: whether the call had begun to run; what the model may assume depends on it (L17). */
export function abortedOutcome(call: CallInFlight, cause: AbortCause | undefined, started: boolean): ToolOutcome {
  return failed(call, { kind: cause?.by === "tool_timeout" ? "timeout" : "aborted", retryable: cause?.by !== "person", message: abortMessage(cause, started) });
}

function abortMessage(cause: AbortCause | undefined, started: boolean): string {
  const ran = started ? "It had started, so part of it may have happened: check before you repeat it." : "It was not run.";
  switch (cause?.by) {
    case "person":
      return `The call was cancelled by the user. ${ran}`;
    case "sibling":
      return "Skipped because an earlier command of the same reply failed. It was not run; run it again if it is still wanted.";
    case "tool_timeout":
      return `The call took too long and was ended. ${ran}`;
    case "rollback":
      return `The call was ended because the user went back to an earlier checkpoint. ${ran}`;
    case "shutdown":
      return `The call was ended because the app was closed. ${ran}`;
    default:
      return `The call was ended${cause?.detail === undefined ? "" : ` (${cause.detail})`}. ${ran}`;
  }
}

/** A throw out of a tool or gate is our fault, never the model's. */
export function exceptionOutcome(call: CallInFlight, where: string, error: unknown): ToolOutcome {
  const words = error instanceof Error ? error.message : String(error);
  return failed(call, {
    kind: "exception",
    retryable: true,
    message: `Internal error in ${where}: ${words}. This is not caused by your input; try once more or another way.`,
  });
}

export function outcomeOf(call: CallInFlight, plainReturn: ToolReturn, ms: number): ToolOutcome {
  const returned = fromOutside(call, plainReturn);
  const display = call.tool?.display ?? "full";
  const view = returned.view === undefined ? {} : { view: returned.view };
  if (returned.ok) return { status: "ok", callId: call.id, metrics: { ms, bytes: 0 }, forModel: [...returned.forModel], display, ...view };
  const plain = failed(call, returned.failure);
  return { ...plain, ...view, metrics: { ms, bytes: 0 }, forModel: returned.forModel === undefined ? plain.forModel : [...returned.forModel] };
}

/** What a tool returns is data unless its declaration says that the words are the harness's own (P8). */
function fromOutside({ tool, input }: CallInFlight, returned: ToolReturn): ToolReturn {
  const source = tool?.source === undefined ? tool?.name : tool.source(input);
  if (source === undefined || returned.forModel === undefined) return returned;
  return { ...returned, forModel: returned.forModel.map((part) => (part.type === "text" && part.from === undefined ? { ...part, from: source } : part)) };
}

/** What a hook adds: the user's own command said it, but it may pass on what others wrote (P8). */
export function hookText(event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure", text: string): ContentPart {
  return { type: "text", text, from: `hook ${event}` };
}
