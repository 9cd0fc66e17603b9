// The gates after a call, also for calls that were settled early (T3).
import { contentText, type ContentPart } from "#shared/chat/blocks.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import { ToolOutcome } from "#shared/tools/outcome.ts";
import type { FinishGate } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { exceptionOutcome } from "./settle.ts";

export function limitGate(deps: PipelineDeps): FinishGate {
  return {
    name: "limit",
    async run(call, outcome, cx) {
      const bytes = outcome.forModel.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
      const measured = { ...outcome, metrics: { ...outcome.metrics, bytes } };
      if (call.tool === undefined) return measured;
      const limited = await deps.limit(measured.forModel, call.tool, cx);
      if (limited.cut) deps.trace.emit({ name: "result_cut", tool: call.tool.name });
      return { ...measured, forModel: [...limited.content] };
    },
  };
}

export function postHooksGate(deps: PipelineDeps): FinishGate {
  return {
    name: "post_hooks",
    async run(call, outcome, cx) {
      const name = call.tool?.name ?? call.name;
      const shown = call.input === undefined ? call.raw : (call.tool?.observable(call.input, cx.place, call.facts) ?? call.input);
      const ok = outcome.status === "ok";
      const payload = ok
        ? { tool_name: name, tool_input: shown, tool_response: contentText(outcome.forModel) }
        : { tool_name: name, tool_input: shown, error: outcome.failure.message, error_kind: outcome.failure.kind };
      const said = await deps.hooks.run(ok ? "PostToolUse" : "PostToolUseFailure", name, payload, cx.scope.signal);
      const lines: string[] = [];
      for (const hook of said) {
        if (hook.kind === "context") lines.push(hook.text);
        if (hook.kind === "block") lines.push(`A hook of the user objects to this result: ${hook.reason}`);
        if (hook.kind === "stop") deps.hookStop(hook.reason);
      }
      return withLines(outcome, [...call.notes, ...lines]);
    },
  };
}

function withLines(outcome: ToolOutcome, lines: readonly string[]): ToolOutcome {
  const extra = lines.map((text): ContentPart => ({ type: "text", text }));
  return extra.length === 0 ? outcome : { ...outcome, forModel: [...outcome.forModel, ...extra] };
}

/** Makes the outcome safe to store and send: no secrets, well-formed, never empty, cloneable. */
export function serialiseGate(deps: PipelineDeps): FinishGate {
  return {
    name: "serialise",
    async run(call, outcome) {
      const parts = outcome.forModel.map((part): ContentPart => (part.type === "text" ? { type: "text", text: deps.redact(wellFormed(part.text)) } : part));
      const kept = parts.filter((part) => part.type !== "text" || !isBlank(part.text));
      const forModel: ContentPart[] = kept.length > 0 ? kept : [{ type: "text", text: "(no output)" }];
      const parsed = ToolOutcome.safeParse({ ...outcome, forModel });
      return parsed.success ? parsed.data : exceptionOutcome(call, "the tool's result", parsed.error);
    },
  };
}

export function recordGate(deps: PipelineDeps): FinishGate {
  return {
    name: "record",
    async run(call, outcome, cx) {
      await deps.journal.settled(call, outcome, cx);
      const failure = outcome.status === "failed" ? { failure: outcome.failure.kind } : {};
      deps.trace.emit({ name: "call_done", tool: call.tool?.name ?? "unknown", ok: outcome.status === "ok", ms: outcome.metrics.ms, ...failure });
      return outcome;
    },
  };
}
