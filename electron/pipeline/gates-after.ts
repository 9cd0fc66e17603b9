// The gates after a call, also for calls that were settled early (T3).
import { contentText, type ContentPart, type ModelContent } from "#shared/chat/blocks.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import { ToolOutcome } from "#shared/tools/outcome.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import { redactAll } from "#electron/lib/redaction.ts";
import type { FinishGate } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { exceptionOutcome, hookText, isMcp } from "./settle.ts";

export function limitGate(deps: PipelineDeps): FinishGate {
  return {
    name: "limit",
    async run(call, outcome, cx) {
      const bytes = outcome.forModel.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
      const measured = { ...outcome, metrics: { ...outcome.metrics, bytes } };
      if (call.tool === undefined) return measured;
      // The whole of a cut result is kept on the disk, so it is masked before.
      const limited = await deps.limit(redacted(measured.forModel, deps), call.tool, cx);
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
      const event = outcome.status === "ok" ? "PostToolUse" : "PostToolUseFailure";
      const said = await deps.hooks.run(event, name, { tool_name: name, tool_input: shown, tool_use_id: call.id, ...resultOf(outcome) }, cx.scope.signal);
      const lines: ContentPart[] = [];
      for (const hook of said) {
        if (hook.kind === "context") lines.push(hookText(event, hook.text));
        if (hook.kind === "block") lines.push(hookText(event, `A hook of the user objects to this result: ${hook.reason}`));
        if (hook.kind === "stop") deps.hookStop(hook.reason);
      }
      const changed = isMcp(call) ? withOutput(outcome, name, said) : outcome;
      return { ...changed, forModel: [...changed.forModel, ...call.notes, ...lines] };
    },
  };
}

function resultOf(outcome: ToolOutcome): Readonly<Record<string, unknown>> {
  if (outcome.status === "ok") return { tool_response: contentText(outcome.forModel) };
  const { kind, message } = outcome.failure;
  return { error: message, error_kind: kind, is_interrupt: kind === "aborted" };
}

/** The output of an MCP call as the last hook left it; the raw text goes no further (T3). */
function withOutput(outcome: ToolOutcome, name: string, said: readonly HookOutcome[]): ToolOutcome {
  const last = said.findLast((hook) => hook.kind === "changed_output");
  if (last === undefined || outcome.status !== "ok") return outcome;
  const text = typeof last.output === "string" ? last.output : (JSON.stringify(last.output) ?? "");
  // The card would still show the raw text, so it shows the model's part instead.
  const { view: _raw, ...rest } = outcome;
  return { ...rest, forModel: [{ type: "text", text, from: name }] };
}

/** Makes the outcome safe to store and send: no secrets, well-formed, never empty, cloneable. */
export function serialiseGate(deps: PipelineDeps): FinishGate {
  return {
    name: "serialise",
    async run(call, outcome) {
      const parts = redacted(outcome.forModel, deps);
      const kept = parts.filter((part) => part.type !== "text" || !isBlank(part.text));
      const forModel: ContentPart[] = kept.length > 0 ? kept : [{ type: "text", text: "(no output)" }];
      const { forModel: _raw, ...shown } = outcome;
      const parsed = ToolOutcome.safeParse({ ...withoutKeys(shown, deps), forModel });
      return parsed.success ? parsed.data : exceptionOutcome(call, "the tool's result", parsed.error);
    },
  };
}

function redacted(content: ModelContent, { redact }: PipelineDeps): ContentPart[] {
  return content.map((part): ContentPart => (part.type === "text" ? { ...part, text: redact(wellFormed(part.text)) } : part));
}

/** What goes to the log and the card besides the model's part: view and failure (R3). */
function withoutKeys(shown: Readonly<Record<string, unknown>>, { redact }: PipelineDeps): Readonly<Record<string, unknown>> {
  return {
    ...shown,
    ...(shown["view"] === undefined ? {} : { view: redactAll(shown["view"], redact) }),
    ...(shown["failure"] === undefined ? {} : { failure: redactAll(shown["failure"], redact) }),
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
